/** The effect of reviews on a plan. */
import { expect, test } from 'vitest'
import { critical, low, MISSES_A_CASE, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { reviewArtifact } from '../delivery/review-artifact.ts'

const byRules = { settings: { reviewByRules: true } }

test('where no agent reviews, no reviewer is dispatched, and critical work waits for a person', () => {
  const plan = PlayedPlan.begun([normal('1')], byRules)
    .work('1')
    .gates('1')
  expect([plan.step('1'), plan.last('task.reviewed').by]).toEqual(['committing', 'nobody'])
  const risky = PlayedPlan.begun([critical('1')], byRules)
    .work('1')
    .gates('1')
  expect([risky.step('1'), risky.all('review.dispatched')]).toEqual(['awaiting_person', []])
  expect(risky.answer('approve').step('1')).toBe('committing')
})

test('with a model the brain reads low work, and only its answer is a review', () => {
  const plan = PlayedPlan.begun([low('1')], { settings: { brainReviews: true } })
    .work('1')
    .gates('1')
  expect(plan.all('task.reviewed')).toEqual([])
  const { key, round, attempt } = plan.effect('review_artifact')
  expect([key, round, attempt]).toEqual(['review 1 1 1', 1, 1])
  const issue = {
    severity: 'major',
    description: 'misses a case',
    location: 'src/1.ts:1',
    howToFix: 'add it',
  } as const
  const about = { type: 'task.reviewed', v: 1, task: '1', attempt, round, by: 'openai/gpt' } as const
  plan.tell({ ...about, verdict: 'changes_requested', summary: 'no', issues: [issue] })
  expect(plan.step('1')).not.toBe('committing')
  expect(plan.last('task.dispatched').attempt).toBe(2)
})

test('normal work gets a reviewer although the brain reads low work', () => {
  const plan = PlayedPlan.begun([normal('1')], { settings: { brainReviews: true } })
    .work('1')
    .gates('1')
  expect(plan.all('review.dispatched')).toHaveLength(1)
})

test('findings in the lines of a change make it critical', () => {
  const plan = PlayedPlan.begun([low('1')])
    .started('1')
    .ended('1')
  const scan = { touches: ['changes a schema: src/a.ts:1'], findings: [] }
  plan.left('1', { tree: 'tree', changed: ['src/a.ts'], salvage: 'refs/salvage/x', patch: 'p', scan })
  expect(plan.last('task.tier_raised').reasons).toEqual(['changes a schema: src/a.ts:1'])
  expect(plan.gates('1').task('1').live?.role).toBe('reviewer')
})

test('only work with a migration gets the migrations gate', () => {
  const gates = (changed: string): readonly string[] =>
    PlayedPlan.begun([low('1')])
      .work('1', { changed: [changed] })
      .effect('run_gates').gates
  expect(gates('db/migrations/1_add.sql')).toContain('migrations')
  expect(gates('src/migrations.ts')).not.toContain('migrations')
})

test('source of a migration framework makes no work critical and gets no migrations gate', () => {
  const path = 'lib/migrations/plan.js'
  const collected = (notMigrations: string[]): PlayedPlan => {
    const plan = PlayedPlan.begun([low('1')])
      .started('1')
      .ended('1')
    const scan = { touches: [], findings: [], lines: 1, notMigrations }
    return plan.left('1', { tree: 'tree', changed: [path], salvage: 'refs/salvage/x', patch: 'p', scan })
  }
  const source = collected([path])
  expect([source.task('1').tier, source.effect('run_gates').gates.includes('migrations')]).toEqual([
    'low',
    false,
  ])
  const migration = collected([])
  expect([migration.task('1').tier, migration.effect('run_gates').gates.includes('migrations')]).toEqual([
    'critical',
    true,
  ])
})

test('a reviewer gets the verdicts on the work and the earlier reviews', () => {
  const plan = PlayedPlan.begun([normal('1')])
    .work('1')
    .gates('1')
    .review('1', MISSES_A_CASE)
  plan.work('1').gates('1')
  const { context, role } = plan.effect('start_worker')
  expect([role, context.review?.round, context.review?.tier]).toEqual(['reviewer', 2, 'normal'])
  expect(context.review?.verdicts.map(({ outcome }) => outcome)).toContain('passed')
  expect(context.review?.earlier.map(({ verdict }) => verdict)).toEqual(['changes_requested'])
})

test('the artifact lists every review round, the last one first', () => {
  const plan = PlayedPlan.begun([normal('1')])
    .work('1')
    .gates('1')
    .review('1', MISSES_A_CASE)
  plan.work('1').gates('1').review('1')
  const text = reviewArtifact(plan.effect('commit_task'))
  const rounds = [...text.matchAll(/^Round (\d) on attempt (\d), by `[^`]+`: ([a-z ]+)\./gm)].map((one) =>
    one.slice(1),
  )
  expect(rounds).toEqual([
    ['2', '2', 'approved'],
    ['1', '1', 'changes requested'],
  ])
  expect(text).toContain(`: ${MISSES_A_CASE.description} (\`${MISSES_A_CASE.location}\`)`)
})

test('the authors are remembered over attempts, and a reviewer that is one of them is marked', () => {
  const plan = PlayedPlan.begun([normal('1')])
  const about = { worker: 'w-shop-1-1', task: '1', attempt: 1 }
  plan
    .started('1')
    .tell({ type: 'worker.ended', v: 1, ...about, end: { kind: 'done' }, report: null, agent: 'one' })
  plan.collected('1').gates('1').review('1', MISSES_A_CASE)
  const second = { worker: 'w-shop-1-2', task: '1', attempt: 2 }
  plan
    .started('1')
    .tell({ type: 'worker.ended', v: 1, ...second, end: { kind: 'done' }, report: null, agent: 'two' })
  plan.collected('1').gates('1')
  expect(plan.task('1').draft?.agents).toEqual(['one', 'two'])
  const reviewer = plan.task('1').live?.worker ?? ''
  plan.apply({
    type: 'worker.ended',
    v: 1,
    worker: reviewer,
    task: '1',
    attempt: 2,
    end: { kind: 'done' },
    report: null,
  })
  const review = { by: reviewer, agent: 'one', verdict: 'approved', summary: 'fine' } as const
  plan.tell({ type: 'task.reviewed', v: 1, task: '1', attempt: 2, round: 2, issues: [], ...review })
  expect(plan.task('1').review).toMatchObject({ agent: 'one', isOwnAgent: true })
  expect(reviewArtifact(plan.effect('commit_task'))).toContain('(agent `one`; no other agent was available')
})
