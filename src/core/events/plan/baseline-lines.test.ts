import { describe, expect, test } from 'vitest'
import { aBranch, anAudit, low } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { SAMPLE_EVENTS } from '../../../../test/helpers/sample-events.ts'
import { NO_BRANCHES, type StartFacts } from '../../event-schemas/baseline.ts'
import { baselineLines, baselineNotes, failingLine, formatStartFacts } from './baseline-lines.ts'

test('existing tasks, partly existing tasks and concurrent branches get a line each', () => {
  const audits = [
    anAudit('1', { evidence: 'src/1.ts exists, and test/1.test.ts passes' }),
    anAudit('2', { status: 'PARTIAL', evidence: 'src/2.ts exists, but it adds no test that would prove it' }),
    anAudit('3', { status: 'MISSING', evidence: 'none of its new files exist' }),
  ]
  const branches = { noticed: [aBranch('login', '2')], more: 1, trouble: null }
  expect(baselineLines({ audits, branches })).toEqual([
    'task 1 already exists and is skipped: src/1.ts exists, and test/1.test.ts passes',
    'task 2 partly exists: src/2.ts exists, but it adds no test that would prove it',
    'branch `login` is 2 commits ahead of the start commit and touches `src/2.ts` (task 2); it is left alone',
    '1 more branch may touch the same files',
  ])
})

test('an empty baseline has no lines, and a failed survey of branches has one', () => {
  expect(baselineLines({ audits: [], branches: NO_BRANCHES })).toEqual([])
  expect(baselineLines({ audits: [], branches: { ...NO_BRANCHES, trouble: 'git\nfailed' } })).toEqual([
    'cannot read the branches: git failed',
  ])
})

test('the lines stay few and short, however much was found', () => {
  const many = Array.from({ length: 40 }, (_, at) => String(at))
  const audits = many.map((task) => anAudit(task, { evidence: 'x'.repeat(5000) }))
  const tasks = many.map((task) => ({ task, files: ['a.ts'], more: 0 }))
  const noticed = many.map((name) => aBranch(name.repeat(200), '1', { tasks }))
  const lines = baselineLines({ audits, branches: { noticed, more: 3, trouble: null } })
  expect(lines.length).toBe(12)
  for (const line of lines) expect(line.length).toBeLessThan(400)
  expect(lines.at(-1)).toBe('38 more branches may touch the same files')
})

describe('the lines for the current state', () => {
  const plan = () =>
    new PlayedPlan([low('1'), low('2')]).tell({
      ...SAMPLE_EVENTS['plan.baselined'],
      audits: [],
      branches: { noticed: [aBranch('login', '1')], more: 0, trouble: null },
    })

  test('list a branch until the tasks that it touches are done', () => {
    expect(baselineNotes(plan().state).join()).toContain('branch `login`')
    expect(baselineNotes(plan().complete('1').state)).toEqual([])
  })

  test('are empty before there is a baseline', () => {
    expect(baselineNotes(new PlayedPlan([low('1')]).state)).toEqual([])
  })
})

test.each([
  [[], []],
  [['a'], ['1 test fails already, and will not count against the work: a']],
  [['a', 'b', 'c', 'd'], ['4 tests fail already, and will not count against the work: a, b, c and 1 more']],
])('the tests %j that failed before any work are named in %j', (failing, lines) => {
  expect(failingLine(failing)).toEqual(lines)
})

test.each<[string, Partial<StartFacts>]>([
  ['12 files, 2 of 3 tests pass', {}],
  ['1 file, 2 of 3 tests pass', { files: 1 }],
  ['12 files, the tests pass', { tests: { outcome: 'passed', counts: null } }],
  ['12 files, the tests fail', { tests: { outcome: 'failed', counts: null } }],
  ['12 files, no tests ran', { tests: { outcome: 'not_run', counts: null } }],
  ['12 files, no test command', { tests: { outcome: 'none', counts: null } }],
  [
    '12 files, 2 of 3 tests pass, lint fails',
    { checks: [{ gate: 'lint', outcome: 'failed', summary: 'it exited with 1' }] },
  ],
])('a start commit is described as "%s"', (text, facts) => {
  const { start } = SAMPLE_EVENTS['plan.baselined']
  expect(start === null ? null : formatStartFacts({ ...start, ...facts })).toBe(text)
})
