import { describe, expect, test } from 'vitest'
import { low, normal } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import type { GateName } from '../../event-schemas/schemas.ts'
import { verdict } from '../../gates/verdicts.ts'
import { gateLine } from '../verdicts.ts'
import { ALWAYS_GATES, MANDATORY_GATES } from '../../planning/gates.ts'

const ALL = [...MANDATORY_GATES, ...ALWAYS_GATES, 'unit', 'lint']
const worked = (): PlayedPlan => PlayedPlan.begun([low('1')]).work('1')
const run = (plan: PlayedPlan) => plan.effect('run_gates')

const SMOKE = { kind: 'command', name: 'smoke', command: 'sh smoke.sh' } as const

test("an author's gate runs first in a retry, and with all others before the pass is final", () => {
  const smoke = 'smoke' as GateName
  const plan = PlayedPlan.begun([low('1', { ownGates: [SMOKE] })]).work('1')
  expect(run(plan).gates).toEqual([...ALL, 'smoke'])
  plan.gates('1', { failed: [smoke] }).work('1')
  expect([run(plan).scope, run(plan).gates]).toEqual(['failed', ['smoke']])
  plan.gates('1')
  expect([run(plan).scope, run(plan).gates]).toEqual(['all', [...ALL, 'smoke']])
  expect(plan.gates('1').step('1')).toBe('committing')
})

test('held-out checks are a gate where the task has some', () => {
  const plan = PlayedPlan.begun([low('1', { heldOut: ['node check.js'] })]).work('1')
  expect(run(plan).gates).toEqual([...ALL, 'held_out'])
})

describe('gates', () => {
  test('the six mandatory ones and integrity always run, then those of the task', () => {
    expect(run(worked())).toMatchObject({ scope: 'all', gates: ALL, tree: 'tree-w-shop-1-1' })
    expect(run(PlayedPlan.begun([low('1', { gates: [] })]).work('1')).gates).toEqual([
      ...MANDATORY_GATES,
      ...ALWAYS_GATES,
    ])
  })

  test('after a fix only those that failed run first', () => {
    const plan = worked()
      .gates('1', { failed: ['unit', 'review_note'] })
      .work('1')
    expect(run(plan)).toMatchObject({ scope: 'failed', gates: ['review_note', 'unit'] })
  })

  test('everything runs once more before a pass is final', () => {
    const plan = worked()
      .gates('1', { failed: ['unit'] })
      .work('1')
      .gates('1')
    expect([plan.step('1'), run(plan).scope, run(plan).gates]).toEqual(['gating', 'all', ALL])
    expect(plan.gates('1').step('1')).toBe('committing')
  })

  test('a gate that breaks in the last run is fixed next', () => {
    const plan = worked()
      .gates('1', { failed: ['unit'] })
      .work('1')
      .gates('1')
      .gates('1', { failed: ['lint'] })
    expect(plan.task('1').cause).toEqual({ kind: 'gates_failed', gates: ['lint'] })
    expect(run(plan.work('1')).gates).toEqual(['lint'])
  })

  test('a failed gate counts, whatever else is inconclusive', () => {
    const plan = worked().gates('1', { failed: ['unit'], inconclusive: ['lint'] })
    expect(plan.task('1').cause).toEqual({ kind: 'gates_failed', gates: ['unit'] })
  })

  test('the task takes as long as from its first worker to its passed gates', () => {
    const plan = PlayedPlan.begun([low('1')])
    plan.pass(7).work('1').pass(3).gates('1')
    expect(plan.task('1').durationMs).toBe(10)
  })
})

describe('an inconclusive gate', () => {
  const unsure = { inconclusive: ['unit' as const] }

  test('is never green: all is run again, on the same tree', () => {
    const plan = worked().gates('1', unsure)
    expect([plan.step('1'), plan.task('1').attempt, run(plan).scope]).toEqual(['gating', 1, 'all'])
  })

  test('has a new effect key for each run', () => {
    const plan = worked()
    const first = run(plan).key
    expect(run(plan.gates('1', unsure)).key).not.toBe(first)
  })

  test('is run again twice, then a person is asked', () => {
    const plan = worked().gates('1', unsure).gates('1', unsure)
    expect(plan.step('1')).toBe('gating')
    plan.gates('1', unsure)
    expect([plan.step('1'), plan.item().problem]).toEqual([
      'escalated',
      'task 1 (Do 1): unit tests could not be checked: unit inconclusive',
    ])
  })

  test('uses no fix attempt, and is forgotten once it could run', () => {
    const plan = worked().gates('1', unsure).gates('1', unsure).gates('1')
    expect([plan.step('1'), plan.task('1').counters.fixes, plan.task('1').counters.inconclusive]).toEqual([
      'committing',
      0,
      0,
    ])
  })

  test('keeps the failed gates first when it was one of them', () => {
    const plan = worked()
      .gates('1', { failed: ['unit'] })
      .work('1')
      .gates('1', unsure)
    expect(run(plan)).toMatchObject({ scope: 'failed', gates: ['unit'] })
  })
})

describe('the tier', () => {
  const migrated = { changed: ['src/1.ts', 'db/migrations/002_more.sql'] }

  test('is raised to critical by the actual change, before any gate runs', () => {
    const plan = PlayedPlan.begun([low('1')]).work('1', migrated)
    expect(plan.task('1').tier).toBe('critical')
    expect(plan.decisions('1').at(-1)).toMatch(/^tier raised to critical: .*migration/)
    expect(plan.owes('run_gates')).toBe(true)
  })

  test('once raised, requires a reviewer and a person, as for any critical task', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { approval: 'critical' } })
      .work('1', migrated)
      .gates('1')
    expect(plan.task('1').live?.role).toBe('reviewer')
    expect(plan.review('1').step('1')).toBe('awaiting_person')
  })

  test('once raised, keeps other tasks from starting beside it', () => {
    const tasks = ['1', '2', '3', '4'].map((id) => low(id))
    const plan = PlayedPlan.begun(tasks, { settings: { maxParallelAgents: 2 } })
    plan.work('1', migrated).ended('2')
    expect([plan.step('3'), plan.step('4')]).toEqual(['launching', 'ready'])
  })

  test('once raised, is passed on to dependents in the same area before they start', () => {
    const shared = { ownership: 'src/store', dependsOn: ['1'] }
    const plan = PlayedPlan.begun([
      low('1', { ownership: 'src/store' }),
      low('2', shared),
      low('3', { dependsOn: ['1'] }),
    ])
    plan.complete('1', migrated)
    expect(plan.task('2').tier).toBe('critical')
    expect(plan.decisions('2').find((text) => text.startsWith('tier raised'))).toMatch(/depends on task 1/)
    expect(plan.task('3').tier, 'another area').toBe('low')
  })

  test('as planned by the author is not passed on', () => {
    const shared = { ownership: 'src/store', dependsOn: ['1'] }
    const plan = PlayedPlan.begun([low('1', { tier: 'critical', ownership: 'src/store' }), low('2', shared)])
    expect(plan.complete('1').task('2').tier).toBe('low')
  })

  test('is not raised twice, and never lowered', () => {
    const plan = PlayedPlan.begun([normal('1', { tier: 'critical' })]).work('1', migrated)
    expect(plan.all('task.tier_raised')).toEqual([])
  })
})

describe('an approved change before which something else landed', () => {
  const overtaken = (): PlayedPlan =>
    PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1')
      .review('1')
      .overtaken('1')

  test('is proven again, and not reviewed again while it is the same change', () => {
    const plan = overtaken().collected('1')
    expect(plan.step('1')).toBe('gating')
    expect(plan.gates('1').step('1')).toBe('committing')
    expect(plan.effect('commit_task').review).toMatchObject({ round: 1, verdict: 'approved' })
    expect(plan.all('review.dispatched')).toHaveLength(1)
  })

  test('is reviewed again when it is another change', () => {
    const plan = overtaken().collected('1', ['src/1.ts'], 'patch-1 on top of other lines')
    expect(plan.gates('1').step('1')).toBe('reviewing')
    expect(plan.all('review.dispatched')).toHaveLength(2)
  })

  test('is reviewed again when it cannot be identified', () => {
    const plan = PlayedPlan.begun([normal('1')])
      .started('1')
      .ended('1')
    const unnamed = { tree: 't', changed: ['src/1.ts'], salvage: 'refs/salvage/x' }
    plan.left('1', unnamed).gates('1').review('1').overtaken('1').left('1', unnamed)
    expect(plan.gates('1').step('1')).toBe('reviewing')
  })

  test("goes back to a fixer where a gate fails on the new base, and the fixer's work is reviewed", () => {
    const plan = overtaken()
      .collected('1')
      .gates('1', { failed: ['unit'] })
    plan.work('1').gates('1').gates('1')
    expect(plan.step('1')).toBe('reviewing')
  })

  test('is not shown again to a person who approved it', () => {
    const plan = PlayedPlan.begun([low('1')], { settings: { approval: 'each_task' } })
    plan.work('1').gates('1').answer('approve').overtaken('1').collected('1')
    expect(plan.gates('1').step('1')).toBe('committing')
    expect(plan.all('inbox.opened')).toHaveLength(1)
  })
})

describe('an approved change on another base', () => {
  const again = (first: string[], then: string[]): PlayedPlan =>
    PlayedPlan.begun([normal('1')])
      .work('1')
      .gates('1', { forReview: first })
      .review('1')
      .overtaken('1')
      .collected('1')
      .gates('1', { forReview: then })

  test('stays approved where its gates leave nothing new to review', () => {
    expect(again(['removes a test'], ['removes a test']).step('1')).toBe('committing')
    expect(again(['removes a test'], []).step('1')).toBe('committing')
  })

  test('is read again where its gates found something since', () => {
    const plan = again(['removes a test'], ['removes a test', 'is gone: adds'])
    expect([plan.step('1'), plan.task('1').live?.role]).toEqual(['reviewing', 'reviewer'])
  })
})

test('gates that failed for one reason are named together, with the reason once', () => {
  const failed = (gate: GateName, summary: string) => verdict(gate, 'failed', summary)
  expect(
    gateLine([
      failed('tests_to_run', 'adds fails'),
      failed('lint', '2 errors'),
      failed('unit', 'adds fails'),
    ]),
  ).toBe('tests_to_run, unit failed (adds fails); lint failed (2 errors)')
})
