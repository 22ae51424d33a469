import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseJsonText, parseYamlText } from '../../../lib/files/yaml-text.ts'
import { readPlan } from './read-plan.ts'

const parsers = { yaml: parseYamlText, json: parseJsonText }
const read = (text: string, source = 'plan.md') => readPlan({ source, text }, parsers)
const fixture = (name: string) =>
  read(
    readFileSync(new URL(`../../../../test/fixtures/plans/${name}`, import.meta.url), 'utf8'),
    `plans/${name}`,
  )

const PIECES = (
  '### Task 1: a¦## Phase 1¦- [ ] ¦```¦````md¦~~~¦**Files:**¦- Create: `¦`¦(¦)¦**¦\n¦ ¦\t¦Run: ¦Expected: ¦git commit -m "¦' +
  '$(cat <<EOF¦\'¦---¦tasks:¦{¦[¦"¦:¦<!--¦-->¦Depends on: ¦|¦\\'
).split('¦')

describe('the reader supports', () => {
  test('phases, steps and whole files in fences', () => {
    const plan = fixture('phases-and-steps.md')
    expect(plan).toMatchObject({
      format: 'markdown',
      title: 'Lamp Control — Implementation Plan',
      goal: 'Switch the lamps of a harbour from one small HTTP service.',
      design: { path: 'docs/plans/lamp-design.md', line: 9 },
      constraints: ['No run-time dependencies.', 'Every lamp has a stable name.'],
      problems: [],
    })
    expect(plan.tasks.map(({ id, phase, commitSubject }) => [id, phase, commitSubject])).toEqual([
      ['1', 'Phase 1: The lamps', 'feat(lamps): keep the state of lamps'],
      ['2', 'Phase 1: The lamps', 'feat(lamps): lamps have names'],
      ['3', 'Phase 2: The service', undefined],
    ])
    expect(plan.tasks.map(({ steps }) => steps.map((step) => step.title))).toEqual([
      ['Write the failing test', 'Run the test to see it fail', 'Write the manual', 'Run the test again'],
      ['Read names', 'Tidy up and commit'],
      ["Write the README's part", 'Check it by hand'],
    ])
    expect(
      plan.tasks.flatMap(({ steps }) =>
        steps.flatMap(({ runs }) => runs.map((run) => [run.command, run.expects])),
      ),
    ).toEqual([
      ['node --test test/lamps.test.js', 'fail'],
      ['node --test test/lamps.test.js', 'pass'],
      ['node --test', 'pass'],
      ['npm run format', null],
      ['npm start', null],
    ])
    expect(plan.removedSteps.map(({ task, line }) => [task, line])).toEqual([
      ['1', 64],
      ['2', 96],
      ['3', 126],
      ['3', 130],
    ])
    expect(plan.tasks[0]?.addedPaths).toEqual(['src/lamps.js', 'docs/lamps.md', 'test/lamps.test.js'])
    expect(plan.tasks[1]?.files?.modify).toEqual(['src/lamps.js', 'src/names.js', 'src/names-short.js'])
  })

  test('boxes as steps', () => {
    const plan = fixture('boxed-steps.md')
    expect(plan.tasks.map(({ id, steps }) => [id, steps.length])).toEqual([
      ['1', 2],
      ['2', 4],
      ['2b', 2],
    ])
    expect(plan.tasks[1]).toMatchObject({
      commitSubject: 'feat: print the tide table',
      files: { create: ['src/print.py'], delete: ['src/legacy.py'], read: ['src/old_print.py'] },
    })
    expect(plan.removedSteps.map(({ task, line }) => [task, line])).toEqual([
      ['2', 44],
      ['2b', 49],
    ])
  })

  test('Windows line endings and a byte order mark', () => {
    const { source: _unix, ...unix } = fixture('boxed-steps.md')
    const { source: _windows, ...windows } = fixture('windows.md')
    expect(windows).toEqual(unix)
  })

  test('prose with checks', () => {
    const plan = fixture('prose.md')
    expect(plan).toMatchObject({
      goal: 'The bell rings once an hour, and never at night.',
      constraints: [
        'The clock is read once a minute, not more often.',
        'No sound file is larger than 20 kB.',
      ],
    })
    expect(plan.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['1', 'Ask the clock'],
      ['2', 'Keep quiet at night (`night.go`)'],
      ['3', 'A second bell'],
    ])
    expect(plan.tasks[0]?.steps).toMatchObject([
      { runs: [{ command: 'go test ./clock/...', expects: 'pass' }] },
    ])
    expect(plan.tasks[1]?.steps).toMatchObject([{ runs: [] }])
  })

  test('Spec Kit', () => {
    const plan = fixture('tasks.md')
    expect(plan.format).toBe('spec-kit')
    expect(plan.tasks.map(({ id }) => id)).toEqual(['T001', 'T002', 'T003', 'T004', 'T005', 'T006', 'T007'])
    expect(plan.tasks[4]).toMatchObject({
      phase: 'Phase 2: User Story 1 - Write an entry (Priority: P1)',
      dependsOn: { ids: ['T004'], line: 31 },
      files: { modify: ['src/services/entry_service.py'] },
    })
    expect(plan.goal).toBeUndefined()
  })

  test('Task Master, plain and tagged', () => {
    expect(fixture('tasks.json')).toMatchObject({ format: 'task-master', title: 'Signal Flags' })
    expect(fixture('tasks.json').tasks.map(({ id, dependsOn }) => [id, dependsOn?.ids])).toEqual([
      ['1', []],
      ['2', ['1']],
      ['3', ['2']],
    ])
    expect(fixture('tasks-tagged.json').tasks.map(({ title }) => title)).toEqual([
      'Hoist the flag',
      'Lower the flag',
    ])
  })

  test('YAML', () => {
    const plan = fixture('todo-api.yaml')
    expect(plan).toMatchObject({
      format: 'yaml',
      id: 'todo-api',
      environment: { test: 'node --test', lint: null },
      problems: [],
    })
    expect(plan.tasks[0]).toMatchObject({
      id: '1',
      timeBudgetMs: 1_800_000,
      gates: ['unit', 'lint'],
      heldOut: [expect.any(String)],
    })
    expect(plan.tasks[1]).toMatchObject({
      dependsOn: { ids: ['1'] },
      securityFlags: ['auth', 'secrets'],
      testsToRun: ['npm test'],
    })
    expect(plan.integration).toMatchObject([
      { afterLayer: 'core', tasksCovered: ['1'], reference: { energy: { value: -1.17, abs: 1e-6 } } },
    ])
    expect(plan.removedSteps).toHaveLength(2)
  })

  test('front matter and every field by name', () => {
    const plan = fixture('explicit-fields.md')
    expect(plan).toMatchObject({
      id: 'ferry',
      title: 'Ferry Booking',
      design: { path: 'docs/ferry.md', line: 4 },
      environment: { test: 'npm test', lint: null },
    })
    expect(plan.problems).toMatchObject([{ severity: 'warning', line: 8 }])
    const [timetable, accounts, seats] = plan.tasks
    expect(timetable).toMatchObject({
      id: 'T-1',
      ownership: 'src/timetable',
      layer: 'core',
      tier: 'low',
      dependsOn: { ids: [], line: 18 },
      timeBudgetMs: 2_700_000,
      acceptanceCriteria: [expect.any(String), 'The file is read once'],
      nonGoals: ['Prices'],
      testsToAdd: ['test/timetable.test.js'],
      testsToRun: ['npm test -- timetable'],
      interfaces: ['Produces: `sailings(day: Date): Sailing[]`'],
    })
    expect(accounts).toMatchObject({
      tier: 'critical',
      securityFlags: ['auth', 'secrets'],
      ownership: 'accounts',
      breakingChange: true,
      redOnBase: true,
      acceptanceCriteria: ['A wrong password is refused', 'A right one is not'],
      nonGoals: ['Single sign-on.'],
    })
    expect(seats).toMatchObject({
      dependsOn: { ids: ['T-1', 'T-2'] },
      gates: ['unit', 'integration'],
      files: {
        create: ['src/seats.js', 'src/seats/plan.svg', 'src/seats/plan-night.svg', 'src/new.js'],
        modify: ['src/app.js', 'README.md'],
        delete: ['src/old.js'],
        read: ['docs/ferry.md'],
      },
    })
    expect(plan.removedSteps).toMatchObject([{ task: 'T-3', line: 67 }])
  })

  test('a list of boxes', () => {
    const plan = fixture('box-list.md')
    expect(plan.tasks.map(({ id, title }) => [id, title])).toEqual([
      ['1', 'Sand the hull'],
      ['2', 'Paint the hull in `src/hull.css`'],
      ['3', 'Hang up the lamp'],
      ['4', 'Paint the mast'],
    ])
  })

  test('numbered headings', () => {
    expect(fixture('numbered-headings.md').tasks.map(({ id, title }) => [id, title])).toEqual([
      ['2.1', 'Find the hole'],
      ['2.2', 'Close the hole'],
    ])
  })
})

describe('the format of a text', () => {
  const yaml = 'tasks:\n  - { id: 1, title: A }\n'
  const json = '{"tasks": [{"id": 1, "title": "A"}]}'
  test.each([
    [yaml, 'a.yml', 'yaml'],
    [yaml, '-', 'yaml'],
    [`# a plan\n${yaml}`, 'plan', 'yaml'],
    [json, '-', 'task-master'],
    [`\uFEFF${json}`, 'x.json', 'task-master'],
    ['{"plan": "a", "tasks": [{"id": 1, "title": "A"}]}', 'x.json', 'yaml'],
    ['### Task 1: A\n\ntasks:\n', '-', 'markdown'],
    ['- [ ] T001 A', '-', 'spec-kit'],
    ['### Task 1: A\n- [ ] T001 A', 'x.md', 'markdown'],
    ['[link](x)\n\n### Task 1: A', '-', 'markdown'],
  ])('%j from %s is %s', (text, source, format) => {
    const plan = read(text, source)
    expect(plan.format).toBe(format)
    expect(plan.tasks).toHaveLength(1)
  })
})

describe('bad input', () => {
  test.each([
    ['', 'the plan is empty: no tasks found'],
    [' \r\n\t\n', 'the plan is empty: no tasks found'],
    ['# T\n\n## Ideas\n', 'no tasks found'],
    ['PK\0\u0003', 'this is not a text file'],
  ])('%j', (text, message) => {
    expect(read(text)).toMatchObject({ tasks: [], problems: [{ severity: 'error', line: 1, message }] })
  })

  test('a plan without tasks is refused with the known formats', () => {
    const [problem] = fixture('not-a-plan.md').problems
    expect(problem?.remedy).toMatch(/### Task 1: Title.*- \[ \] .*T001.*tasks:/s)
  })

  test('an unclosed fence is a warning with its line, and no task is lost', () => {
    const plan = fixture('unclosed-fence.md')
    expect(plan.tasks.map((task) => task.id)).toEqual(['1', '2', '3'])
    expect(plan.problems).toMatchObject([{ severity: 'warning', line: 5 }])
  })

  test('every mistake in a YAML plan is reported with line and remedy', () => {
    const { problems } = fixture('broken.yaml')
    const lines = problems.map((problem) => problem.line).sort((a, b) => a - b)
    expect(lines).toEqual([2, 6, 7, 8, 9, 10, 11, 12, 13, 15, 15, 16])
    expect(
      problems.every(
        ({ severity, file, remedy }) => severity === 'error' && file === 'plans/broken.yaml' && remedy !== '',
      ),
    ).toBe(true)
  })

  test('no text makes the reader throw', () => {
    const piece = fc.constantFrom(...PIECES)
    const text = fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, fc.constantFrom('a.md', 'a.yaml', 'a.json', '-'), (written, source) => {
        const plan = read(written, source)
        return plan.problems.every(
          (problem) => problem.line >= 1 && problem.message !== '' && problem.remedy !== '',
        )
      }),
      { numRuns: 500 },
    )
  })
})

describe('large and hostile text', () => {
  const task = (id: number) =>
    `### Task ${id}: Part ${id}\n\n**Files:**\n- Create: \`src/p${id}.ts\`\n\n**Step 1: Write it**\n\n\`\`\`ts\n${'const x = 1\n'.repeat(70)}\`\`\`\n\n**Step 2: Commit**\n\n\`\`\`bash\ngit add src/p${id}.ts\ngit commit -m "feat: ${id}"\n\`\`\`\n\n`

  test('five thousand tasks in five megabytes are all read', () => {
    const text = Array.from({ length: 5000 }, (_, index) => task(index + 1)).join('')
    expect(text.length).toBeGreaterThan(4_900_000)
    const plan = read(text)
    expect(plan.tasks).toHaveLength(5000)
    expect(plan.removedSteps).toHaveLength(5000)
    expect(
      plan.tasks.every(
        ({ id, commitSubject, steps }) => commitSubject === `feat: ${id}` && steps.length === 1,
      ),
    ).toBe(true)
  })

  test.each([
    ['a million spaces', `${' '.repeat(1_000_000)}x`],
    ['backticks', '`'.repeat(100_000)],
    ['backticks apart', '` `` ``` '.repeat(20_000)],
    ['stars', '**'.repeat(500_000)],
    ['brackets', '- Create: '.concat('('.repeat(100_000))],
    ['links', '**Design:** '.concat('['.repeat(100_000))],
    ['quotes', `\`\`\`bash\n${`'"$(`.repeat(20_000)}\n\`\`\``],
    ['heredocs', `\`\`\`bash\n${'cat <<A\n'.repeat(20_000)}\`\`\``],
    ['open fences', '```a\n~~~b\n'.repeat(20_000)],
    ['comments', '<!--\n'.repeat(50_000)],
    ['runs', '**Step 1: A**\n'.concat('Run: `x`\n'.repeat(50_000))],
  ])('%s end', (_name, text) => {
    expect(read(`### Task 1: A\n\n${text}\n`).tasks).toHaveLength(1)
  })
})
