/** A report that a worker sends counts as the one it could have left, and what it asks of people reaches them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Ended, Lab, LastLine } from './lab.ts'
import { smallProject } from './small-project.ts'

const REPORT = {
  explanation: 'wrote 1',
  self_assessment: 'confident',
  ambiguities: ['may value 1 be empty?'],
  criteria: [{ criterion: 1, file: 'src/m1/value', line: 1 }],
  risks: [{ description: 'old readers ignore it', severity: 'critical' }],
  review_note: { summary: 'adds value 1 as sent', risks: [], rollback: 'revert the commit' },
}

const SEND = `
const { BOSUN_URL: url, BOSUN_WORKER_ID: id, BOSUN_TOKEN: token } = process.env
const answer = await fetch(url + '/api/workers/' + id + '/reports', {
  method: 'POST',
  headers: { Authorization: 'Bearer ' + token, 'Content-Type': 'application/json' },
  body: process.argv[1],
})
if (answer.status !== 202) process.exit(1)
`

type Delivered = Ended & { readonly last: LastLine }

let lab: Lab
let [asked, risky, released]: Delivered[] = []
beforeAll(async () => {
  lab = smallProject({
    agent: `work\nnode --input-type=module -e "$(cat "$repo/tools/send.js")" "$(cat "$repo/tools/report.json")"`,
  })
  lab.write({ 'tools/send.js': SEND, 'tools/report.json': JSON.stringify(REPORT) })
  asked = await lab.deliver()
  await lab.bosun('answer', asked.last.inbox[0]?.id ?? '', 'continue')
  risky = await lab.deliver()
  await lab.bosun('answer', risky.last.inbox[0]?.id ?? '', 'mitigate', '--reason', 'readers were updated')
  released = await lab.deliver()
})
afterAll(() => lab.dispose())

test('an ambiguity in a sent report stops the task for a person', () => {
  expect(asked).toMatchObject({ exit: 10, last: { outcome: 'needs_person' } })
  expect(asked?.last.inbox).toMatchObject([
    {
      kind: 'question',
      task: '1',
      problem: expect.stringContaining('its worker asks: may value 1 be empty?'),
    },
  ])
})

test('a critical risk of a low task stops the release for a person', () => {
  expect(risky?.exit).toBe(10)
  expect(risky?.last.inbox).toMatchObject([
    { kind: 'escalation', problem: expect.stringContaining('risk-1-1 (task 1): old readers ignore it') },
  ])
})

test('criteria, risks and review note of a sent report are in the review and the manifest', () => {
  expect(released).toMatchObject({ exit: 0, last: { outcome: 'released' } })
  const review = lab.git('show', 'feat/small/working:docs/reviews/small/task-1-review.md')
  expect(review).toContain('adds value 1 as sent')
  expect(review).toContain(
    '- UNTESTED: value 1 is there (`src/m1/value:1`, mapped by the worker, unverified)',
  )
  expect(review).toContain('- Risk: old readers ignore it (critical)')
  const manifest = parse(lab.git('show', `feat/small/working:${released?.last.manifest ?? ''}`)) as {
    readonly risks: readonly object[]
  }
  expect(manifest.risks).toMatchObject([
    { id: 'risk-1-1', status: 'mitigated', accepted_by: 'Ann', reason: 'readers were updated' },
  ])
})
