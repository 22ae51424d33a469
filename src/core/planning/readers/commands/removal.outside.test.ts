import { expect, test } from 'vitest'
import { leavesRepository, wordLeaves } from './removal.ts'

test.each(['~/x', '/etc/x', '../x', 'a/../../x', '$HOME/x', 'C:\\x', '/x'])(
  '%s in a list of files is outside',
  (path) => {
    expect(leavesRepository(path)).toBe(true)
  },
)

test.each(['a/b', './a', 'a/../b', '.env', '...', 'apps/.../x.ts'])('%s is inside', (path) => {
  expect(leavesRepository(path)).toBe(false)
})

test('in commands only known roots and paths through .. leave the repository', () => {
  expect(
    ['~/a', '/Users/me', '/tmp/x', '--out=/tmp/x', '>/tmp/x', '../x', '/etc'].every((word) =>
      wordLeaves(word, ''),
    ),
  ).toBe(true)
  expect(
    ['/api/health', '/dev/null', '2>/dev/null', 'a/b', 's|^a/|../|', '-x', '..*'].some((word) =>
      wordLeaves(word, ''),
    ),
  ).toBe(false)
})

test('a path through .. is resolved from the folder of the command', () => {
  expect(wordLeaves('../../shared', 'packages/a')).toBe(false)
  expect(wordLeaves('../../../shared', 'packages/a')).toBe(true)
})
