import { describe, expect, test } from 'vitest'
import { aTask, HOUR, low, MISSES_A_CASE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { REQUEST_KINDS } from '../../event-schemas/requests.ts'
import type { Cause, InboxItem } from '../../event-schemas/schemas.ts'
import type { AskedRequest, LiveWorker } from '../../state/state.ts'
import { checksQuestion } from './checks-question.ts'
import { consequenceOf } from './consequences.ts'
import * as items from './inbox-items.ts'
import { nextPlanQuestion } from './plan-questions.ts'
import { breakerEscalation, providerAlert, requestItem } from './request-items.ts'
import { completenessEscalation, nothingBuiltQuestion, signOffItem } from './release-items.ts'

const plan = PlayedPlan.begun([low('1', { timeBudgetMs: HOUR }), low('2', { dependsOn: ['1'] })]).started('1')
const { state } = plan
const task = plan.task('1')
const live = task.live as LiveWorker

const CAUSES: readonly Cause[] = [
  { kind: 'gates_failed', gates: ['unit'] },
  { kind: 'gates_inconclusive', gates: ['unit'] },
  { kind: 'changes_requested', issues: [MISSES_A_CASE] },
  { kind: 'nothing_done' },
  { kind: 'lost', reason: 'exit code 1' },
  { kind: 'interrupted', reason: 'its supervisor died' },
  { kind: 'limited', until: 1 },
  { kind: 'stopped_for_pause' },
  { kind: 'restarted' },
  { kind: 'blocked', reason: 'which?' },
  { kind: 'unclear', questions: ['which?'] },
  { kind: 'conflict', reason: 'both changed a file' },
  { kind: 'refused', reason: 'it names .git' },
  { kind: 'reviewer_lost', reason: 'exit code 1' },
  { kind: 'over_budget', reason: 'it used $9' },
  { kind: 'looping', reason: 'the same call again' },
  { kind: 'plan_edited' },
]

const asked = (fields: Partial<AskedRequest>): AskedRequest => ({
  id: 'w-shop-1-1-r1',
  kind: 'need_help',
  text: 'how?',
  priority: 'normal',
  by: live.worker,
  at: 0,
  reply: null,
  answer: null,
  specialist: null,
  ...fields,
})

const trial = { check: 'lint', state: 'red', command: 'npm run lint', why: '3 problems' } as const
const parked = { why: 'a limit', signIn: undefined, waiting: 1 }

const ITEMS: readonly InboxItem[] = [
  ...CAUSES.map((cause) => items.taskEscalation(state, task, cause)),
  items.workerAlert(state, task, { worker: live.worker, why: 'silent', issue: 'stalled' }),
  items.takeoverItem(state, task),
  items.approvalItem(state, task),
  items.rejectionQuestion(state, task, {
    recommend: 'drop',
    note: 'leave it?',
    parts: [aTask('1a'), aTask('1b')],
  }),
  items.riskEscalation(state, []),
  items.budgetEscalation(state, 'the limit is $5'),
  items.releaseGateEscalation(state),
  items.effectEscalation(state, { kind: 'report_progress', key: 'r', why: '', text: '' }, 'no disk'),
  signOffItem(state),
  providerAlert(state, 'claude', parked),
  providerAlert(state, 'claude', { ...parked, signIn: 'run claude login' }),
  breakerEscalation(state, {
    signature: 's',
    tasks: ['1'],
    times: 3,
    reason: 'no disk',
    probes: 0,
    probe: null,
    probeAt: 0,
    over: null,
  }),
  nothingBuiltQuestion(PlayedPlan.begun([low('1')]).state),
  nothingBuiltQuestion(new PlayedPlan([low('1')]).baseline('1').state),
  completenessEscalation(state, []),
  checksQuestion(state, [trial, { ...trial, check: 'setup', state: 'cannot_run' }]),
  ...[...REQUEST_KINDS, 'permission' as const].map((kind) =>
    requestItem(state, task, { live, request: asked({ kind }), otherwise: 'it waits' }),
  ),
  requestItem(state, task, {
    live,
    request: asked({ kind: 'need_resources', tokens: 5 }),
    otherwise: 'it waits',
  }),
]

test.each(ITEMS.map((item) => [`${item.kind} about a ${item.subject} (${item.id})`, item] as const))(
  'every option of the %s says what happens',
  (_, item) => {
    for (const { key, label } of item.options) {
      const text = consequenceOf(state, item, key)
      expect(text, `${item.subject} ${key}`).toMatch(/^\S.*\.$/)
      expect(text).not.toBe(label)
    }
  },
)

test('a choice that the plan names says what the worker gets', () => {
  const question = {
    kind: 'alternatives',
    words: 'either red or blue',
    line: 3,
    choices: ['red', 'blue'],
  } as const
  const open = PlayedPlan.begun([low('1', { questions: [question] }), low('2', { questions: [question] })])
  const item = nextPlanQuestion({ ...open.state, inbox: new Map() }) as InboxItem
  const texts = item.options.map(({ key }) => consequenceOf(open.state, item, key))
  expect(texts[1]).toBe('The worker gets "blue" as your decision, and the task can start.')
  for (const text of texts) expect(text).toMatch(/\.$/)
})

describe('the consequence', () => {
  const approval = items.approvalItem(state, task)
  const text = (key: string): string => consequenceOf(state, approval, key)

  test('of an approval names the tasks that can start', () =>
    expect(text('approve')).toBe(
      "Its work is committed to the plan's branch; 1 dependent task can start then.",
    ))

  test('of a revision counts it, and says that the plan pauses when too many were made', () => {
    expect(text('revise')).toContain('(revision 1 of 3)')
    const worn = PlayedPlan.begun([low('1')])
    worn.task('1').counters = { ...worn.task('1').counters, revisions: 3 }
    expect(consequenceOf(worn.state, approval, 'revise')).toContain('The plan pauses')
  })

  test('of an option in an older log is its label', () => {
    const old = { ...approval, options: [{ key: 'ship', label: 'ship it' }] }
    expect(consequenceOf(state, old, 'ship')).toBe('ship it')
  })
})
