import { describe, expect, test } from 'vitest'
import { low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { decisionsIn } from '../../state/decision-log.ts'
import { NO_EVIDENCE, type Finding } from '../../event-schemas/evidence.ts'
import { planAlignment } from '../../gates/plan-alignment/plan-alignment.ts'
import { changedRecords } from '../../gates/integrity/integrity.ts'
import { verdict } from '../../gates/verdicts.ts'
import { freeze, thaw } from '../../state/snapshot.ts'

const SPEC = low('1', {
  files: { create: ['src/1.ts'], modify: [], delete: [] },
  testsToAdd: [],
  acceptanceCriteria: [],
  inferred: [],
})
const CHANGED = ['src/1.ts', 'src/other.ts', 'test/other.test.ts']

/** The verdict of plan_alignment on this work. */
const aligned = (plan: PlayedPlan) =>
  planAlignment({
    spec: plan.task('1').spec,
    change: {
      base: 'base',
      files: CHANGED.map((path) => ({
        path,
        kind: 'added',
        added: [{ line: 1, text: 'x' }],
        removed: [],
        lines: ['x'],
        isBinary: false,
      })),
    },
    claims: [],
    earlierWork: null,
    fileInTree: () => ['x'],
    isInTree: () => true,
  })

function gated(plan: PlayedPlan, integrity: readonly Finding[] = []): PlayedPlan {
  const { attempt, tree, scope, gates } = plan.effect('run_gates', '1')
  const verdicts = gates.map((gate) =>
    gate === 'plan_alignment'
      ? aligned(plan)
      : gate === 'integrity' && integrity.length > 0
        ? verdict('integrity', 'failed', '', { findings: [...integrity] })
        : { gate, outcome: 'passed' as const, summary: '', evidence: NO_EVIDENCE },
  )
  return plan.tell({ type: 'task.gated', v: 2, task: '1', attempt, tree, scope, verdicts })
}

/** The verdict of integrity on a changed record of Bosun. */
const recorded = (path: string): readonly Finding[] =>
  changedRecords({
    spec: SPEC,
    folders: ['docs/reviews'],
    change: {
      base: 'base',
      files: [{ path, kind: 'added', added: [], removed: [], lines: [], isBinary: false }],
    },
  })

/** Its worker changed files outside of its contract, and no fix is left. */
const outside = (): PlayedPlan =>
  gated(PlayedPlan.begun([SPEC], { settings: { fixAttempts: 0 } }).work('1', { changed: CHANGED }))

describe('work with files outside the contract', () => {
  test('cannot be accepted by widening the contract to a record of Bosun', () => {
    const worked = () =>
      PlayedPlan.begun([SPEC], { settings: { fixAttempts: 0 } }).work('1', { changed: CHANGED })
    const keys = (path: string) =>
      gated(worked(), recorded(path))
        .item('1')
        .options.map(({ key }) => key)
    expect(keys('docs/reviews/task-1-review.md')).not.toContain('widen')
    expect(keys('docs/reviews/page.md')).toContain('widen')
  })

  test('offers to widen the contract, with the files and which of them are protected', () => {
    expect(outside().item('1').options).toContainEqual({
      key: 'widen',
      label: 'widen the contract to src/other.ts, test/other.test.ts (protected: test/other.test.ts)',
    })
  })

  test('goes back to the gates without a worker once the contract is widened, and the decision log shows it', () => {
    const plan = outside().answer('widen')
    expect([plan.step('1'), plan.task('1').attempt]).toEqual(['gating', 1])
    expect(plan.task('1').spec.files.modify).toEqual(['src/other.ts', 'test/other.test.ts'])
    expect(decisionsIn(plan.task('1').decisions).map(({ text }) => text)).toContain(
      'ada widened the contract to src/other.ts, test/other.test.ts',
    )
    expect(plan.effect('run_gates', '1').spec.files.modify).toContain('src/other.ts')
    expect(gated(plan).task('1').verdicts?.[0]).toMatchObject({ gate: 'plan_alignment', outcome: 'passed' })
    expect([gated(plan).task('1').cause, plan.task('1').attempt]).toEqual([null, 1])
  })

  test('keeps its widened contract after a restart', () => {
    const plan = outside().answer('widen')
    const again = thaw(JSON.parse(JSON.stringify(freeze(plan.state))))
    expect(again.tasks.get('1')?.spec.files.modify).toEqual(['src/other.ts', 'test/other.test.ts'])
  })
})

test('work without files outside the contract does not offer to widen it', () => {
  const plan = PlayedPlan.begun([SPEC], { settings: { fixAttempts: 0 } }).work('1')
  plan.gates('1', { failed: ['plan_alignment', 'unit'] })
  expect(plan.item('1').options.map(({ key }) => key)).toEqual(['revise', 'approve', 'reject'])
})
