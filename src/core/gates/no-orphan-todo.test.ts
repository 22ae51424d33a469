import { describe, expect, test } from 'vitest'
import { noOrphanTodo } from './no-orphan-todo.ts'

const check = (path: string, ...texts: readonly string[]) => {
  const added = texts.map((text, place) => ({ line: place + 3, text }))
  return noOrphanTodo({
    change: {
      base: 'b',
      files: [{ path, kind: 'modified', isBinary: false, lines: [], removed: [], added }],
    },
    trees: { after: () => null },
    followUps: () => ['7', 'T-08'],
  })
}

describe('a TODO without a follow-up task fails', () => {
  test.each([
    ['src/a.ts', '// TODO: handle errors'],
    ['src/a.py', 'x = 1  # FIXME'],
    ['src/a.c', '/* HACK around it */'],
    ['src/a.sql', '-- XXX slow'],
    ['src/a.rs', "fn f<'a>(x: &'a str) {} // TODO it's slow"],
    ['src/a.ts', "throw new Error('TODO: implement')"],
    ['src/a.ts', "const it = `don't` // TODO(later)"],
    ['src/a.ts', "const url = 'http://a.b' // TODO"],
    ['docs/a.md', '- TODO write this'],
    ['docs/a.md', 'And then (TODO: say more).'],
    ['src/a.ts', '// TODO(task-70): not in the plan'],
    ['src/a.ts', '// TODO(#1234) in no tracker of ours'],
  ])('%s: %s', (path, text) => {
    const { outcome, evidence } = check(path, text)
    expect(outcome).toBe('failed')
    expect(evidence.findings).toMatchObject([{ weight: 'blocks', file: path, line: 3 }])
  })
})

describe('a follow-up task makes it good', () => {
  test.each([
    '// TODO(task-7): later',
    '// TODO(7) later',
    '// FIXME see task 7',
    '# TODO #7',
    '// TODO [t-08]',
    '// HACK, task-t-08',
  ])('%s', (text) => {
    expect(check('src/a.ts', text)).toMatchObject({
      outcome: 'passed',
      summary: '1 TODO with a follow-up task',
    })
  })
})

describe('words that only look like it are left alone', () => {
  test.each([
    ['src/a.ts', "const title = 'TODO list'"],
    ['src/a.ts', "it('shows the TODO column', () => {})"],
    ['src/a.ts', 'const TODO_LIST = []'],
    ['src/a.sh', 'mktemp /tmp/XXXXXX'],
    ['src/a.ts', 'todo.add(item)'],
    ['docs/a.md', 'Lines with `TODO` are counted.'],
    ['docs/a.md', 'A TODO list for teams'],
    ['package-lock.json', '"integrity": "sha512-TODO"'],
  ])('%s: %s', (path, text) => {
    expect(check(path, text).outcome).toBe('passed')
  })
})

test('many with a follow-up task do not hide one without', () => {
  const lines = [...Array.from({ length: 300 }, () => '// TODO task-7'), '// TODO: some day']
  expect(check('src/a.ts', ...lines)).toMatchObject({
    outcome: 'failed',
    summary: '1 TODO without a follow-up task',
  })
})

test('a TODO that a person has let through is said and does not fail again; another one does', () => {
  const added = [
    { line: 3, text: '// TODO: the rest' },
    { line: 9, text: '// TODO: more' },
  ]
  const change = {
    base: 'b',
    files: [{ path: 'src/a.ts', kind: 'modified', isBinary: false, lines: [], removed: [], added }],
  } as const
  const letThrough = [
    { file: 'src/a.ts', text: 'TODO without a follow-up task: // TODO: the rest', by: 'ada' },
  ]
  const { outcome, evidence } = noOrphanTodo({
    change,
    trees: { after: () => null },
    followUps: () => [],
    letThrough,
  })
  expect(outcome).toBe('failed')
  expect(evidence.findings.map(({ weight, line, text }) => `${weight} ${line} ${text}`)).toEqual([
    'blocks 9 TODO without a follow-up task: // TODO: more',
    'note 3 TODO without a follow-up task: // TODO: the rest (let through by ada)',
  ])
})
