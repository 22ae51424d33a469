import { expect, test } from 'vitest'
import { aChange } from '../../../test/helpers/a-change.ts'
import { renderDiff } from './render-diff.ts'

const WIDE = { perFile: 10_000, total: 10_000 }
const numbered = (count: number, but: Readonly<Record<number, string>> = {}): string =>
  Array.from({ length: count }, (_, at) => `${but[at + 1] ?? at + 1}\n`).join('')

test('a diff shows each hunk with three lines of context, numbered as in git', () => {
  const change = aChange({ 'a.txt': [numbered(20), numbered(20, { 5: 'five', 18: 'new\n18' })] })
  expect(renderDiff(change, WIDE)).toBe(
    [
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -2,7 +2,7 @@',
      ' 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
      '@@ -15,6 +15,7 @@',
      ' 15\n 16\n 17\n+new\n 18\n 19\n 20',
    ].join('\n'),
  )
})

test('a diff marks added, deleted and binary files', () => {
  const change = aChange({ 'new.txt': [null, 'a\n'], 'old.txt': ['b\nc\n', null] })
  const binary = {
    path: 'x.png',
    kind: 'modified',
    added: [],
    removed: [],
    lines: null,
    isBinary: true,
  } as const
  expect(renderDiff({ ...change, files: [...change.files, binary] }, WIDE)).toBe(
    [
      '--- /dev/null\n+++ b/new.txt\n@@ -1,0 +1,1 @@\n+a',
      '--- a/old.txt\n+++ /dev/null\n@@ -1,2 +1,0 @@\n-b\n-c',
      '--- a/x.png\n+++ b/x.png\n[binary, or too large to show]',
    ].join('\n'),
  )
})

test('a long diff notes what it leaves out', () => {
  const change = aChange({ 'a.txt': [null, numbered(500)], 'b.txt': [null, 'b\n'], 'c.txt': [null, 'c\n'] })
  const cut = renderDiff(change, { perFile: 200, total: 10_000 })
  expect(cut).toContain('[the rest of the change to a.txt is not shown;')
  expect(cut).toContain('+c')
  const short = renderDiff(change, { perFile: 10_000, total: 300 })
  expect(short).toContain('[2 more files not shown')
  expect(short.length).toBeLessThan(600)
})
