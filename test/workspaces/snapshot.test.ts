import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { collect, saveWork, takeSnapshot } from '../../src/workspaces/snapshot.ts'
import { SNAPSHOT_LIMITS } from '../../src/workspaces/survey.ts'
import { FILES, NOW, openLab, sh, tempFolder, userRepository, write, type Lab } from './lab.ts'

const names = (lab: Lab, tree: string) => lab.look('ls-tree', '-r', '--name-only', tree).split('\n')

test('everything a worker wrote is in the tree, and the user sees none of it', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'export const a = 2\n', 'new/x y.txt': 'new\n', 'run.sh': '#!/bin/sh\n' })
  chmodSync(join(clone.path, 'run.sh'), 0o755)
  rmSync(join(clone.path, 'docs/notes.md'))
  symlinkSync('../README.md', join(clone.path, 'src/readme'))
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, ignored: 0, unsaved: [] })
  if (!taken.ok) return
  expect(taken.changed).toEqual(['docs/notes.md', 'new/x y.txt', 'run.sh', 'src/a.js', 'src/readme'])
  expect(lab.look('ls-tree', taken.tree, 'run.sh')).toMatch(/^100755/)
  expect(lab.look('show', `${taken.tree}:src/a.js`)).toBe('export const a = 2')
  expect(sh(lab.user.root, 'status', '--porcelain')).toBe('')
})

test('an untouched work tree is the base', async () => {
  const lab = await openLab(userRepository())
  const taken = await takeSnapshot(await lab.clone(), { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, tree: lab.user.base.tree, changed: [] })
})

test('a file turned into a folder and a folder into a file are read as such', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  rmSync(join(clone.path, 'README.md'))
  write(clone.path, { 'README.md/part.md': 'part' })
  rmSync(join(clone.path, 'src'), { recursive: true })
  write(clone.path, { src: 'a file now' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken.ok && names(lab, taken.tree)).toEqual([
    '.gitignore',
    'README.md/part.md',
    'docs/notes.md',
    'src',
  ])
})

test('what a worker commits, stages, branches and stashes is read as changes', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/c.js': 'c\n' })
  sh(clone.path, 'checkout', '-q', '-b', 'mine')
  sh(clone.path, 'add', '-A')
  sh(clone.path, 'commit', '-q', '-m', 'My own')
  sh(clone.path, 'branch', '-f', 'main')
  write(clone.path, { 'src/d.js': 'd\n' })
  sh(clone.path, 'update-index', '--assume-unchanged', 'src/a.js')
  write(clone.path, { 'src/a.js': 'hidden\n', '.git/info/exclude': '*\n' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: ['src/a.js', 'src/c.js', 'src/d.js'] })
  expect(lab.look('for-each-ref', 'refs/heads')).toBe('')
})

test('commits that are no longer in the work tree can be got back from what was saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/c.js': 'only in a commit\n' })
  sh(clone.path, 'add', '-A')
  sh(clone.path, 'commit', '-q', '-m', 'My own')
  const made = sh(clone.path, 'rev-parse', 'HEAD')
  sh(clone.path, 'checkout', '-q', lab.user.base.commit)
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: [], unsaved: [] })
  const copy = join(tempFolder(), 'copy')
  mkdirSync(copy)
  execFileSync('sh', [
    '-c',
    `git --git-dir="$1" archive "$2" | tar -x -C "$3"`,
    '-',
    lab.quarantine.place.gitDir,
    taken.salvage ?? '',
    copy,
  ])
  renameSync(join(copy, '.bosun-salvage/git/=.git'), join(copy, '.git'))
  mkdirSync(join(copy, '.git/refs'), { recursive: true })
  expect(sh(copy, 'show', `${made}:src/c.js`)).toBe('only in a commit')
})

test('ignored files are no part of the tree, are counted, and are saved while they are small', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'debug.log': 'log', 'node_modules/x/index.js': 'x', 'src/a.js': 'changed\n' })
  for (let at = 0; at < 600; at++) write(clone.path, { [`lib/node_modules/m${at}.js`]: 'm' })
  const saved = await saveWork(clone, NOW)
  expect(saved?.ignoredLeftOut).toEqual(['lib/node_modules'])
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, ignored: 3, changed: ['src/a.js'], salvage: saved?.commit })
  expect(lab.look('show', `${taken.salvage}:.bosun-salvage/ignored/debug.log`)).toBe('log')
  expect(lab.look('show', `${taken.salvage}:.bosun-salvage/ignored/node_modules/x/index.js`)).toBe('x')
})

test('a worker cannot hide a file of the tree behind an ignore rule', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { '.gitignore': '*\n', 'src/a.js': 'changed\n' })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({
    ok: true,
    changed: ['.gitignore', 'src/a.js'],
  })
})

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
  const taken = await takeSnapshot(clone, { atMs: NOW, limits: SNAPSHOT_LIMITS })
  const show = (path: string) => lab.look('show', `${taken.salvage}:${path}`)
  expect(show('pkg/inner.txt')).toBe('inner bytes')
  expect(show('.bosun-salvage/refused/=.GIT/config')).toBe('evil bytes')
  expect(show('.bosun-salvage/refused/=a%5cb')).toBe('slash bytes')
  expect(show('.bosun-salvage/refused/pkg/=.git/HEAD')).toMatch(/^ref:/)
})

test('a work tree that is gone, or a link to elsewhere, is missing; what was saved before stays named', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'saved\n' })
  const saved = await saveWork(clone, NOW)
  rmSync(clone.path, { recursive: true })
  expect(await takeSnapshot(clone, { atMs: NOW })).toEqual({
    ok: false,
    why: 'missing',
    salvage: saved?.commit,
  })
  symlinkSync(lab.user.root, clone.path)
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: false, why: 'missing' })
  expect(await saveWork(clone, NOW)).toBeNull()
  expect(await lab.clones.release('w-shop-1-1', NOW)).toEqual({ kind: 'free', salvage: null })
})

test('saving twice is one commit; saving something else goes on top of it', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'first\n' })
  const first = await saveWork(clone, NOW)
  expect((await saveWork(clone, NOW + 5_000))?.commit).toBe(first?.commit)
  write(clone.path, { 'src/a.js': 'second\n' })
  const second = await saveWork(clone, NOW + 9_000)
  expect(lab.look('rev-list', 'refs/salvage/w-shop-1-1').split('\n')).toEqual([
    second?.commit,
    first?.commit,
    lab.user.base.commit,
  ])
})

test('a collected tree is the same when asked again, whatever is on disk by then', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'done\n', 'x.log': 'ignored' })
  const first = await collect(clone, { atMs: NOW })
  write(clone.path, { 'src/a.js': 'too late\n' })
  expect(await collect(clone, { atMs: NOW + 1_000 })).toEqual(first)
})

test('line ends and encodings are stored as the attributes say, and saved as they are', async () => {
  const lab = await openLab(
    userRepository({
      files: {
        ...FILES,
        '.gitattributes': '*.bat eol=crlf\n*.txt working-tree-encoding=UTF-16LE\n',
        'run.bat': 'echo\n',
        'same.bat': 'same\n',
      },
    }),
  )
  const clone = await lab.clone()
  expect(readFileSync(join(clone.path, 'run.bat'), 'utf8')).toBe('echo\r\n')
  write(clone.path, { 'run.bat': 'echo more\r\n', 'u.txt': Buffer.from('wide', 'utf16le') })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: ['run.bat', 'u.txt'] })
  if (!taken.ok) return
  expect(lab.look('cat-file', '-s', `${taken.tree}:run.bat`)).toBe('10')
  expect(lab.look('cat-file', '-s', `${taken.salvage}:run.bat`)).toBe('11')
  expect(lab.look('show', `${taken.tree}:u.txt`)).toBe('wide')
  write(clone.path, { 'odd.txt': 'odd' })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({
    refused: [{ path: 'odd.txt', reason: 'not_encodable' }],
  })
})

const POINTER = 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n'

test('a file under a filter may not change, but a Git LFS pointer may', async () => {
  const lab = await openLab(
    userRepository({
      files: { ...FILES, '.gitattributes': '*.bin filter=lfs\n*.enc filter=crypt\n', 'a.bin': POINTER },
    }),
  )
  expect(lab.user.notices.map((one) => one.kind)).toContain('filters')
  const clone = await lab.clone()
  expect(readFileSync(join(clone.path, 'a.bin'), 'utf8')).toBe(POINTER)
  write(clone.path, { 'b.bin': POINTER })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: ['b.bin'] })
  write(clone.path, { 'a.bin': 'real content', 'k.enc': 'x' })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({
    refused: [
      { path: 'a.bin', reason: 'filtered' },
      { path: 'k.enc', reason: 'filtered' },
    ],
  })
})

test('submodules stay as they are; what is put into one is refused and saved', async () => {
  const root = userRepository()
  const sub = userRepository({ files: { 'lib.c': 'int x;\n' } })
  sh(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub, 'vendor/lib')
  sh(root, 'commit', '-q', '-m', 'Add lib')
  const lab = await openLab(root)
  expect(lab.user.notices.map((one) => one.kind)).toContain('submodules')
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'changed\n' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: ['src/a.js'] })
  expect(taken.ok && lab.look('ls-tree', taken.tree, 'vendor/lib')).toBe(
    sh(root, 'ls-tree', 'HEAD', 'vendor/lib'),
  )
  write(clone.path, { 'vendor/lib/own.c': 'own bytes' })
  const spoilt = await takeSnapshot(clone, { atMs: NOW })
  expect(spoilt).toMatchObject({ refused: [{ path: 'vendor/lib', reason: 'in_submodule' }], unsaved: [] })
  expect(lab.look('show', `${spoilt.salvage}:.bosun-salvage/refused/vendor/lib/own.c`)).toBe('own bytes')
  rmSync(join(clone.path, 'vendor'), { recursive: true })
  write(clone.path, { vendor: 'a file instead' })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({
    refused: [{ path: 'vendor', reason: 'submodules_changed' }],
    unsaved: [],
  })
  rmSync(join(clone.path, 'vendor'))
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, tree: taken.ok && taken.tree })
})

test('a folder swapped for a link to elsewhere gives nothing of elsewhere away', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  const outside = tempFolder()
  write(outside, { 'a.js': 'secret outside', 'deep/b.js': 'secret outside' })
  rmSync(join(clone.path, 'src'), { recursive: true })
  symlinkSync(outside, join(clone.path, 'src'))
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ refused: [{ path: 'src', reason: 'link_leaves_tree' }] })
  expect(lab.look('ls-tree', '-r', '--name-only', taken.salvage ?? '').split('\n')).not.toContain('src/a.js')
  await lab.clones.release('w-shop-1-1', NOW)
  await lab.clone('w-shop-1-2')
  expect(readFileSync(join(outside, 'a.js'), 'utf8')).toBe('secret outside')
  expect(existsSync(join(outside, 'deep/b.js'))).toBe(true)
})

test('a name that is no text is refused and saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  writeFileSync(Buffer.concat([Buffer.from(`${clone.path}/caf`), Buffer.from([0xe9])]), 'latin')
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ refused: [{ path: 'caf\u{fffd}', reason: 'bad_name' }], unsaved: [] })
  expect(lab.look('show', `${taken.salvage}:.bosun-salvage/refused/=caf%e9`)).toBe('latin')
})
