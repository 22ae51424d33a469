import { describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { reviewArtifact } from '../delivery/review-artifact.ts'
import { NO_EVIDENCE, type Evidence } from '../event-schemas/evidence.ts'
import type { GateName } from '../event-schemas/schemas.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'

interface Worked {
  readonly evidence?: Partial<Record<GateName, Partial<Evidence>>>
  readonly changed?: readonly string[]
  readonly settings?: Partial<PlanSettings>
}

/** A low task that passed its gates, with what they found. */
function gated({ evidence = {}, changed = ['src/1.ts'], settings = {} }: Worked): PlayedPlan {
  const plan = PlayedPlan.begun([low('1')], { settings }).work('1', { changed })
  const { attempt, tree, scope, gates } = plan.effect('run_gates', '1')
  const verdicts = gates.map((gate) => ({
    gate,
    outcome: 'passed' as const,
    summary: '',
    evidence: { ...NO_EVIDENCE, ...evidence[gate] },
  }))
  return plan.tell({ type: 'task.gated', v: 2, task: '1', attempt, tree, scope, verdicts })
}

const place = { criterion: '1 works', file: 'src/1.ts', line: 1 }
const byRules = { plan_alignment: { criteria: [{ ...place, by: 'rules' as const }] } }
const byWorker = { plan_alignment: { criteria: [{ ...place, by: 'worker' as const }] } }
const drafted = {
  review_note: { reviewNote: { by: 'rules' as const, summary: 's', risks: [], rollback: 'r' } },
}
const left = { weight: 'review' as const, text: 'removes 2 tests', file: 'a.test.ts', line: 7 }
const found = { integrity: { findings: [left, { ...left, line: 9 }] } }
const many = Array.from({ length: 4 }, (_, at) => `src/1.ts/${at}`)

describe('a low task', () => {
  test('needs no reviewer where its worker mapped the criteria and changed files the plan names', () => {
    expect(gated({ evidence: byWorker }).last('task.reviewed').by).toBe('nobody')
  })

  test('needs no reviewer for tests that it adds beside the files that the plan names', () => {
    const changed = ['src/1.ts', 'test/1.test.ts']
    expect(gated({ evidence: byWorker, changed }).last('task.reviewed').by).toBe('nobody')
  })

  test.each<[string, Worked, string]>([
    ['criteria that the rules mapped', { evidence: byRules }, '1 criterion is mapped by rules alone'],
    ['a review note that the rules drafted', { evidence: drafted }, 'its review note was drafted by rules'],
    [
      'files that the plan does not name',
      { changed: ['src/1.ts', 'src/other.ts'] },
      'it changes files that the plan does not name: src/other.ts',
    ],
    [
      'more files than the patch limit',
      { changed: many, settings: { patchLimitFiles: 3 } },
      'it changes 4 files, more than 3 (pm.patch_size_limit_files)',
    ],
    [
      'findings for review',
      { evidence: { ...byWorker, ...found } },
      'for review: a.test.ts:7 removes 2 tests, and 1 more',
    ],
    [
      'findings for review, although the rules review low work',
      { evidence: found, settings: { reviewLow: 'checks' } },
      'for review: a.test.ts:7 removes 2 tests, and 1 more',
    ],
  ])('with %s gets a reviewer', (_, work, why) => {
    const plan = gated(work)
    expect(plan.task('1').live?.role).toBe('reviewer')
    expect(plan.decisions('1').join('\n')).toContain(why)
  })

  test('whose changed tests and mapped criteria the brain reads needs no reviewer', () => {
    const settings = { brainReviews: true }
    const tested = { weight: 'note' as const, text: 'is protected', file: 'test/1.test.ts', line: 1 }
    const work = { evidence: { ...byRules, ...drafted, integrity: { findings: [tested] } }, settings }
    expect(gated(work).effect('review_artifact', '1').round).toBe(1)
    const settled = { ...tested, file: 'package.json' }
    const other = gated({ ...work, evidence: { integrity: { findings: [settled] } } })
    expect(other.task('1').live?.role).toBe('reviewer')
  })

  test('that the brain was to read and could not gets a reviewer where only a reader can confirm it', () => {
    const settings = { brainReviews: true }
    const plan = gated({ evidence: byRules, settings }).unread('1')
    expect(plan.task('1').live?.role).toBe('reviewer')
    expect(plan.review('1').step('1')).toBe('committing')
    expect(gated({ evidence: byWorker, settings }).unread('1').step('1')).toBe('committing')
  })

  test('with findings for review waits for a person where no agent reviews', () => {
    const settings = { reviewByRules: true }
    const plan = gated({ evidence: found, settings })
    expect([plan.step('1'), plan.all('review.dispatched')]).toEqual(['awaiting_person', []])
    expect(plan.answer('approve').step('1')).toBe('committing')
    const noted = gated({ evidence: { integrity: { findings: [{ ...left, weight: 'note' }] } }, settings })
    expect(noted.step('1')).toBe('committing')
  })

  test('with criteria mapped by rules has them confirmed by its reviewer', () => {
    const artifact = (plan: PlayedPlan): string => reviewArtifact(plan.effect('commit_task', '1'))
    expect(artifact(gated({ evidence: byRules }).review('1'))).toContain(
      '- PASS: 1 works (`src/1.ts:1`, mapped by rules, confirmed by reviewer w-shop-1-1-review-1)',
    )
    const alone = gated({ evidence: byRules, settings: { reviewLow: 'checks' } })
    expect(artifact(alone)).toContain('- UNTESTED: 1 works (`src/1.ts:1`, mapped by rules, unverified)')
  })

  test('is confirmed by the person who approves it', () => {
    const settings = { reviewLow: 'checks', approval: 'each_task' } as const
    const plan = gated({ evidence: byRules, settings }).answer('approve')
    expect(reviewArtifact(plan.effect('commit_task', '1'))).toContain('mapped by rules, confirmed by ada')
  })

  test('with a lock file beside what the plan names needs no reviewer for it', () => {
    expect(gated({ changed: ['src/1.ts', 'package-lock.json'] }).last('task.reviewed').by).toBe('nobody')
  })
})
