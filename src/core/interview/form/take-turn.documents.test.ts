/** People who paste what they have: templates of forges, user stories, mails, minutes. Each wish in it is a requirement. */
import { expect, test } from 'vitest'
import { newInterview, say, specOf, transcript } from '../../../../test/helpers/drive-form.ts'
import type { Spec } from '../../spec/spec.ts'

function specFrom(text: string): Spec {
  const interview = say(newInterview(), text)
  if (interview.state !== 'PREVIEW') say(interview, "that's all")
  expect(interview.state, transcript(interview)).toBe('PREVIEW')
  return specOf(interview)
}

const titles = (spec: Spec): readonly string[] => spec.requirements.map(({ title }) => title)
const firstCriteria = (spec: Spec): readonly string[] =>
  spec.requirements.map(({ criteria }) => criteria[0] ?? '')

test('the template of a forge: the solution is wanted, the problem and the alternatives are not', () => {
  const spec = specFrom(`**Is your feature request related to a problem? Please describe.**
Support has to ask engineering to find out who changed a customer's plan.

**Describe the solution you'd like**
Show on the customer's page who changed what and when. The same is in the API.

**Describe alternatives you've considered**
grepping logs

**Additional context**
It came up last week.`)
  expect(titles(spec)).toEqual([
    "Show on the customer's page who changed what and when",
    'The same is in the API',
  ])
  expect(JSON.stringify(spec)).not.toMatch(/Describe|Please|grepping/)
  expect(spec.vision).toContain('Support has to ask engineering')
})

test('user stories, with and without a wish in so many words', () => {
  const spec = specFrom(`# Loyalty programme

## Background
Customers buy once and never come back.

## User stories
1. As a customer I collect one point per euro
2. As an admin, I want to correct a balance so that mistakes can be undone

## Out of scope
- Tiers

## Open questions
- Do points expire?`)
  expect(spec.title).toBe('Loyalty programme')
  expect(titles(spec)).toEqual(['Collect one point per euro', 'Correct a balance'])
  expect(firstCriteria(spec)).toEqual([
    'A customer can collect one point per euro',
    'An admin can correct a balance',
  ])
  expect(spec.outOfScope).toContain('Tiers')
})

test('a user story in a sentence', () => {
  expect(
    firstCriteria(specFrom('As a teacher, I want to export grades as CSV so that I can archive them.')),
  ).toEqual(['A teacher can export grades as CSV'])
})

test('a mail: its head and its foot say nothing, its subject names the whole', () => {
  const spec = specFrom(`From: Eva Lind
To: dev@example.com
Date: Mon, 16 Nov 2026
Subject: Reports

Dear team,

the finance department closes its books on the 3rd of each month. For that they require a monthly report with turnover per region.
Regions can be renamed by us.

Kind regards
Eva`)
  expect(spec.title).toBe('Reports')
  expect(titles(spec)).toEqual([
    'For that they require a monthly report with turnover per region',
    'Regions can be renamed by us',
  ])
})

test('minutes of a meeting are read no matter who speaks', () => {
  const spec = specFrom(`Meeting notes 12 Nov
Attendees: Ana, Bo
- Ana: we need offline mode for the app
- Bo: sync conflicts have to be shown to the user
- agreed: the cache holds at most 50 MB
Next meeting Friday`)
  expect(titles(spec)).toEqual(['Offline mode for the app', 'Sync conflicts have to be shown to the user'])
  expect(spec.requirements[1]?.criteria).toContain('The cache holds at most 50 MB')
})
