import { expect, test } from 'vitest'
import { isGitName, linkProblem, nameProblem } from './path-rules.ts'

test.each([
  '.git',
  '.GIT',
  '.Git',
  'git~1',
  'GIT~2',
  '.git.',
  '.git ',
  '.git. .',
  '.g\u200cit',
  '\ufeff.git',
  '.git::$INDEX_ALLOCATION',
  '.git:x',
])('%j is a name for .git', (name) => {
  expect(isGitName(name)).toBe(true)
  expect(nameProblem(`deep/${name}/config`)).toBe('git_name')
})

test.each([
  '.gitignore',
  '.github',
  'git',
  'git~',
  'x.git',
  '.git2',
  'agit~1',
  'A.git',
  '-git~1',
  '_.git',
  '.gitkeep',
])('%j is an ordinary name', (name) => expect(nameProblem(`src/${name}`)).toBeNull())

test.each([
  ['a/../b', 'bad_name'],
  ['a//b', 'bad_name'],
  ['a\\b', 'bad_name'],
  ['.gitattributes/x', 'bad_name'],
  ['caf\u{fffd}', 'bad_name'],
  [`${'d/'.repeat(500)}f`, 'path_too_long'],
])('%j is refused', (path, why) => expect(nameProblem(path)).toBe(why))

test.each([
  ['notes.md', '/etc/passwd', 'link_leaves_tree'],
  ['notes.md', '../x', 'link_leaves_tree'],
  ['a/b/link', '../../../x', 'link_leaves_tree'],
  ['a/link', 'b/../../../x', 'link_leaves_tree'],
  ['a/link', '../.git/config', 'link_leaves_tree'],
  ['.gitattributes', 'other', 'link_read_by_git'],
  ['sub/.gitmodules', 'other', 'link_read_by_git'],
])('a link %s to %s is refused', (path, target, why) => expect(linkProblem(path, target)).toBe(why))

test.each([
  ['a/b/link', '../../x'],
  ['link', 'a/b'],
  ['a/link', './b'],
  ['a/link', '..'],
])('a link %s to %s stays in the tree', (path, target) => expect(linkProblem(path, target)).toBeNull())
