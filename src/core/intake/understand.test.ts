import { expect, test } from 'vitest'
import { assessByRules } from './assess-scope.ts'
import { classifyByRules } from './classify.ts'
import { NO_HISTORY } from './estimate.ts'
import { nextStep } from './next-step.ts'
import { formOf } from './request-form.ts'
import { readRequest } from './request-text.ts'
import { intakeOf, type Overrides } from './understand.ts'
import { DEFAULT_WORKFLOWS } from './workflows.ts'

function understand(text: string, overrides: Overrides = {}, sources = 20) {
  const request = readRequest(text)
  const form = formOf(text, request)
  const classified = classifyByRules(request, { repository: { sources }, fileName: null })
  const assessed = assessByRules(request, { type: overrides.type ?? classified.type, form })
  const intake = intakeOf(
    { request, form, classified, assessed, history: NO_HISTORY, table: DEFAULT_WORKFLOWS },
    overrides,
  )
  return { ...intake, next: nextStep(intake) }
}

test('a dark mode toggle is a small feature for a developer with a quick review, without a question', () => {
  expect(understand('Add dark mode toggle to settings page')).toMatchObject({
    type: 'feature_request',
    scope: 'small',
    workflow: 'direct',
    questions: [],
    next: 'one_task',
  })
})

test('a typo goes straight to a fixer, and medium work to an interview', () => {
  expect(understand('fix typo in README')).toMatchObject({ workflow: 'fix', next: 'one_task' })
  expect(
    understand('Let users upload a picture, resize it, show it in the profile and in comments'),
  ).toMatchObject({
    workflow: 'light',
    next: 'interview',
  })
})

test('a small feature that touches passwords gets the deeper workflow, and says why', () => {
  const intake = understand('Add a password field to the form')
  expect(intake).toMatchObject({ scope: 'small', workflow: 'light' })
  expect(intake.reasons.join('\n')).toContain('workflow light instead of direct')
})

test('the deletion of data of users is asked about, however short the request is', () => {
  expect(understand('Delete all user data older than 7 years every night')).toMatchObject({
    workflow: 'light',
    next: 'interview',
  })
})

test('a request that only refers to an issue is asked for its text', () => {
  const { questions } = understand('fix #42')
  expect(questions).toMatchObject([{ id: 'request', options: [] }])
  expect(questions[0]?.text).toContain('“#42”')
})

test('what the user decides wins, and nothing is asked about it', () => {
  expect(understand('harbour')).toMatchObject({
    type: 'feature_request',
    questions: [{ id: 'type' }, { id: 'scope' }],
  })
  expect(understand('harbour', { type: 'bug_fix', scope: 'trivial' })).toMatchObject({
    type: 'bug_fix',
    scope: 'trivial',
    workflow: 'fix',
    questions: [],
  })
  expect(understand('Introduce a plugin system', { workflow: 'direct' })).toMatchObject({
    scope: 'large',
    workflow: 'direct',
    next: 'one_task',
  })
})

test('a text that cannot be read is asked about, whatever it was classified as', () => {
  expect(understand('%% 99 ??')).toMatchObject({ next: 'ask', questions: [{ id: 'request', default: null }] })
})

test('a plan is run and a spec is previewed, whatever their size', () => {
  expect(understand('plan: x\ntasks:\n  - id: "1"\n    title: A').next).toBe('run_plan')
  expect(understand('# Feature: X\n\n### R-001: Y\n').next).toBe('upload_spec')
})
