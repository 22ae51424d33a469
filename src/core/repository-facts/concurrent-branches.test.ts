import { describe, expect, test } from 'vitest'
import { expectedPaths, noticeBranches, type BranchFacts } from './concurrent-branches.ts'

const task = (
  id: string,
  expected: { create?: string[]; modify?: string[]; remove?: string[]; tests?: string[] },
) => ({
  id,
  files: { create: expected.create ?? [], modify: expected.modify ?? [], delete: expected.remove ?? [] },
  testsToAdd: expected.tests ?? [],
})

const branch = (
  name: string,
  touched: readonly string[],
  fields: Partial<BranchFacts> = {},
): BranchFacts => ({
  name,
  sha: `sha-${name}`,
  ahead: 1,
  isWhole: true,
  at: 0,
  touched,
  ...fields,
})

const names = (...noticing: Parameters<typeof noticeBranches>) =>
  noticeBranches(...noticing).noticed.map(({ name }) => name)

describe('a branch is noticed where it touches an expected file', () => {
  const tasks = [
    task('1', { create: ['src/a.js'], tests: ['test/a.test.js'] }),
    task('2', { modify: ['./src/b.js'], remove: ['old.js'], create: ['docs/'] }),
  ]

  test.each([
    ['a file to be made', ['src/a.js'], '1'],
    ['a test to be added', ['test/a.test.js'], '1'],
    ['a file to be changed', ['src/b.js'], '2'],
    ['a file to be deleted', ['old.js'], '2'],
    ['a file in a folder the task expects', ['docs/deep/x.md'], '2'],
  ])('%s', (_, touched, id) => {
    const { noticed } = noticeBranches(tasks, [branch('x', touched)])
    expect(noticed).toMatchObject([{ name: 'x', tasks: [{ task: id, files: touched, more: 0 }] }])
    expect(noticed[0]).not.toHaveProperty('touched')
  })

  test('and not where it touches other files', () => {
    expect(names(tasks, [branch('x', ['src/a.jsx', 'src', 'lib/src/a.js'])])).toEqual([])
  })

  test('for each task that expects the file', () => {
    const both = [task('1', { modify: ['a.js'] }), task('2', { modify: ['a.js', 'b.js'] })]
    const { noticed } = noticeBranches(both, [branch('x', ['a.js', 'b.js'])])
    expect(noticed[0]?.tasks).toEqual([
      { task: '1', files: ['a.js'], more: 0 },
      { task: '2', files: ['a.js', 'b.js'], more: 0 },
    ])
  })
})

test('patterns and paths outside the repository match no branch', () => {
  expect(
    expectedPaths(task('1', { create: ['src/*.js', 'a.js', '../x', '/etc/passwd'], tests: ['a.js'] })),
  ).toEqual(['a.js'])
})

test('branches are sorted by created files, then by touched files, then by age', () => {
  const tasks = [task('1', { create: ['new.js'], modify: ['a.js', 'b.js'] })]
  const branches = [
    branch('old', ['a.js'], { at: 1 }),
    branch('recent', ['a.js'], { at: 2 }),
    branch('wide', ['a.js', 'b.js']),
    branch('maker', ['new.js']),
  ]
  expect(names(tasks, branches)).toEqual(['maker', 'wide', 'recent', 'old'])
})

test('the list of branches is limited, and the rest is counted', () => {
  const paths = Array.from({ length: 30 }, (_, at) => `src/${at}.js`)
  const tasks = Array.from({ length: 300 }, (_, at) => task(String(at), { modify: paths }))
  const branches = Array.from({ length: 50 }, (_, at) => branch(`b${at}`, paths))
  const { noticed, more } = noticeBranches(tasks, branches)
  expect([noticed.length, more]).toEqual([20, 30])
  expect(noticed[0]?.tasks.length).toBe(100)
  expect(noticed[0]?.tasks[0]).toMatchObject({ files: paths.slice(0, 5), more: 25 })
})
