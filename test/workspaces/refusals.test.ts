/** What may not land is refused with a reason each, and saved all the same. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOW, openLab, sh, takeSnapshot, userRepository, write } from './lab.ts'

const REFUSED: readonly [string, (root: string) => void, { path: string; reason: string }][] = [
  ['a repository in the tree', (root) => nested(root, 'pkg'), { path: 'pkg', reason: 'nested_repository' }],
  [
    'a .git folder that is no repository',
    (root) => write(root, { 'pkg/.git/x': '1' }),
    { path: 'pkg', reason: 'nested_repository' },
  ],
  [
    'a .git file',
    (root) => write(root, { 'pkg/.git': 'gitdir: /elsewhere' }),
    { path: 'pkg', reason: 'nested_repository' },
  ],
  ['.GIT', (root) => write(root, { '.GIT/config': 'x' }), { path: '.GIT', reason: 'git_name' }],
  ['git~1', (root) => write(root, { 'd/git~1': 'x' }), { path: 'd/git~1', reason: 'git_name' }],
  [
    '.git with an unseen character',
    (root) => write(root, { '.g\u200cit/hooks/x': 'x' }),
    { path: '.g\u200cit', reason: 'git_name' },
  ],
  ['.git with a tail', (root) => write(root, { '.git ./x': 'x' }), { path: '.git .', reason: 'git_name' }],
  ['a backslash', (root) => write(root, { 'a\\b': 'x' }), { path: 'a\\b', reason: 'bad_name' }],
  [
    'an absolute link',
    (root) => symlinkSync('/etc/passwd', join(root, 'p')),
    { path: 'p', reason: 'link_leaves_tree' },
  ],
  [
    'a link upwards',
    (root) => symlinkSync('../../x', join(root, 'src/p')),
    { path: 'src/p', reason: 'link_leaves_tree' },
  ],
  [
    'attributes as a link',
    (root) => symlinkSync('README.md', join(root, '.gitattributes')),
    { path: '.gitattributes', reason: 'link_read_by_git' },
  ],
  [
    'a pipe',
    (root) => execFileSync('mkfifo', [join(root, 'src/pipe')]),
    { path: 'src/pipe', reason: 'special' },
  ],
  [
    'a large file',
    (root) => write(root, { big: Buffer.alloc(2_000, 1) }),
    { path: 'big', reason: 'file_too_large' },
  ],
  [
    'much in all',
    (root) =>
      write(root, {
        a1: Buffer.alloc(900),
        a2: Buffer.alloc(900),
        a3: Buffer.alloc(900),
        a4: Buffer.alloc(900),
      }),
    { path: '.', reason: 'too_much_in_all' },
  ],
  [
    'many files',
    (root) => write(root, Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`f${at}`, '']))),
    { path: '.', reason: 'too_many_files' },
  ],
  [
    'a long path',
    (root) => write(root, { [`${'long-folder-name/'.repeat(70)}f`]: 'x' }),
    { path: `${'long-folder-name/'.repeat(70)}f`, reason: 'path_too_long' },
  ],
  [
    'other submodules',
    (root) => write(root, { '.gitmodules': '[submodule "x"]' }),
    { path: '.gitmodules', reason: 'submodules_changed' },
  ],
]

function nested(root: string, path: string): void {
  mkdirSync(join(root, path))
  sh(join(root, path), 'init', '-q')
  write(join(root, path), { 'inner.txt': 'inner bytes' })
  sh(join(root, path), 'add', '-A')
  sh(join(root, path), 'commit', '-q', '-m', 'inner')
}

test.each(REFUSED)('%s is refused, and saved all the same', async (_, spoil, expected) => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  spoil(clone.path)
  write(clone.path, { 'src/a.js': 'kept\n' })
  const limits = { maxFileBytes: 1_000, maxTotalBytes: 3_000, maxFiles: 20 }
  const taken = await takeSnapshot(clone, { atMs: NOW, limits })
  expect(taken).toMatchObject({ ok: false, why: 'refused', unsaved: [] })
  if (taken.ok || taken.why !== 'refused') return
  expect(taken.refused).toContainEqual(expected)
  expect(lab.look('show', `${taken.salvage}:src/a.js`)).toBe('kept')
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
})

test('the bytes of what is refused are in what was saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  nested(clone.path, 'pkg')
  write(clone.path, { '.GIT/config': 'evil bytes', 'a\\b': 'slash bytes' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  const show = (path: string) => lab.look('show', `${taken.salvage}:${path}`)
  expect(show('pkg/inner.txt')).toBe('inner bytes')
  expect(show('.bosun-salvage/refused/=.GIT/config')).toBe('evil bytes')
  expect(show('.bosun-salvage/refused/=a%5cb')).toBe('slash bytes')
  expect(show('.bosun-salvage/refused/pkg/=.git/HEAD')).toMatch(/^ref:/)
})

test('a name that is no text is refused and saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  writeFileSync(Buffer.concat([Buffer.from(`${clone.path}/caf`), Buffer.from([0xe9])]), 'latin')
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ refused: [{ path: 'caf\u{fffd}', reason: 'bad_name' }], unsaved: [] })
  expect(lab.look('show', `${taken.salvage}:.bosun-salvage/refused/=caf%e9`)).toBe('latin')
})

test('files and folders a worker closed are opened, saved, and cleared away', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'closed/inner/x.txt': 'inside', 'secret.sh': 'shut' })
  chmodSync(join(clone.path, 'secret.sh'), 0o100)
  chmodSync(join(clone.path, 'closed/inner'), 0o000)
  chmodSync(join(clone.path, 'closed'), 0o000)
  const saved = await lab.clones.release('w-shop-1-1', NOW)
  expect(saved).toMatchObject({ kind: 'free' })
  const next = await lab.clone('w-shop-1-2')
  expect(sh(next.path, 'status', '--porcelain', '--ignored')).toBe('')
  expect(lab.look('show', 'refs/salvage/w-shop-1-1:closed/inner/x.txt')).toBe('inside')
  expect(lab.look('ls-tree', 'refs/salvage/w-shop-1-1', 'secret.sh')).toMatch(/^100755/)
})
