import { describe, expect, test } from 'vitest'
import {
  aBranch,
  anAudit,
  aReport,
  anIntegrationTest,
  aTask,
  critical,
  low,
  normal,
} from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { SAMPLE_EVENTS } from '../../../test/helpers/sample-events.ts'
import { rejectionReason } from './admit.ts'
import { NO_EVIDENCE } from '../event-schemas/evidence.ts'
import type { EventOf, EventType, PlanEvent } from '../events/plan-events.ts'

const W1 = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
const like = <T extends EventType>(type: T, fields: Partial<EventOf<T>> = {}): PlanEvent => ({
  ...SAMPLE_EVENTS[type],
  ...fields,
})

const begun = (): PlayedPlan => PlayedPlan.begun([normal('1')])
const working = (): PlayedPlan => begun().started('1')
const condemned = (): PlayedPlan => working().pause('stop workers')
const collecting = (): PlayedPlan => working().ended('1')
const gating = (): PlayedPlan => begun().work('1')
const reviewing = (): PlayedPlan => gating().gates('1')
const second = (): PlayedPlan => gating().gates('1', { failed: ['unit'] })
const asked = (): PlayedPlan => begun().work('1', { end: { kind: 'blocked', reason: '?' } })
const failed = (): PlayedPlan =>
  PlayedPlan.begun([low('1')], { settings: { fixAttempts: 0 } })
    .work('1')
    .gates('1', { failed: ['unit'] })
const rejected = (): PlayedPlan =>
  failed()
    .answer('reject', { feedback: '' })
    .tell({ type: 'task.replanned', v: 1, task: '1', recommend: 'rescope', note: '', by: 'rules' })
const approvable = (): PlayedPlan =>
  PlayedPlan.begun([low('1')], { settings: { approval: 'each_task' } })
    .work('1')
    .gates('1')
const wondering = (): PlayedPlan =>
  working().tell(
    like('request.received', {
      ...W1,
      request: { id: 'w-shop-1-1-r1', kind: 'need_help', text: 'how?', priority: 'normal', by: W1.worker },
    }),
  )
const spent = (): PlayedPlan => {
  const budgets = { planUsd: null, taskUsd: null, planTokens: 1000, taskTokens: null }
  const report = aReport({ usage: { tokensIn: 600, tokensOut: 0, usd: null } })
  const tasks = [low('1'), low('2')]
  return PlayedPlan.begun(tasks, { settings: { maxParallelAgents: 1, budgets } }).complete('1', { report })
}
const layered = (): PlayedPlan =>
  PlayedPlan.begun([low('1', { layer: 'core' })], { integration: [anIntegrationTest('it-1', 'core', ['1'])] })
const finished = (): PlayedPlan => PlayedPlan.begun([low('1')]).complete('1')
const released = (): PlayedPlan => finished().releaseGate().tell(like('release.prepared'))

const ended = like('worker.ended', { ...W1, end: { kind: 'done' } })
const collected = like('work.collected', W1)
const verdictsOf = (plan: PlayedPlan) =>
  plan.effect('run_gates').gates.map((gate) => ({
    gate,
    outcome: 'passed' as const,
    summary: '',
    evidence: NO_EVIDENCE,
  }))
const gated = (fields: Partial<EventOf<'task.gated'>> = {}): PlanEvent =>
  like('task.gated', { tree: 'tree-w-shop-1-1', verdicts: verdictsOf(gating()), ...fields })

const bareRun = {
  command: 'npm test',
  tree: 't',
  on: 'tree' as const,
  ending: { kind: 'exited' as const, code: 0 },
  durationMs: 1,
  counts: null,
  keyLines: [],
  outputSha256: null,
  storedAt: null,
  commandSha256: null,
}
const withBareRun = verdictsOf(gating()).map((verdict) => ({
  ...verdict,
  evidence: { ...NO_EVIDENCE, runs: [bareRun] },
}))

/** The rejected event, the state, and the reason. */
const REFUSALS: readonly (readonly [string, () => PlayedPlan, PlanEvent, string])[] = [
  // Workers
  ['the end of a worker of an old attempt', second, ended, 'w-shop-1-1 is no longer the worker of task 1'],
  ['the end of a worker that has ended', collecting, ended, 'w-shop-1-1 is no longer the worker of task 1'],
  [
    'the end of a worker of an unknown task',
    begun,
    like('worker.ended', { ...W1, task: 'x' }),
    'is no longer the worker of task x',
  ],
  ['the start of a worker that is being stopped', condemned, like('worker.started', W1), 'is being stopped'],
  ['a second condemnation', condemned, like('worker.condemned', W1), 'w-shop-1-1 is being stopped'],
  [
    'a second worker for a task in progress',
    working,
    like('task.dispatched', { ...W1, worker: 'w-shop-1-2', attempt: 2 }),
    'task 1 is working',
  ],
  [
    'an attempt that skips one',
    second,
    like('task.dispatched', { ...W1, worker: 'w-shop-1-4', attempt: 4 }),
    'attempt 3 of task 1 has ended',
  ],
  ['a worker for an unknown task', begun, like('task.dispatched', { task: 'x' }), 'no task x'],
  // Proof
  [
    'work of another worker',
    collecting,
    like('work.collected', { ...W1, worker: 'w-shop-1-9' }),
    'the work of task 1 has changed since',
  ],
  ['work that was collected', gating, collected, 'task 1 is gating'],
  ['gates of another tree', gating, gated({ tree: 'other' }), 'the work of task 1 has changed since'],
  ['gates of an old attempt', () => second().work('1'), gated(), 'attempt 1 of task 1 has ended'],
  [
    'some gates where all were due',
    gating,
    gated({ scope: 'failed' }),
    'the work of task 1 has changed since',
  ],
  ['gates of an unknown task', gating, gated({ task: 'x' }), 'no task x'],
  ['a review before the gates', gating, like('task.reviewed'), 'task 1 is gating'],
  [
    'a second reviewer beside the first',
    reviewing,
    like('review.dispatched'),
    'task 1 is not waiting for a review',
  ],
  [
    'a reviewer for a task that is not in review',
    gating,
    like('review.dispatched'),
    'task 1 is not waiting for a review',
  ],
  ['a commit before the review', reviewing, like('task.committed'), 'task 1 is reviewing'],
  ['a commit of an old attempt', second, like('task.committed'), 'attempt 1 of task 1 has ended'],
  ['a second commit', finished, like('task.committed'), 'task 1 is completed'],
  [
    'a refused commit of a task that is not being committed',
    gating,
    like('task.commit_refused'),
    'task 1 is gating',
  ],
  ['a tier for an unknown task', begun, like('task.tier_raised', { task: 'x' }), 'no task x'],
  [
    'a tier that is not higher',
    begun,
    like('task.tier_raised', { tier: 'low' }),
    'task 1 is already normal; a tier can only be raised',
  ],
  ['a new plan for a task that was not rejected', begun, like('task.replanned'), 'task 1 was not rejected'],
  // People
  ['an answer to an item that is not open', begun, like('inbox.answered'), 'E-1 is not open'],
  [
    'an answer that was not offered',
    asked,
    like('inbox.answered', { choice: 'ship it' }),
    'E-1 cannot be answered with ship it',
  ],
  [
    'a second answer',
    () => asked().answer('retry'),
    like('inbox.answered'),
    'E-1 was already answered: ada chose retry',
  ],
  ['a pause as an answer', asked, like('inbox.answered', { choice: 'pause' }), 'pause is not an answer'],
  [
    'an answer to a plan that was cancelled',
    () => asked().cancel(),
    like('inbox.answered'),
    'E-1 is not open',
  ],
  [
    'an override without a reason',
    failed,
    like('inbox.answered', { choice: 'approve', feedback: ' ' }),
    'is recorded in your name and needs a reason',
  ],
  [
    'an override without a name',
    failed,
    like('inbox.answered', { choice: 'approve', feedback: 'known flake', by: ' ' }),
    'is recorded in your name, and no name was given',
  ],
  [
    'a revision of approved work without feedback',
    approvable,
    like('inbox.answered', { id: 'A-1', choice: 'revise', feedback: '' }),
    'revise on A-1 needs your feedback',
  ],
  [
    'a new scope without feedback',
    rejected,
    like('inbox.answered', { id: 'Q-2', choice: 'rescope', feedback: '\n' }),
    'rescope on Q-2 needs your feedback',
  ],
  [
    "an empty answer to a worker's question",
    wondering,
    like('inbox.answered', { id: 'Q-1', choice: 'answer', feedback: '' }),
    'answer on Q-1 needs your feedback',
  ],
  [
    'a raise to less than is used',
    spent,
    like('inbox.answered', { choice: 'raise', feedback: 'tokens=600' }),
    'raise on E-1: 600 tokens is not more than the 600 tokens already used',
  ],
  ['the withdrawal of an item that is not open', begun, like('inbox.withdrawn'), 'E-1 is not open'],
  ['an unknown risk', begun, like('risk.settled'), 'risk risk-1-1 is not open'],
  // The plan
  ['a second registration', begun, like('plan.registered'), 'the plan is already registered'],
  ['a second baseline', begun, like('plan.baselined', { audits: [] }), 'the plan already has a baseline'],
  ['a second pause', () => begun().pause(), like('plan.paused'), 'the plan is already paused'],
  ['a resume without a pause', begun, like('plan.resumed'), 'the plan is not paused'],
  ['a second cancellation', () => begun().cancel(), like('plan.cancelled'), 'the plan is already cancelled'],
  [
    'a task that exists',
    begun,
    like('plan.extended', { tasks: [aTask('1')] }),
    'a task to add already exists',
  ],
  [
    'integration before the layer is done',
    layered,
    like('integration.ran'),
    'integration of core is not due',
  ],
  [
    'integration of another round',
    () => layered().complete('1'),
    like('integration.ran', { round: 2 }),
    'integration of core is not due',
  ],
  [
    'integration of an unknown layer',
    layered,
    like('integration.ran', { layer: 'x' }),
    'integration of x is not due',
  ],
  [
    'a release gate of another round',
    finished,
    like('release.gated', { round: 2 }),
    'no release gate is due',
  ],
  [
    'a release gate after it passed',
    () => finished().releaseGate(),
    like('release.gated'),
    'no release gate is due',
  ],
  ['a release before its gate', finished, like('release.prepared'), 'the release gate has not passed'],
  ['a second release', released, like('release.prepared'), 'the release gate has not passed'],
  ['a sign-off before the release', finished, like('release.signed'), 'no release is waiting for a sign-off'],
  [
    'a second sign-off',
    () => released().answer('sign'),
    like('release.signed'),
    'no release is waiting for a sign-off',
  ],
]

describe('admission rejects', () => {
  test.each(REFUSALS)('%s', (_, plan, event, why) => {
    expect(rejectionReason(plan().state, event)).toContain(why)
  })

  test('a risk that was settled before', () => {
    const report = aReport({ risks: [{ description: 'slow', severity: 'low' }] })
    const plan = PlayedPlan.begun([critical('1')]).complete('1', { report })
    expect(rejectionReason(plan.state, like('risk.settled'))).toBeNull()
    expect(rejectionReason(plan.tell(like('risk.settled')).state, like('risk.settled'))).toBe(
      'risk risk-1-1 is not open',
    )
  })
})

describe('admission rejects events that the fold cannot apply:', () => {
  test.each<[string, PlanEvent]>([
    ['with an unknown task', like('plan.baselined', { audits: [anAudit('x')] })],
    [
      'whose branch touches an unknown task',
      like('plan.baselined', {
        audits: [],
        branches: { noticed: [aBranch('login', 'x')], more: 0, trouble: null },
      }),
    ],
    ['that lists a task twice', like('plan.baselined', { audits: ['1', '1'].map((task) => anAudit(task)) })],
  ])('a baseline %s', (_, event) => {
    expect(rejectionReason(new PlayedPlan([low('1')]).state, event)).not.toBeNull()
  })

  test('new tasks with an unknown dependency', () => {
    const event = like('plan.extended', { tasks: [aTask('x', { dependsOn: ['nowhere'] })] })
    expect(rejectionReason(layered().state, event)).not.toBeNull()
  })

  test('the same new task twice', () => {
    const event = like('plan.extended', { tasks: [aTask('x'), aTask('x')] })
    expect(rejectionReason(layered().state, event)).not.toBeNull()
  })

  test('new tasks for an unknown layer', () => {
    expect(rejectionReason(begun().state, like('plan.extended', { about: 'nowhere' }))).not.toBeNull()
  })
})

describe('admission rejects an incomplete result:', () => {
  test('gates without a verdict for one of them', () => {
    const plan = gating()
    const verdicts = verdictsOf(plan).filter(({ gate }) => gate !== 'tests_to_run')
    expect(rejectionReason(plan.state, gated({ verdicts }))).toContain('no verdict for tests_to_run')
    expect(rejectionReason(plan.state, gated())).toBeNull()
  })

  test('a run without the hash of its command', () => {
    const why = 'the run of npm test has no hash'
    expect(rejectionReason(gating().state, gated({ verdicts: withBareRun }))).toContain(why)
    const release = like('release.gated', { verdicts: withBareRun })
    expect(rejectionReason(finished().state, release)).toContain(why)
    const asked = [{ ...bareRun, commandSha256: 'a'.repeat(64) }]
    const verdicts = withBareRun.map((verdict) => ({ ...verdict, evidence: { ...NO_EVIDENCE, runs: asked } }))
    expect(rejectionReason(gating().state, gated({ verdicts }))).toBeNull()
    const ran = { id: 'it-1', outcome: 'passed' as const, output: '', values: {}, run: bareRun }
    const milestone = like('integration.ran', { results: [ran] })
    expect(rejectionReason(layered().complete('1').state, milestone)).toContain(why)
  })

  test('integration without a result for one of its tests', () => {
    const plan = layered().complete('1')
    expect(rejectionReason(plan.state, like('integration.ran', { results: [] }))).toContain(
      'no result for it-1',
    )
    expect(rejectionReason(plan.state, like('integration.ran'))).toBeNull()
  })
})

test('some events are accepted in every state', () => {
  const always: EventType[] = [
    'word.ignored',
    'progress.reported',
    'effect.failed',
    'pm.started',
    'clock.jumped',
  ]
  for (const type of always) expect(rejectionReason(begun().state, SAMPLE_EVENTS[type])).toBeNull()
})

test('a message is delivered once, and only while it waits', () => {
  const delivered = like('worker.heard', { ...W1, messages: [1] })
  const waiting = working().tell(like('worker.told', W1))
  expect(rejectionReason(working().state, delivered)).toContain('message 1 is not waiting')
  expect(rejectionReason(waiting.state, delivered)).toBeNull()
  expect(rejectionReason(waiting.tell(delivered).state, delivered)).toContain('message 1 is not waiting')
})
