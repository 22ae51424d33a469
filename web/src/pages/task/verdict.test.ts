import { expect, test } from 'vitest'
import type { TaskAnswer } from '../../../../src/protocol/task-answer.ts'
import { gatedWords, gateWords, verdictLine } from './verdict.ts'

const gate = (
  name: string,
  outcome: TaskAnswer['gates'][number]['outcome'],
): TaskAnswer['gates'][number] => ({
  gate: name,
  title: name,
  outcome,
  summary: '',
  findings: [],
  runs: [],
})

const task = (fields: Partial<TaskAnswer>): TaskAnswer =>
  ({
    status: 'completed',
    stage: 'completed',
    attempt: 1,
    gates: [],
    reviews: [],
    criteria: [],
    contract: { depends_on: [] },
    record: { commit_sha: 'a'.repeat(40) },
    ...fields,
  }) as unknown as TaskAnswer

test('gates that failed or could not be checked are named before those that passed', () => {
  const gates = [gate('unit', 'failed'), gate('lint_typecheck', 'passed'), gate('e2e', 'inconclusive')]
  expect(gateWords(gates)).toBe('1 gate failed (unit tests), 1 could not be checked (e2e), 1 gate passed.')
})

test('a committed task with a gate that could not be checked is not green', () => {
  expect(verdictLine(task({ gates: [gate('unit', 'passed')] })).tone).toBe('ok')
  expect(verdictLine(task({ gates: [gate('unit', 'inconclusive')] })).tone).toBe('unknown')
})

test('a task that waits for a person says so first', () => {
  const { text, tone } = verdictLine(task({ status: 'in_progress', stage: 'awaiting_person' }))
  expect([text, tone]).toEqual(['Waits for your approval.', 'warn'])
})

test('gates are of the attempt that they ran on, not of the one that reworks it', () => {
  const gates = [gate('unit', 'failed')]
  expect(gatedWords(task({ attempt: 2, gated_attempt: 1, gates }))).toBe(
    'observed on attempt 1, not yet on 2',
  )
  expect(gatedWords(task({ attempt: 2, gated_attempt: 2, gates }))).toBe('observed on attempt 2')
  expect(gatedWords(task({ attempt: 2, gated_attempt: null }))).toBe('not run yet')
})

test('a task that waits names what is not done yet, by title', () => {
  const blocked_by = ['Add the basket', 'Add the till', 'Add the receipt'].map((title, at) => ({
    id: `${at}`,
    title,
  }))
  const waits = (count: number): string =>
    verdictLine(task({ status: 'pending', stage: 'pending', blocked_by: blocked_by.slice(0, count) })).text
  expect(waits(1)).toBe('Waits for “Add the basket”.')
  expect(waits(2)).toBe('Waits for “Add the basket” and “Add the till”.')
  expect(waits(3)).toBe('Waits for “Add the basket”, “Add the till” and 1 more.')
})

test('a person who approves reads first how many criteria are confirmed', () => {
  const criteria = [{ criterion: 'it is there', word: 'UNTESTED', place: null, by: null, why: '' }] as const
  const waiting = task({
    status: 'in_progress',
    stage: 'awaiting_person',
    criteria: [...criteria],
    gates: [gate('unit', 'passed')],
  })
  expect(verdictLine(waiting).text).toBe('Waits for your approval. 0 of 1 criteria confirmed. 1 gate passed.')
})
