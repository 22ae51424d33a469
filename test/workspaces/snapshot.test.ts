import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { saveWork } from '../../src/workspaces/saved-work/work-snapshot.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { collect, FILES, NOW, openLab, sh, takeSnapshot, userRepository, write, type Lab } from './lab.ts'

const names = (lab: Lab, tree: string) => lab.look('ls-tree', '-r', '--name-only', tree).split('\n')

test('everything a worker wrote is in the tree, and the user sees none of it', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'export const a = 2\n', 'new/x y.txt': 'new\n', 'run.sh': '#!/bin/sh\n' })
  chmodSync(join(clone.path, 'run.sh'), 0o755)
  rmSync(join(clone.path, 'docs/notes.md'))
  symlinkSync('../README.md', join(clone.path, 'src/readme'))
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, unsaved: [] })
  if (!taken.ok) return
  const changed = lab.look('diff-tree', '-r', '--name-only', lab.user.base.tree, taken.tree).split('\n')
  expect(changed).toEqual(['docs/notes.md', 'new/x y.txt', 'run.sh', 'src/a.js', 'src/readme'])
  expect(lab.look('ls-tree', taken.tree, 'run.sh')).toMatch(/^100755/)
  expect(lab.look('show', `${taken.tree}:src/a.js`)).toBe('export const a = 2')
  expect(sh(lab.user.root, 'status', '--porcelain')).toBe('')
})

test('an untouched work tree is the base', async () => {
  const lab = await openLab(userRepository())
  const taken = await takeSnapshot(await lab.clone(), { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, tree: lab.user.base.tree })
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
  expect(taken).toMatchObject({ ok: true, changed: ['src/a.js'], salvage: saved?.commit })
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

describe('a collected tree is the same when asked again, whatever is on disk by then', () => {
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['where all that was made is in it', {}, false],
    ['where something is ignored', { 'x.log': 'ignored' }, false],
    ['where git converts what is stored', { '.gitattributes': '*.js text\n', 'src/b.js': 'b\r\n' }, false],
    ['where something was saved before', {}, true],
  ])('%s', async (_, files, isSavedBefore) => {
    const lab = await openLab(userRepository())
    const clone = await lab.clone()
    if (isSavedBefore) {
      write(clone.path, { 'src/a.js': 'half done\n' })
      await saveWork(clone, NOW)
    }
    write(clone.path, { 'src/a.js': 'done\n', ...files })
    const first = await collect(clone, { atMs: NOW })
    expect(first).toMatchObject({ ok: true, isNew: true })
    write(clone.path, { 'src/a.js': 'too late\n' })
    await saveWork(clone, NOW + 500)
    expect(await collect(clone, { atMs: NOW + 1_000 })).toEqual({ ...first, isNew: false })
    expect(lab.look('rev-parse', 'refs/collected/w-shop-1-1^1')).toBe(lab.user.base.commit)
  })
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
  expect((await lab.user.notices()).map((one) => one.kind)).toContain('filters')
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
  expect((await lab.user.notices()).map((one) => one.kind)).toContain('submodules')
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

/** Writes, moves and deletes files and folders as fast as it can, until it is ended. */
const BUSY = `const fs = require('fs'); process.send('ready')
for (let at = 0; ; at++) {
  const folder = 'busy/' + (at % 7), file = folder + '/' + (at % 13)
  try {
    if (at % 5 === 4) fs.rmSync(folder, { recursive: true, force: true })
    else if (at % 11 === 10) { fs.rmSync(file, { recursive: true, force: true }); fs.mkdirSync(file, { recursive: true }) }
    else { fs.mkdirSync(folder, { recursive: true }); fs.writeFileSync(file, String(at).repeat(at % 5000)) }
  } catch {}
}`

test('a worker that goes on writing does not stop its work from being saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'steady\n' })
  const busy = spawn(process.execPath, ['-e', BUSY], {
    cwd: clone.path,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(busy, 'message')
  try {
    for (let round = 0; round < 8; round++) {
      const saved = await saveWork(clone, NOW)
      expect(lab.look('show', `${saved?.commit}:src/a.js`)).toBe('steady')
    }
  } finally {
    busy.kill('SIGKILL')
    await once(busy, 'exit')
  }
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, unsaved: [] })
  expect(lab.look('fsck', '--strict', '--no-dangling')).toBe('')
})
