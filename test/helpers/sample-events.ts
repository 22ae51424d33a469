/** One event of every type, with every field filled. */
import { NO_EVIDENCE } from '../../src/core/events/evidence.ts'
import type { EventOf, EventType } from '../../src/core/events/plan-events.ts'
import { anIntegrationTest, aRegistration, aReport, aTask, MISSES_A_CASE } from './plan-builder.ts'

const v = 1 as const
const task = '1'
const attempt = 1
const worker = { worker: 'w-shop-1-1', task, attempt }
const verdicts: EventOf<'task.gated'>['verdicts'] = [
  { gate: 'plan_alignment', outcome: 'passed', summary: 'src/1.ts:1', evidence: NO_EVIDENCE },
  { gate: 'unit', outcome: 'not_applicable', summary: 'no tests', evidence: NO_EVIDENCE },
]

export const SAMPLE_EVENTS: { readonly [T in EventType]: EventOf<T> } = {
  'plan.registered': aRegistration([aTask('1', { layer: 'core' }), aTask('2', { dependsOn: ['1'] })], {
    integration: [
      { ...anIntegrationTest('it-1', 'core', ['1']), reference: { energy: { value: -1.17, abs: 1e-6 } } },
    ],
  }),
  'plan.documented': {
    type: 'plan.documented',
    v,
    text: '# Shop',
    sha256: 'a'.repeat(64),
    settings: { approval: 'release' },
    environment: { test: 'npm test' },
  },
  'plan.baselined': {
    type: 'plan.baselined',
    v,
    sha: 'base',
    contextBlock: 'a shop',
    failing: ['cart > adds'],
    existing: [{ task, evidence: 'src/1.ts is there' }],
  },
  'plan.paused': { type: 'plan.paused', v, by: 'ada', reason: 'lunch', stopWorkers: true },
  'plan.resumed': { type: 'plan.resumed', v, by: 'ada' },
  'plan.cancelled': { type: 'plan.cancelled', v, by: 'ada', reason: 'not needed' },
  'plan.extended': { type: 'plan.extended', v, because: 'integration', about: 'core', tasks: [aTask('x')] },
  'task.replanned': { type: 'task.replanned', v, task, recommend: 'drop', note: 'leave it', by: 'rules' },
  'task.tier_raised': { type: 'task.tier_raised', v, task, tier: 'critical', reasons: ['a migration'] },
  'task.dispatched': {
    type: 'task.dispatched',
    v,
    ...worker,
    role: 'developer',
    reason: 'first',
    why: 'next',
  },
  'task.gated': { type: 'task.gated', v: 2, task, attempt, tree: 't', scope: 'all', verdicts },
  'task.reviewed': {
    type: 'task.reviewed',
    v,
    task,
    attempt,
    round: 1,
    by: 'w-shop-1-1-review-1',
    verdict: 'changes_requested',
    summary: 'not yet',
    issues: [MISSES_A_CASE],
  },
  'task.committed': {
    type: 'task.committed',
    v,
    task,
    attempt,
    tree: 't',
    sha: 's',
    branch: 'feat/shop/working',
    tag: 'pm/shop/checkpoint-task-1',
    artifacts: ['docs/reviews/task-1-review.md'],
  },
  'task.commit_refused': { type: 'task.commit_refused', v, task, attempt, reason: 'both changed a file' },
  'review.dispatched': { type: 'review.dispatched', v, ...worker, round: 1 },
  'worker.started': { type: 'worker.started', v, ...worker },
  'worker.condemned': { type: 'worker.condemned', v, ...worker, cause: 'stalled', why: 'no sign of life' },
  'worker.ended': {
    type: 'worker.ended',
    v,
    ...worker,
    end: { kind: 'limited', until: 1_767_603_600_000 },
    report: aReport({ risks: [{ description: 'slow under load', severity: 'low' }] }),
  },
  'word.ignored': { type: 'word.ignored', v, from: 'w-shop-1-1', about: 'its end', why: 'it is over' },
  'work.collected': {
    type: 'work.collected',
    v,
    ...worker,
    tree: 't',
    changed: ['src/1.ts'],
    salvage: 'ref',
  },
  'inbox.opened': {
    type: 'inbox.opened',
    v,
    item: {
      id: 'E-1',
      kind: 'escalation',
      subject: 'task',
      about: task,
      task,
      problem: 'it fails',
      impact: 'nothing goes on',
      options: [{ key: 'retry', label: 'try again' }],
      recommended: 'retry',
      blocking: true,
    },
  },
  'inbox.presented': { type: 'inbox.presented', v, id: 'E-1' },
  'inbox.withdrawn': { type: 'inbox.withdrawn', v, id: 'E-1', why: 'it worked in the end' },
  'inbox.answered': { type: 'inbox.answered', v, id: 'E-1', choice: 'retry', feedback: '', by: 'ada' },
  'risk.settled': {
    type: 'risk.settled',
    v,
    risk: 'risk-1-1',
    status: 'accepted',
    by: 'ada',
    reason: 'known',
  },
  'integration.ran': {
    type: 'integration.ran',
    v: 2,
    layer: 'core',
    round: 1,
    tree: 'tip',
    results: [{ id: 'it-1', outcome: 'failed', output: 'energy is off', values: { energy: 2 }, run: null }],
  },
  'integration.diagnosed': {
    type: 'integration.diagnosed',
    v,
    layer: 'core',
    round: 1,
    diagnoses: [{ test: 'it-1', culprit: '1', words: 'fails since task 1', probes: [] }],
  },
  'release.gated': { type: 'release.gated', v: 2, round: 1, tree: 'tip', verdicts },
  'release.prepared': { type: 'release.prepared', v, sha: 'r', manifest: 'docs/releases/shop-release.yaml' },
  'release.signed': { type: 'release.signed', v, by: 'ada' },
  'progress.reported': { type: 'progress.reported', v, why: '3 tasks completed', text: 'PROGRESS' },
  'effect.failed': { type: 'effect.failed', v, effect: 'commit 1 1', reason: 'the disk is full' },
  'pm.started': { type: 'pm.started', v, boot: 'boot-1', offsetMs: -5 },
  'clock.jumped': { type: 'clock.jumped', v, byMs: -3_600_000 },
}
