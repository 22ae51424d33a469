import { describe, expect, test } from 'vitest'
import { low, MISSES_A_CASE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { inboxItemSchema, type Cause, type InboxItem } from '../../event-schemas/schemas.ts'
import {
  approvalItem,
  effectEscalation,
  rejectionQuestion,
  releaseGateEscalation,
  riskEscalation,
  taskEscalation,
} from './inbox-items.ts'
import { signOffItem } from './release-items.ts'

const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })])
const { state } = plan
const task = plan.task('1')

const CAUSES: readonly Cause[] = [
  { kind: 'gates_failed', gates: ['unit'] },
  { kind: 'gates_inconclusive', gates: ['unit'] },
  { kind: 'changes_requested', issues: [MISSES_A_CASE] },
  { kind: 'nothing_done' },
  { kind: 'lost', reason: 'exit code 1' },
  { kind: 'interrupted', reason: 'its supervisor died' },
  { kind: 'limited', until: 1 },
  { kind: 'stopped_for_pause' },
  { kind: 'blocked', reason: 'which?' },
  { kind: 'unclear', questions: ['which?'] },
  { kind: 'conflict', reason: 'both changed a file' },
  { kind: 'reviewer_lost', reason: 'exit code 1' },
]

const RISK = {
  id: 'risk-1-1',
  description: 'slow',
  severity: 'critical',
  sourceTask: '1',
  status: 'open',
  acceptedBy: null,
  acceptedAt: null,
  reason: null,
} as const

const ITEMS: readonly (readonly [string, InboxItem])[] = [
  ...CAUSES.map((cause) => [cause.kind, taskEscalation(state, task, cause)] as const),
  ['an approval', approvalItem(state, task)],
  ['a rejection', rejectionQuestion(state, task, { recommend: 'drop', parts: [], note: 'leave it?' })],
  ['risks', riskEscalation(state, [RISK, { ...RISK, description: 'slower' }])],
  ['the release gate', releaseGateEscalation(state)],
  [
    'an effect',
    effectEscalation(
      state,
      { kind: 'report_progress', key: 'report 1', why: '', text: '' },
      'the disk is full',
    ),
  ],
  ['the sign-off', signOffItem(state)],
]

describe.each(ITEMS)('the inbox item about %s', (_, item) => {
  test('states a problem and an impact', () => {
    expect(inboxItemSchema.parse(item)).toEqual(item)
    expect([item.problem, item.impact]).not.toContain('')
  })

  test('recommends one of its options and lists none twice', () => {
    const keys = item.options.map(({ key }) => key)
    expect(keys).toContain(item.recommended)
    expect(new Set(keys).size).toBe(keys.length)
  })
})

test.each(CAUSES)('a task stopped by $kind is asked about with two or three options', (cause) => {
  const { options } = taskEscalation(state, task, cause)
  expect(options.length).toBeGreaterThanOrEqual(2)
  expect(options.length).toBeLessThanOrEqual(3)
})

test('no option of a task accepts work that was not proven, reviewed or seen', () => {
  for (const kind of ['nothing_done', 'lost', 'blocked', 'conflict'] as const) {
    const cause = CAUSES.find((one) => one.kind === kind)
    if (cause === undefined) throw new Error(kind)
    expect(taskEscalation(state, task, cause).options.map(({ key }) => key)).not.toContain('approve')
  }
})

test('an item id has the letter of its kind and a running number', () => {
  expect(ITEMS.slice(-6).map(([, { id }]) => id)).toEqual(['A-1', 'Q-1', 'E-1', 'E-1', 'E-1', 'R-1'])
})

test('the impact of an approval names the tasks that wait for its area, and no others', () => {
  const each = { settings: { approval: 'each_task' } } as const
  const plan = PlayedPlan.begun(
    [low('1', { ownership: 'src/a' }), low('2', { ownership: 'src/a/b' }), low('3', { ownership: 'src/c' })],
    each,
  )
  plan.work('1').gates('1')
  expect(plan.item('1').impact).toBe('task 1 stays open; 2 waits for its area (src/a)')
  plan.work('3').gates('3')
  expect(plan.item('3').impact).toBe('task 3 stays open; nothing else depends on it')

  const both = PlayedPlan.begun(
    [low('1', { ownership: '.' }), low('2', { dependsOn: ['1'] }), low('3'), low('4')],
    each,
  )
  both.work('1').gates('1')
  expect(both.item('1').impact).toBe('task 1 and its dependents (2) are blocked; 3, 4 wait for its area (.)')
})

test('the impact names at most five dependents of the task', () => {
  expect(approvalItem(state, task).impact).toBe('task 1 and its dependents (2) are blocked')
  const many = PlayedPlan.begun([
    low('1'),
    ...Array.from({ length: 9 }, (_, at) => low(`d${at}`, { dependsOn: ['1'] })),
  ])
  expect(approvalItem(many.state, many.task('1')).impact).toContain('(d0, d1, d2, d3, d4 and 4 more)')
  expect(approvalItem(state, plan.task('2')).impact).toBe('task 2 stays open; nothing else depends on it')
})

test('an approval of work whose gates were overridden does not say that they passed', () => {
  const tree = 'a'.repeat(40)
  const overrides = [{ what: 'unit', by: 'Ann', reason: 'flaky', at: 1, tree }]
  const draft = { ...task.draft, tree } as NonNullable<typeof task.draft>
  expect(approvalItem(state, { ...task, draft, overrides }).problem).toContain(
    'passed its review, unit overridden by Ann, and waits for your approval',
  )
  // It was of work that has changed since.
  const changed = { ...draft, tree: 'b'.repeat(40) }
  expect(approvalItem(state, { ...task, draft: changed, overrides }).problem).toContain('passed its gates')
})
