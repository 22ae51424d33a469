import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completePlan } from '../complete-plan.ts'
import { aDraft, aRun, aTask, needing, someFiles } from '../../../../test/helpers/plan-draft.ts'
import type { DraftTask, PlanDraft } from '../draft.ts'
import { NO_FACTS } from '../task-files.ts'
import { defaultSettings } from '../../settings/settings.ts'

const planOf = (tasks: readonly DraftTask[], fields: Partial<PlanDraft> = {}) =>
  completePlan(aDraft(tasks, fields), NO_FACTS, defaultSettings())

function needs(
  tasks: readonly DraftTask[],
  fields: Partial<PlanDraft> = {},
): Record<string, readonly string[]> {
  return Object.fromEntries(planOf(tasks, fields).tasks.map((task) => [task.id, task.dependsOn]))
}

/** Runs a command and writes nothing. */
const CHECKING = [{ line: 1, title: '', runs: [aRun('npm test', 'pass')] }]
const creating = (id: string, ...paths: string[]) => aTask(id, { files: someFiles({ create: paths }) })
const modifying = (id: string, ...paths: string[]) => aTask(id, { files: someFiles({ modify: paths }) })

describe('the dependency of a task', () => {
  it('is the one its author states, and is not marked as inferred', () => {
    const plan = planOf([aTask('1'), aTask('2'), needing('3', '1')])
    expect(plan.tasks[2]).toMatchObject({ dependsOn: ['1'] })
    expect(plan.tasks[2]?.inferred).not.toContain('depends_on')
    expect(plan.tasks[1]?.inferred).toContain('depends_on')
  })

  it('is everything before it for a last task that only runs commands, also where others state dependencies', () => {
    const last = aTask('4', { steps: CHECKING })
    const tasks = [creating('1', 'src/a.ts'), creating('2', 'lib/b.ts'), needing('3', '1'), last]
    expect(needs(tasks)['4']).toEqual(['1', '2', '3'])
  })

  it('is the task that creates the file it changes, reads or tests', () => {
    expect(
      needs([
        creating('1', 'src/a.ts'),
        creating('2', 'lib/b.ts'),
        modifying('3', 'src/a.ts'),
        aTask('4', { files: someFiles({ create: ['app/c.ts'], read: ['lib/b.ts'] }) }),
      ]),
    ).toEqual({ '1': [], '2': [], '3': ['1'], '4': ['2'] })
  })

  it('is the last task before it that changes the same file', () => {
    const tasks = ['1', '2', '3'].map((id) => modifying(id, 'src/a.ts'))
    expect(needs(tasks)).toEqual({ '1': [], '2': ['1'], '3': ['2'] })
  })

  it('is every earlier writer that does not follow the others itself', () => {
    const stated = { ...modifying('2', 'src/a.ts'), dependsOn: { ids: [], line: 3 } }
    expect(needs([modifying('1', 'src/a.ts'), stated, modifying('3', 'src/a.ts')])).toMatchObject({
      '3': ['1', '2'],
    })
  })

  it('is the task that creates the folder of its file', () => {
    expect(
      needs([creating('1', 'evals/'), creating('2', 'lib/x.ts'), modifying('3', 'evals/cli.py')]),
    ).toMatchObject({
      '3': ['1'],
    })
    expect(
      needs([creating('1', 'evals/a.py'), creating('2', 'x/y.ts'), modifying('3', 'evals/')]),
    ).toMatchObject({
      '3': ['1'],
    })
  })

  it('is the task that creates a file its text or commands mention', () => {
    const speaking = { ...creating('3', 'app/c.ts'), description: 'Follow the pattern in `src/a.ts`.' }
    expect(needs([creating('1', 'src/a.ts'), creating('2', 'lib/b.ts'), speaking])).toMatchObject({
      '3': ['1'],
    })
  })

  it('is an earlier task its text mentions, never a later one or itself', () => {
    const at = (id: string, description: string) => ({ ...creating(id, `d${id}/x.ts`), description })
    const tasks = [
      at('1', 'The key handler comes in Task 3.'),
      at('2', ''),
      at('3', 'Uses the port of Task 1; see also Task 3 step 2.'),
      at('4', 'Joins Tasks 2 and 3.'),
      at('5', 'Runs after tasks 1–3 are there. It is independent of Task 4.'),
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': [], '3': ['1'], '4': ['2', '3'], '5': ['1', '2', '3'] })
  })

  it('is found by ids with letters without the word task', () => {
    const tasks = [
      creating('T-01', 'a/x.ts'),
      { ...creating('T-02', 'b/x.ts'), description: 'Builds on T-01.' },
    ]
    expect(needs(tasks)).toEqual({ 'T-01': [], 'T-02': ['T-01'] })
  })

  it('is the task whose title introduces a name it uses', () => {
    const tasks = [
      { ...creating('1', 'a/x.go'), title: 'Add `ForceDestroy` to the workspace port' },
      { ...creating('2', 'b/x.go'), description: 'Calls `ForceDestroy` after the save.' },
      { ...creating('3', 'c/x.go'), description: 'Destroys nothing by force.' },
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': ['1'], '3': [] })
  })

  it('is its parent for a sub-task', () => {
    expect(needs([creating('10', 'a/x'), creating('10a', 'b/x'), creating('10b', 'c/x')])).toEqual({
      '10': [],
      '10a': ['10'],
      '10b': ['10'],
    })
  })
})

describe('a plan whose author states no dependencies', () => {
  it('keeps tasks of one area in the order they are written', () => {
    const tasks = [
      creating('1', 'packages/ui/a.tsx'),
      creating('2', 'src/x/b.ts'),
      creating('3', 'packages/ui/c.tsx'),
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': [], '3': ['1'] })
  })

  it('keeps tasks without any files in order, since nothing shows that they are independent', () => {
    expect(needs([aTask('1'), aTask('2'), aTask('3')])).toEqual({ '1': [], '2': ['1'], '3': ['2'] })
  })

  it('lets an unlinked task wait for the phase before it', () => {
    const tasks = [
      { ...creating('1', 'a/x.ts'), phase: 'One' },
      { ...creating('2', 'b/x.ts'), phase: 'One' },
      { ...creating('3', 'c/x.ts'), phase: 'Two' },
      { ...modifying('4', 'b/x.ts'), phase: 'Two' },
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': [], '3': ['1', '2'], '4': ['2'] })
  })

  it('lets a task that only runs commands wait for its phase, and the last one for everything', () => {
    const verify = { steps: CHECKING, files: someFiles({}) }
    const tasks = [
      { ...creating('1', 'a/x.ts'), phase: 'One' },
      { ...creating('2', 'b/x.ts'), phase: 'One' },
      aTask('3', { ...verify, phase: 'One' }),
      { ...modifying('4', 'a/x.ts'), phase: 'Two' },
      aTask('5', { ...verify, phase: 'Two' }),
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': [], '3': ['1', '2'], '4': ['1', '3'], '5': ['4'] })
  })

  it('lets a task that only adds tests wait for the sources before it, and not for other tests', () => {
    const tasks = [
      creating('1', 'src/a.ts'),
      creating('2', 'lib/b.ts'),
      creating('3', 'test/a.test.ts'),
      creating('4', 'e2e/b.test.ts'),
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': [], '3': ['1', '2'], '4': [] })
  })

  it('adds the order of the area to links by names and mentions, but not to links by files', () => {
    const tasks = [
      creating('1', 'packages/ui/'),
      creating('2', 'packages/ui/a.tsx'),
      creating('3', 'packages/ui/b.tsx'),
      { ...creating('4', 'packages/ui2/c.tsx'), description: 'As in Task 1.' },
      { ...creating('5', 'packages/ui2/d.tsx'), description: 'As in Task 1.' },
    ]
    expect(needs(tasks)).toEqual({ '1': [], '2': ['1'], '3': ['1'], '4': ['1'], '5': ['1', '4'] })
  })

  it('lets a task without any information wait for every leaf before it', () => {
    expect(needs([creating('1', 'a/x.ts'), creating('2', 'b/x.ts'), aTask('3')])).toMatchObject({
      '3': ['1', '2'],
    })
  })
})

describe('a plan whose author states some dependencies', () => {
  it('does not infer from the order of the others', () => {
    expect(needs([aTask('1'), aTask('2'), needing('3', '1')])).toEqual({ '1': [], '2': [], '3': ['1'] })
  })
})

describe('spec kit', () => {
  const at = (id: string, phase: string, mark = '') =>
    aTask(id, {
      phase,
      title: `Make ${id}`,
      parallel: mark === '[P]',
      files: someFiles({ create: [`${id}/x.ts`] }),
    })
  it('separates phases, runs [P] in parallel and the rest one by one', () => {
    const tasks = [
      at('T001', 'Setup'),
      at('T002', 'Setup', '[P]'),
      at('T003', 'Setup', '[P]'),
      at('T004', 'Setup'),
      at('T005', 'Story', '[P]'),
      at('T006', 'Story', '[P]'),
    ]
    expect(needs(tasks, { format: 'spec-kit' })).toEqual({
      T001: [],
      T002: ['T001'],
      T003: ['T001'],
      T004: ['T002', 'T003'],
      T005: ['T004'],
      T006: ['T004'],
    })
  })

  it('separates wide phases without an edge for every pair', () => {
    const wide = (phase: string) => Array.from({ length: 1000 }, (_, n) => at(`${phase}${n}`, phase, '[P]'))
    const plan = planOf([...wide('A'), ...wide('B')], { format: 'spec-kit' })
    expect(plan.tasks.reduce((sum, task) => sum + task.dependsOn.length, 0)).toBeLessThan(3000)
    expect(plan.order.indexOf('B0')).toBeGreaterThanOrEqual(1000)
  })
})

describe('wrong dependencies', () => {
  it('name the task, the unknown id, the line and the most similar id', () => {
    const plan = planOf([aTask('auth-login'), needing('3', 'auth-logn')])
    expect(plan.problems).toEqual([
      {
        severity: 'error',
        file: 'docs/plans/2026-02-19-shop-plan.md',
        line: 31,
        message: 'task 3 depends on auth-logn, which is not in the plan',
        remedy: 'Did you mean auth-login?',
      },
    ])
  })

  it('list known ids where none is similar', () => {
    expect(planOf([aTask('1'), needing('2', '9')]).problems[0]?.remedy).toBe(
      'Name a task of this plan (1, 2), or remove the dependency.',
    )
  })

  it('are cycles, in one line, and then there is no order', () => {
    const plan = planOf([needing('b', 'a'), needing('a', 'b')])
    expect(plan.problems.map((problem) => problem.message)).toEqual(['cycle b → a → b'])
    expect(plan.order).toEqual([])
  })

  it('are dependencies on oneself', () => {
    expect(planOf([needing('1', '1')]).problems.map((problem) => problem.message)).toEqual(['cycle 1 → 1'])
  })
})

describe('inferred dependencies', () => {
  it('yield to those the author states', () => {
    const first = { ...creating('1', 'src/a.ts'), dependsOn: { ids: ['2'], line: 2 } }
    const plan = planOf([first, modifying('2', 'src/a.ts')])
    expect(plan.problems.filter((problem) => problem.severity === 'error')).toEqual([])
    expect(plan.order).toEqual(['2', '1'])
  })

  it('never make a cycle', () => {
    const path = fc.constantFrom('src/a.ts', 'src/b.ts', 'lib/c.ts', 'lib/')
    const task = fc.record({
      modify: fc.array(path, { maxLength: 3 }),
      stated: fc.option(fc.nat({ max: 9 })),
      mention: fc.nat({ max: 9 }),
    })
    fc.assert(
      fc.property(fc.array(task, { minLength: 1, maxLength: 10 }), (rows) => {
        const tasks = rows.map((row, at) =>
          aTask(String(at), {
            description: `See Task ${row.mention}.`,
            files: someFiles({ modify: row.modify }),
            // One stated edge per task, always to a later place: cycles can only come from inference.
            dependsOn:
              row.stated === null || row.stated <= at || row.stated >= rows.length
                ? undefined
                : { ids: [String(row.stated)], line: 1 },
          }),
        )
        expect(planOf(tasks).order).toHaveLength(rows.length)
      }),
      { numRuns: 300 },
    )
  })
})

describe('a large plan', () => {
  it('of 5,000 tasks is completed', () => {
    const tasks = Array.from({ length: 5000 }, (_, n) => ({
      ...modifying(String(n), `src/m${n % 50}/f${n}.ts`),
      description: `After Task ${n - 1}.`,
    }))
    expect(planOf(tasks).order).toHaveLength(5000)
  })
})
