import { describe, expect, it } from 'vitest'
import { completePlan } from './complete-plan.ts'
import { aDraft, aRun, aTask, someFiles } from '../../../test/helpers/plan-draft.ts'
import type { DraftRun, DraftTask, PlanDraft } from './draft.ts'
import type { Problem, TaskSpec } from './plan.ts'
import { NO_FACTS, type RepoFacts } from './task-files.ts'
import { taskSpecSchema } from './task-schema.ts'
import { defaultSettings } from '../settings/settings.ts'

const factsOf = (...files: string[]): RepoFacts => ({
  files: new Set(files),
  planLocation: 'in_git',
  designPresent: null,
  notMigrations: [],
})

function completed(fields: Partial<DraftTask>, facts: RepoFacts = NO_FACTS): TaskSpec {
  const [task] = completePlan(aDraft([aTask('1', fields)]), facts, defaultSettings()).tasks
  if (task === undefined) throw new Error('the plan has no task')
  return task
}

const stepping = (...runs: DraftRun[]) => [{ line: 1, title: 'Run it', runs }]

const messages = (problems: readonly Problem[]) =>
  problems.map((problem) => `${problem.severity}: ${problem.message}`)

describe('a complete plan', () => {
  it('keeps the fields of the author and does not mark them as inferred', () => {
    const task = completed({
      ownership: 'billing',
      layer: 'core',
      tier: 'low',
      dependsOn: { ids: [], line: 1 },
      acceptanceCriteria: ['it works'],
      files: someFiles({ create: ['a/b.ts'] }),
      testsToAdd: ['a/b.test.ts'],
      testsToRun: ['npm test'],
      gates: ['integration'],
      timeBudgetMs: 90_000,
      commitSubject: 'feat: b',
    })
    expect(task).toMatchObject({
      ownership: 'billing',
      layer: 'core',
      tier: 'low',
      acceptanceCriteria: ['it works'],
      gates: ['integration'],
      timeBudgetMs: 90_000,
      commitSubject: 'feat: b',
      inferred: [],
    })
  })

  it('fills in the other fields, marks them as inferred, and fits the schema of the log', () => {
    const task = completed({
      title: 'Add slugify',
      files: someFiles({ create: ['src/slug.js'], test: ['test/slug.test.js'] }),
    })
    expect(task).toMatchObject({
      tier: 'normal',
      ownership: 'src/slug',
      layer: null,
      dependsOn: [],
      acceptanceCriteria: ['Add slugify', 'test/slug.test.js passes'],
      testsToAdd: ['test/slug.test.js'],
      gates: ['unit', 'lint'],
      timeBudgetMs: 3_600_000,
      inferred: ['acceptance_criteria', 'depends_on', 'ownership', 'tests_to_run'],
    })
    expect(taskSpecSchema.parse(task)).toEqual(task)
  })
})

describe('test files that only the list of files to modify names', () => {
  const files = someFiles({ modify: ['src/a.ts', 'src/a.test.ts'], test: ['src/b.test.ts'] })

  it('are marked one by one, beside tests that the plan asks for', () => {
    const task = completed({ files })
    expect(task).toMatchObject({
      testsToAdd: ['src/b.test.ts', 'src/a.test.ts'],
      inferredTests: ['src/a.test.ts'],
    })
    expect(taskSpecSchema.parse(task)).toEqual(task)
  })

  it('are not marked where a step expects them to fail first, or the plan names them as tests', () => {
    const steps = stepping(aRun('npx vitest run src/a.test.ts', 'fail'), aRun('npx vitest run', 'pass'))
    expect(completed({ files, steps }).inferredTests).toEqual([])
    expect(completed({ files, testsToAdd: ['src/a.test.ts'] }).inferredTests).toBeUndefined()
  })
})

describe('whether new tests have to fail on the base', () => {
  const files = someFiles({ create: ['src/a.ts'], test: ['src/a.test.ts'] })
  const steps = stepping(aRun('npx vitest run src/a.test.ts', 'fail'), aRun('npx vitest run', 'pass'))

  it('is left to the criteria where the plan says nothing', () => {
    expect(completed({ files, testsToAdd: ['src/a.test.ts'] }).redOnBase).toBeUndefined()
  })

  it('is said by the author, or by a step that expects them to fail', () => {
    expect(completed({ files, redOnBase: true }).redOnBase).toBe(true)
    expect(completed({ files, steps }).redOnBase).toBe(true)
    expect(completed({ files, steps, redOnBase: false }).redOnBase).toBe(false)
  })
})

describe('inferred criteria', () => {
  it('are the checks, and the runs that must pass', () => {
    const steps = [
      { line: 1, title: 'Write the failing test', runs: [aRun('npm test', 'fail', 'FAIL')] },
      { line: 2, title: 'Check: both edits reappear', runs: [] },
      { line: 3, title: 'Run it', runs: [aRun('npm test', 'pass', 'All 8 tests PASS')] },
      { line: 4, title: 'Look', runs: [aRun('git status', 'pass', 'clean')] },
    ]
    expect(completed({ steps }).acceptanceCriteria).toEqual([
      'both edits reappear',
      '`npm test`: All 8 tests PASS',
    ])
  })

  it('are steps that state a requirement', () => {
    const steps = [
      'The parser rejects empty input',
      'Run the tests to verify it returns',
      'Implement it',
    ].map((title) => ({ line: 1, title, runs: [] }))
    expect(completed({ steps }).acceptanceCriteria).toEqual(['The parser rejects empty input'])
  })

  it('are at least the title, and at most twelve', () => {
    expect(completed({ title: 'Dashboard page' }).acceptanceCriteria).toEqual(['Dashboard page'])
    const steps = Array.from({ length: 30 }, (_, n) => ({
      line: 1,
      title: `Rule ${n} must hold`,
      runs: [],
    }))
    expect(completed({ steps }).acceptanceCriteria).toHaveLength(12)
  })
})

describe('tests of a task', () => {
  it('are run where they are expected to pass and look like tests', () => {
    const steps = stepping(
      aRun('pytest tests/test_a.py', 'fail'),
      aRun('npm install', 'pass'),
      aRun('npm run dev', null),
      aRun('cd api && pip3 install -e . && python3 -m pytest tests/ -v', 'pass'),
      aRun('go test ./backend/...', 'pass'),
      aRun('cd frontend && <typecheck cmd>', 'pass'),
      aRun('node test/server.test.js', null),
      aRun('bun run typecheck', 'pass'),
    )
    expect(completed({ steps }).testsToRun).toEqual([
      'cd api && pip3 install -e . && python3 -m pytest tests/ -v',
      'go test ./backend/...',
      'node test/server.test.js',
    ])
  })

  it('lose a trailing pipe, which would hide their exit code', () => {
    const steps = stepping(aRun('uv run pytest -x 2>&1 | tail -20', 'pass'))
    expect(completed({ steps }).testsToRun).toEqual(['uv run pytest -x'])
  })

  it('are added where new, and where changed together with sources', () => {
    const files = someFiles({
      create: ['tests/test_a.py', 'tests/__init__.py'],
      modify: ['src/a.py', 'tests/test_b.py'],
    })
    expect(completed({ files }).testsToAdd).toEqual(['tests/test_a.py', 'tests/test_b.py'])
    expect(completed({ files: someFiles({ modify: ['tests/test_b.py'] }) }).testsToAdd).toEqual([])
  })

  it('are added where only the commit step names them', () => {
    const task = completed({
      files: someFiles({ modify: ['evals/cli.py'] }),
      addedPaths: ['evals/cli.py', 'evals/tests/test_cli.py'],
    })
    expect(task.testsToAdd).toEqual(['evals/tests/test_cli.py'])
  })
})

describe('files of a task', () => {
  it('come from the commit step where none are listed, new if the repository lacks them', () => {
    const task = completed(
      { files: someFiles({}), addedPaths: ['src/a.ts', 'src/b.ts', '-A', '.'] },
      factsOf('src/a.ts'),
    )
    expect(task.files).toEqual({ create: ['src/b.ts'], modify: ['src/a.ts'], delete: [] })
    expect(task.inferred).toContain('files')
  })

  it('complete an abbreviated path', () => {
    const full = 'apps/desktop/src/settings/options.ts'
    const task = completed({
      files: someFiles({ modify: ['apps/desktop/.../options.ts'] }),
      addedPaths: [full],
    })
    expect(task.files.modify).toEqual([full])
  })
})

describe('problems of a plan', () => {
  const problemsOf = (tasks: readonly DraftTask[], facts: RepoFacts, fields: Partial<PlanDraft> = {}) =>
    messages(completePlan(aDraft(tasks, fields), facts, defaultSettings()).problems)

  it('are a plan without tasks', () => {
    expect(problemsOf([], NO_FACTS)).toEqual(['error: no tasks found'])
  })

  it('are two tasks with the same id, with both lines', () => {
    expect(problemsOf([aTask('1'), aTask('2'), aTask('1')], NO_FACTS)).toEqual([
      'error: duplicate task id "1" in lines 10 and 10',
    ])
  })

  it('are changed files that do not exist and that no earlier task creates', () => {
    const tasks = [
      aTask('1', {
        files: someFiles({ create: ['src/new.ts', 'lib/'], modify: ['src/there.ts', 'src/gone.ts'] }),
      }),
      aTask('2', {
        files: someFiles({ modify: ['src/new.ts', 'lib/x.ts', 'src/.../y.ts', 'src'], delete: ['old.ts'] }),
      }),
    ]
    expect(problemsOf(tasks, factsOf('src/there.ts'))).toEqual([
      'warning: task 1 changes src/gone.ts, which is not in the repository',
      'warning: task 2 changes old.ts, which is not in the repository',
    ])
    expect(problemsOf(tasks, NO_FACTS)).toEqual([])
  })

  it('are a missing design document and a plan outside the repository, as warnings', () => {
    const design = { path: 'docs/design.md', line: 3 }
    expect(
      problemsOf(
        [aTask('1')],
        { files: new Set(), planLocation: 'outside', designPresent: false, notMigrations: [] },
        { design },
      ),
    ).toEqual([
      'warning: the plan is outside this repository',
      'warning: design document docs/design.md not found',
    ])
  })

  it('are held-out checks in a plan that workers can read', () => {
    const tasks = [aTask('1'), aTask('2', { heldOut: ['sh secret.sh'] })]
    const located = (planLocation: RepoFacts['planLocation']) =>
      problemsOf(tasks, { files: new Set(), planLocation, designPresent: null, notMigrations: [] })
    expect(located('in_git')).toEqual([
      'warning: task 2 has held-out checks that its worker can read, because this plan is in git',
    ])
    expect(located('beside_git')).toEqual([])
    // Such a plan lies there for a reason.
    expect(located('outside')).toEqual([])
  })

  it('are different ids that result in the same name', () => {
    expect(problemsOf([aTask('1.2'), aTask('1-2'), aTask('7'), aTask('task-7')], NO_FACTS)).toEqual(
      [
        'error: task ids 1.2 and 1-2 result in the same name task-1-2',
        'error: task ids 7 and task-7 result in the same name task-7',
      ].toSorted(),
    )
  })

  it('are tasks named like the reviewer of another', () => {
    expect(problemsOf([aTask('7'), aTask('7-1-review')], NO_FACTS)).toEqual([
      'error: the name of task 7-1-review collides with a reviewer of task 7',
    ])
  })

  it('are tests that a later task makes pass', () => {
    const task = aTask('1', {
      files: someFiles({ create: ['a.test.ts'] }),
      steps: stepping(aRun('npm test -- a.test.ts', 'fail')),
    })
    const plan = completePlan(aDraft([task]), NO_FACTS, defaultSettings())
    expect(messages(plan.problems)).toEqual([
      'warning: task 1 leaves a.test.ts failing, so its gates cannot pass',
    ])
    expect(plan.tasks[0]?.testsToAdd).toEqual([])
  })

  it('are limited in number, and the rest is counted', () => {
    const tasks = Array.from({ length: 1000 }, (_, n) =>
      aTask(String(n), { dependsOn: { ids: [`x${n}`], line: n } }),
    )
    const { problems } = completePlan(aDraft(tasks), NO_FACTS, defaultSettings())
    expect(problems).toHaveLength(301)
    expect(problems.at(-1)).toMatchObject({ severity: 'error', message: '700 more problems not listed' })
  })

  it('are sorted by line, including those of the reader', () => {
    const first = { severity: 'warning', file: 'x', line: 99, message: 'late', remedy: '' } as const
    const plan = completePlan(
      aDraft([aTask('2', { dependsOn: { ids: ['9'], line: 21 } })], { problems: [first] }),
      NO_FACTS,
      defaultSettings(),
    )
    expect(plan.problems.map((problem) => problem.line)).toEqual([21, 99])
  })
})

describe('a milestone', () => {
  const milestone = { id: 'it-1', tasksCovered: [], description: '', command: 'true', reference: {} }
  const problemsAfter = (afterLayer: string) => {
    const draft = { ...aDraft([aTask('1', { layer: 'core' })]), integration: [{ ...milestone, afterLayer }] }
    return messages(completePlan(draft, NO_FACTS, defaultSettings()).problems)
  }

  it('must wait for a layer that has tasks', () => {
    expect(problemsAfter('core')).toEqual([])
    expect(problemsAfter('cor')).toEqual([
      'error: integration test it-1 waits for layer cor, which has no tasks',
    ])
  })
})
