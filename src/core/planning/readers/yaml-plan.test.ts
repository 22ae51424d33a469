import { describe, expect, test } from 'vitest'
import { parseYamlText } from '../../../lib/files/yaml-text.ts'
import { readYamlPlan } from './yaml-plan.ts'

const read = (text: string) => readYamlPlan('p.yaml', parseYamlText(text))
const problems = (text: string) =>
  read(text).problems.map(({ line, message, remedy }) => [line, message, remedy])

test('a numeric id is read as text', () => {
  const plan = read('plan: 7\ntasks:\n  - { id: 1, title: A }\n  - { id: 2, title: B, depends_on: [1, "x"] }')
  expect(plan.id).toBe('7')
  expect(plan.tasks.map((task) => [task.id, task.line, task.dependsOn?.ids])).toEqual([
    ['1', 3, undefined],
    ['2', 4, ['1', 'x']],
  ])
})

test('a numeric id keeps its spelling, so that 1.10 is not 1.1', () => {
  const plan = read(
    'tasks:\n  - { id: 1.1, title: A }\n  - { id: 1.10, title: B, depends_on: [1.1] }\n  - { id: 007, title: C, depends_on: [1.10] }\n' +
      'integration:\n  - { id: 2.0, after_layer: core, tasks_covered: [1.10], command: "true" }',
  )
  expect(plan.problems).toEqual([])
  expect(plan.tasks.map((task) => [task.id, task.dependsOn?.ids])).toEqual([
    ['1.1', undefined],
    ['1.10', ['1.1']],
    ['007', ['1.10']],
  ])
  expect(plan.integration).toMatchObject([{ id: '2.0', tasksCovered: ['1.10'] }])
})

test('an empty value counts as absent', () => {
  expect(read('design:\ntasks:\n  - { id: 1, title: A, tier: , layer: null }')).toMatchObject({
    design: undefined,
    problems: [],
    tasks: [{ tier: undefined, layer: undefined }],
  })
})

describe('a custom gate', () => {
  const task = (gates: string) => `tasks:\n  - id: 1\n    title: A\n    gates: ${gates}\n`

  test('is judged by its exit code or by the values it prints', () => {
    const [first] = read(
      task(
        '[unit, { name: smoke, command: "sh smoke.sh" }, { numeric: energy, command: node e.js, reference: { e: { value: -1.17, abs: 1e-6 } } }]',
      ),
    ).tasks
    expect([first?.gates, first?.ownGates]).toEqual([
      ['unit'],
      [
        { kind: 'command', name: 'smoke', command: 'sh smoke.sh' },
        {
          kind: 'numeric',
          name: 'energy',
          command: 'node e.js',
          reference: { e: { value: -1.17, abs: 1e-6 } },
        },
      ],
    ])
  })

  test.each([
    ['[{ name: a, comand: b }]', ['tasks[1].gates[1].command: is missing', 'unknown key "comand"']],
    ['[{ name: unit, command: b }]', ['tasks[1].gates[1].name: is the name of a built-in gate']],
    ['[{ name: secrets.x, command: "" }]', ['tasks[1].gates[1].command: is empty']],
    ['[{ name: "a b", command: c }]', ['tasks[1].gates[1].name: is not a valid name']],
    ['[{ name: a, command: git push }]', ['tasks[1].gates[1].command: commits, pushes or leaves']],
    ['[{ numeric: a, command: b }]', ['tasks[1].gates[1].reference: is missing']],
    ['[{ numeric: a, command: b, reference: {} }]', ['tasks[1].gates[1].reference: names no value']],
    [
      '[{ numeric: a, command: b, reference: { e: { value: .nan } } }]',
      ['tasks[1].gates[1].reference.e.value: is not a number'],
    ],
    [
      '[{ numeric: a, command: b, reference: { e: { value: 1, tol: 2 } } }]',
      ['tasks[1].gates[1].reference.e: unknown key "tol"'],
    ],
    [
      '[{ name: a, command: b, reference: { e: { value: 1 } } }]',
      ['tasks[1].gates[1]: unknown key "reference"'],
    ],
    ['[{ name: a, command: b }, { name: a, command: c }]', ['task 1 has two gates named "a"']],
    ['[[unit]]', ['tasks[1].gates[1]: must be one of build']],
  ])('with the mistake %s is reported with its line', (gates, expected) => {
    const found = problems(task(gates))
    expect(found.map(([line, message]) => [line, message])).toEqual(
      expected.map((text) => [4, expect.stringContaining(text)]),
    )
  })
})

describe('mistakes in a YAML plan', () => {
  test('are all reported at once, in the order of their lines', () => {
    const text =
      'titel: x\ntasks:\n  - id: 1\n    titl: A\n    time_budget: 30\n    gates: [unti]\n    breaking_change: maybe\n'
    expect(problems(text)).toEqual([
      [1, 'the plan: unknown key "titel"', 'Did you mean "title"?'],
      [3, 'tasks[1].title: is missing', 'Write title: "text".'],
      [
        6,
        expect.stringContaining('tasks[1].gates[1]: must be one of build, unit'),
        expect.stringContaining('Write one of build'),
      ],
      [7, 'tasks[1].breaking_change: is not true or false', expect.any(String)],
      [5, 'tasks[1].time_budget: is not a text', 'Write a duration, for example time_budget: 30m.'],
      [4, 'tasks[1]: unknown key "titl"', 'Did you mean "title"?'],
    ])
  })

  test.each([
    ['tasks: none', 1, 'tasks: is not a list'],
    ['plan: x', 1, 'tasks: is missing'],
    ['- a', 1, 'the plan is not a mapping'],
    ['tasks: []', 1, 'no tasks found'],
    ['a: 1\ntasks:\n  - id: 1\n   title: A', 4, expect.stringContaining('not valid YAML')],
    ['tasks:\n  - { id: 1, title: "" }', 2, 'tasks[1].title: is empty'],
    ['tasks:\n  - { id: [], title: A }', 2, 'tasks[1].id: is not a text or a number'],
    [
      'tasks:\n  - { id: 1, title: A, time_budget: 0m }',
      2,
      expect.stringContaining('has the invalid duration "0m"'),
    ],
    [
      'tasks:\n  - { id: 1, title: A, security_flags: [magic] }',
      2,
      expect.stringContaining('has the unknown security flag "magic"'),
    ],
    [
      'tasks:\n  - { id: 1, title: A }\nintegration:\n  - { id: x, after_layer: y, command: z, reference: { e: { value: .inf } } }',
      4,
      expect.stringContaining('reference.e.value'),
    ],
    [
      'tasks:\n  - { id: 1, title: A }\nenvironment:\n  migrations: { up: x }',
      4,
      'environment.migrations.down: is missing',
    ],
    ['tasks:\n  - { id: 1, title: A }\nenvironment: { test: 3 }', 3, 'environment.test: has the wrong shape'],
  ])('%j', (text, line, message) => {
    expect(read(text).problems).toContainEqual(
      expect.objectContaining({
        severity: 'error',
        file: 'p.yaml',
        line,
        message,
        remedy: expect.stringMatching(/\S/),
      }),
    )
  })

  test('do not prevent reading the rest of the task', () => {
    const [task] = read('tasks:\n  - { id: 1, title: A, tier: urgent, layer: core }').tasks
    expect(task).toMatchObject({ id: '1', layer: 'core' })
    expect(task?.tier).toBeUndefined()
  })
})

test('commands that push or leave the repository are removed and reported', () => {
  const plan = read(
    'tasks:\n  - id: 1\n    title: A\n    files: { create: [a.ts, /etc/x] }\n    tests_to_run: [npm test && git push, git push]',
  )
  expect(plan.tasks).toMatchObject([{ files: { create: ['a.ts'] }, testsToRun: ['npm test'] }])
  expect(plan.removedSteps.map(({ line, text }) => [line, text])).toEqual([
    [4, 'create /etc/x'],
    [5, 'git push'],
    [5, 'git push'],
  ])
})

test('a task may say whether its new tests fail on the base', () => {
  const { tasks } = read(
    'tasks:\n  - { id: 1, title: A, red_on_base: true }\n  - { id: 2, title: B, red_on_base: false }\n  - { id: 3, title: C, red_on_base: null }\n',
  )
  expect(tasks.map(({ redOnBase }) => redOnBase)).toEqual([true, false, undefined])
})

test('a task may name its requirements, its story and its role, and fields that are only guessed', () => {
  const plan = read(
    'spec: |\n  # Feature: A\ntasks:\n  - { id: 1, title: A, requirements: [R-001], story: S-001, role: tester, inferred: [files] }\n' +
      '  - { id: 2, title: B, role: boss }',
  )
  expect(plan.spec).toBe('# Feature: A\n')
  expect(plan.tasks[0]).toMatchObject({
    requirements: ['R-001'],
    story: 'S-001',
    role: 'tester',
    inferred: ['files'],
  })
  expect(plan.problems.map(({ line }) => line)).toEqual([5])
})
