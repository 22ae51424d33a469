import { describe, expect, test } from 'vitest'
import { low, normal } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'

const edit = { files: { create: [], modify: ['src/1.ts'], delete: [] } }

/** Its worker leaves a change of this many lines. */
function changed(plan: PlayedPlan, lines: number): PlayedPlan {
  plan.started('1').ended('1')
  const { worker, attempt } = plan.effect('collect_work', '1')
  const left = { tree: `tree-${worker}`, changed: ['src/1.ts'], salvage: 'ref', patch: `p-${attempt}` }
  return plan.left('1', { ...left, onto: 'base', scan: { touches: [], findings: [], lines } })
}

describe('a change that is larger than planned', () => {
  test('gets a reviewer, also where nobody reads low work, and the log says why', () => {
    const plan = PlayedPlan.begun([low('1', edit)], { settings: { reviewLow: 'checks' } })
    changed(plan, 900).gates('1')
    expect(plan.task('1').live).toMatchObject({ role: 'reviewer' })
    expect(plan.decisions('1').join('\n')).toContain(
      'its change is medium (1 file, 900 lines), the plan expected small: a reviewer reads it',
    )
  })

  test('keeps its reviewer after others landed, and is noted once', () => {
    const plan = PlayedPlan.begun([low('1', edit)], { settings: { reviewLow: 'checks' } })
    changed(plan, 900).gates('1', { failed: ['unit'] })
    changed(plan, 900).gates('1').gates('1')
    expect(plan.task('1').live).toMatchObject({ role: 'reviewer' })
    expect(plan.decisions('1').filter((text) => text.endsWith('a reviewer reads it'))).toHaveLength(1)
  })

  test('makes its dependents in the same area count as large as it turned out', () => {
    const near = { ...edit, ownership: 'src' }
    const choiceAfter = (lines: number): string => {
      const plan = PlayedPlan.begun([low('1', near), low('2', { ...near, dependsOn: ['1'] })])
      changed(plan, lines).gates('1')
      if (plan.task('1').live !== null) plan.review('1')
      plan.commit('1')
      return plan.effect('start_worker', '2').choice?.why ?? ''
    }
    expect(choiceAfter(20)).toContain('small general task')
    expect(choiceAfter(900)).toContain('medium general task')
  })

  test('as planned is read by nobody but the brain', () => {
    const plan = PlayedPlan.begun([low('1', edit)], { settings: { reviewLow: 'checks' } })
    changed(plan, 20).gates('1')
    expect([plan.last('task.reviewed')?.by, plan.step('1')]).toEqual(['nobody', 'committing'])
  })
})

describe('a task of a role', () => {
  test.each(['designer', 'tester', 'fixer'] as const)(
    'of the %s stays with it, also to fix its work',
    (role) => {
      const plan = PlayedPlan.begun([normal('1', { role })])
        .work('1')
        .gates('1', { failed: ['unit'] })
      expect(plan.all('task.dispatched').map((event) => event.role)).toEqual([role, role])
    },
  )

  test('of the developer is fixed by the fixer', () => {
    const plan = PlayedPlan.begun([normal('1', { role: 'developer' })])
      .work('1')
      .gates('1', { failed: ['unit'] })
    expect(plan.all('task.dispatched').map((event) => event.role)).toEqual(['developer', 'fixer'])
  })
})

test('a worker gets the explanation of the tasks it depends on', () => {
  const plan = PlayedPlan.begun([low('1'), low('2', { dependsOn: ['1'] })]).complete('1')
  expect(plan.effect('start_worker', '2').context.dependencies).toMatchObject([
    { task: '1', commit: { sha: 'sha-1' }, explanation: 'did what was asked' },
  ])
})
