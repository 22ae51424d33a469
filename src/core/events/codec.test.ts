import { expect, test } from 'vitest'
import { checkEvent } from './codec.ts'
import { NO_EVIDENCE } from './evidence.ts'

const first = { gate: 'unit', outcome: 'failed', evidence: 'two tests fail' }

test('a verdict of the first version keeps its line as the summary', () => {
  const about = { task: '1', attempt: 1, tree: 't', scope: 'all' }
  expect(checkEvent({ type: 'task.gated', v: 1, ...about, verdicts: [first] })).toEqual({
    type: 'task.gated',
    v: 2,
    ...about,
    verdicts: [{ gate: 'unit', outcome: 'failed', summary: 'two tests fail', evidence: NO_EVIDENCE }],
  })
})

test('a broken verdict of the first version is still refused', () => {
  const event = { type: 'release.gated', v: 1, round: 1, tree: 't', verdicts: ['passed'] }
  expect(() => checkEvent(event)).toThrow('release.gated is broken')
})

test('a report from before criteria were kept has none', () => {
  const report = {
    explanation: '',
    selfAssessment: 'confident',
    blockers: [],
    risks: [],
    reviewNote: null,
  }
  const ended = { worker: 'w-a-1', task: '1', attempt: 1, end: { kind: 'done' }, report }
  expect(checkEvent({ type: 'worker.ended', v: 1, ...ended })).toMatchObject({ report: { criteria: [] } })
})
