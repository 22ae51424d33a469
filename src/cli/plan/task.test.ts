import { expect, test } from 'vitest'
import type { TaskAnswer } from '../../protocol/task-answer.ts'
import { styleOf } from '../terminal/terminal.ts'
import { taskText } from './task.ts'

const CONTRACT = {
  description: '',
  acceptance_criteria: [],
  requirements: [],
  files: { create: [], modify: [], delete: [] },
  depends_on: [],
  tests_to_add: [],
  tests_to_run: [],
  non_goals: [],
  gates: [],
  inferred: [],
  held_out: 0,
  ownership: 'src',
  time_budget_ms: 1000,
}

function gateLinesOf(gates: TaskAnswer['gates']): readonly string[] {
  const record = { commit_sha: null, retry_count: 0, duration_ms: null, artifacts: [], known_risks: [] }
  const task = {
    plan: 'shop',
    id: '1',
    title: 'Add it',
    stage: 'gates',
    status: 'gates',
    tier: 'low',
    attempt: 1,
    gated_attempt: null,
    usage: { tokens: 0, usd: null },
    thinking: null,
  }
  const none = {
    attempts: [],
    reviews: [],
    decisions: [],
    usage: { tokens: 0, usd: null },
    thinking: null,
    gated_attempt: 1,
  }
  const answer = { ...task, ...none, contract: CONTRACT, gates, record: { ...record, review_notes: null } }
  const lines = taskText(answer as never, styleOf('plain')).split('\n')
  const from = lines.indexOf('gates') + 1
  return lines.slice(from, lines.indexOf('', from))
}

test('a finding is shown once, and not where the summary of its gate says it', () => {
  const of = (gate: string, summary: string, findings: TaskAnswer['gates'][number]['findings']) =>
    ({ gate, outcome: 'passed', summary, findings, runs: [] }) as never
  const finding = (text: string, file: string | null = null) =>
    ({ text, file, line: null, blocks: false }) as never
  expect(
    gateLinesOf([
      of('tests_to_add', '1 test file; red on the base', [finding('red on the base')]),
      of('tests_to_run', '2 of 3 tests passed', [finding('failed before: a'), finding('skipped', 'a.js')]),
      of('unit', '2 of 3 tests passed', [finding('failed before: a'), finding('slow')]),
      of('integrity', 'skipped tests are for review', [finding('skipped', 'b.js')]),
    ]),
  ).toEqual([
    '  tests_to_add  passed: 1 test file; red on the base',
    '  tests_to_run  passed: 2 of 3 tests passed',
    '    failed before: a',
    '    a.js: skipped',
    '  unit  passed: 2 of 3 tests passed',
    '    slow',
    '  integrity  passed: skipped tests are for review',
    '    b.js: skipped',
  ])
})
