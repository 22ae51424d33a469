import { describe, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../test/helpers/played-plan.ts'
import { releaseManifest } from '../delivery/release/release-manifest.ts'
import { earlierWorkOf } from './earlier-work.ts'
import type { TaskSpec } from '../planning/plan.ts'

const alone = { settings: { maxParallelAgents: 1 } }
const blue = { acceptanceCriteria: ['it is blue'] }
const UP = 'db/migrations/1_add.sql'
const specs = [low('1'), low('2', { dependsOn: ['1'] })]
const edited = (id: string): readonly TaskSpec[] =>
  specs.map((spec) => (spec.id === id ? { ...spec, ...blue } : spec))

/** Both have landed, and an edit of the first makes both run again. */
const doneAgain = (second: readonly string[] = ['src/2.ts', UP]): PlayedPlan =>
  PlayedPlan.begun([...specs, low('3')], alone)
    .complete('1')
    .complete('3')
    .complete('2', { changed: second })
    .edit([...specs, low('3')], [...edited('1'), low('3')])

describe('work that was done before an edit of the plan', () => {
  test('counts towards the contract as long as that asks for the same', () => {
    const before = { spec: low('1', { testsToAdd: ['a.test', 'b.test'] }), files: ['src/1.ts'] }
    expect(earlierWorkOf(before.spec, before)).toEqual({
      asksTheSame: true,
      files: ['src/1.ts'],
      tests: ['a.test', 'b.test'],
    })
    expect(earlierWorkOf(low('1', { testsToAdd: ['b.test', 'c.test'] }), before)).toMatchObject({
      asksTheSame: false,
      tests: ['b.test'],
    })
    expect(earlierWorkOf(low('1'), null)).toBeNull()
  })

  test.each<[string, Partial<TaskSpec>, boolean]>([
    ['a criterion', blue, false],
    ['its description', { description: 'in blue' }, false],
    ['a file', { files: { create: ['src/blue.ts'], modify: [], delete: [] } }, false],
    ['an interface', { interfaces: ['blue()'] }, false],
    ['how it is shown', { gates: [], testsToRun: ['npm test'], heldOut: ['sh check.sh'] }, true],
    ['what it builds on', { dependsOn: ['0'], layer: 'core' }, true],
  ])('is compared with a contract that changed %s: %o', (_, changes, asksTheSame) => {
    const before = { spec: low('1'), files: [] }
    expect(earlierWorkOf(low('1', changes), before)).toMatchObject({ asksTheSame })
  })

  test('is passed to the next worker and to the gates, which decide where nothing is changed', () => {
    const plan = doneAgain().complete('1')
    expect(plan.effect('start_worker').context.earlierWork).toMatchObject({ asksTheSame: true })
    plan.work('2', { changed: [] })
    expect(plan.step('2')).toBe('gating')
    expect(plan.effect('run_gates').earlierWork).toEqual({
      asksTheSame: true,
      files: ['src/2.ts', UP],
      tests: [],
    })
  })

  test('needs a reviewer where only the worker claims that it meets the new contract', () => {
    const changed = (paths: readonly string[]) => doneAgain().work('1', { changed: paths }).gates('1')
    expect(changed([]).task('1').live).toMatchObject({ role: 'reviewer' })
    expect(changed(['src/1.ts']).step('1')).toBe('committing')
    const same = doneAgain(['src/2.ts']).complete('1').work('2', { changed: [] }).gates('2')
    expect(same.step('2')).toBe('committing')
  })

  test('is compared with the contract it was done under, however often that is edited since', () => {
    const others = [low('3'), low('4')]
    // Task 4 has the only slot, so task 1 waits between the edits.
    const plan = PlayedPlan.begun([...specs, ...others], alone)
      .complete('1')
      .complete('3')
      .complete('2')
    plan.edit([...specs, ...others], [...edited('1'), ...others])
    plan.edit([...edited('1'), ...others], [...specs, ...others]).complete('4')
    expect(plan.effect('start_worker').context).toMatchObject({ earlierWork: { asksTheSame: true } })
  })

  test('keeps its files and migrations in the manifest where it is left unchanged', () => {
    const plan = doneAgain().complete('1').complete('2', { changed: [] })
    expect(releaseManifest(plan.state).migration_steps).toEqual([`apply ${UP} (task 2)`])
  })

  test('may have existed at the baseline; a new run of it is a commit like any other', () => {
    const two = [low('1'), low('2')]
    const plan = new PlayedPlan(two).baseline('1')
    plan.edit(two, [low('1', blue), low('2')]).work('1', { changed: [] })
    expect(plan.effect('run_gates').earlierWork).toMatchObject({ asksTheSame: false, files: [] })
    plan.gates('1').review('1').commit('1').complete('2')
    const [first] = releaseManifest(plan.state).tasks
    expect(first).toMatchObject({ commit_sha: 'sha-1' })
    expect(first).not.toHaveProperty('exists')
  })
})

test('a task that was never done has no earlier work: changing nothing is doing nothing', () => {
  const files = { create: ['src/1.ts'], modify: [], delete: [] }
  const plan = PlayedPlan.begun([low('1', { files })], alone)
  expect(plan.effect('start_worker').context.earlierWork).toBeNull()
  plan.work('1', { changed: [] })
  expect(plan.task('1').cause).toEqual({ kind: 'nothing_done' })
})
