import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClonePool } from '../../src/workspaces/clones/clone-pool.ts'
import { Quarantine } from '../../src/workspaces/quarantine.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { FILES, NOW, openLab, sh, takeSnapshot, userRepository, write } from './lab.ts'

test('a worker finds an ordinary repository: the base, on no branch, with its history and no remote', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  expect(sh(clone.path, 'status', '--porcelain', '--branch')).toBe('## HEAD (no branch)')
  expect(sh(clone.path, 'rev-parse', 'HEAD')).toBe(lab.user.base.commit)
  expect(sh(clone.path, 'remote')).toBe('')
  expect(sh(clone.path, 'log', '--format=%s')).toBe('Start')
  expect(readFileSync(join(clone.path, 'src/a.js'), 'utf8')).toBe(FILES['src/a.js'])
  write(clone.path, { 'src/a.js': 'changed\n' })
  sh(clone.path, 'commit', '-q', '-am', 'Mine')
  expect(sh(clone.path, 'fsck', '--no-dangling')).toBe('')
})

test('nothing a worker does in its clone reaches the objects and refs of the user or of Bosun', async () => {
  const lab = await openLab(userRepository())
  const refs = sh(lab.user.root, 'for-each-ref')
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'x' })
  sh(clone.path, 'add', '-A')
  sh(clone.path, 'commit', '-q', '-m', 'x')
  sh(clone.path, 'branch', '-f', 'main')
  sh(clone.path, 'reflog', 'expire', '--expire=now', '--all')
  sh(clone.path, 'gc', '--quiet', '--prune=now')
  rmSync(join(clone.path, '.git/objects'), { recursive: true })
  expect(sh(lab.user.root, 'for-each-ref')).toBe(refs)
  expect(sh(lab.user.root, 'fsck', '--strict')).toBe('')
  expect(lab.look('fsck', '--strict')).toBe('')
})

test('the same worker gets the same clone, untouched, also after a restart of Bosun', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'half done\n' })
  const again = new ClonePool({ quarantine: lab.quarantine, directory: lab.state })
  const start = { commit: lab.user.base.commit, tree: null }
  expect((await again.acquire('w-shop-1-1', start)).path).toBe(clone.path)
  expect((await again.find('w-shop-1-1'))?.path).toBe(clone.path)
  expect(await again.find('w-shop-9-1')).toBeNull()
  expect(readFileSync(join(clone.path, 'src/a.js'), 'utf8')).toBe('half done\n')
  expect((await again.acquire('w-shop-2-1', start)).path).not.toBe(clone.path)
  expect([...(await again.workers())].sort()).toEqual(['w-shop-1-1', 'w-shop-2-1'])
})

test('a free folder is used again, and nothing of the worker before is left in it', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  const inode = lstatSync(join(clone.path, 'docs/notes.md')).ino
  write(clone.path, {
    'src/a.js': 'changed',
    'x.log': 'log',
    'node_modules/evil/index.js': 'x',
    'pkg/.git/HEAD': 'x',
    '.GIT/x': 'x',
  })
  mkdirSync(join(clone.path, 'empty/folders'), { recursive: true })
  execFileSync('mkfifo', [join(clone.path, 'src/pipe')])
  rmSync(join(clone.path, 'src/deep'), { recursive: true })
  symlinkSync('/etc', join(clone.path, 'src/deep'))
  sh(clone.path, 'config', 'alias.x', '!evil')
  expect(await lab.clones.release('w-shop-1-1', NOW)).toMatchObject({ kind: 'free' })
  const next = await lab.clone('w-shop-1-2')
  expect(next.path).toBe(clone.path)
  expect([...readdirSync(next.path)].sort()).toEqual([
    '.bosun',
    '.git',
    '.gitignore',
    'README.md',
    'docs',
    'src',
  ])
  expect([...readdirSync(join(next.path, 'src'))].sort()).toEqual(['a.js', 'deep'])
  expect(readFileSync(join(next.path, 'src/deep/b.js'), 'utf8')).toBe(FILES['src/deep/b.js'])
  expect(readFileSync(join(next.path, '.git/config'), 'utf8')).not.toContain('evil')
  expect(lstatSync(join(next.path, 'docs/notes.md')).ino).toBe(inode)
  expect(await lab.clones.release('w-shop-7-7', NOW)).toEqual({ kind: 'unknown_worker' })
})

test('a change that keeps size and time is seen all the same', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  const file = join(clone.path, 'src/a.js')
  execFileSync('sh', [
    '-c',
    'cp -p "$1" "$1.ref"; printf "export const a = 9\\n" > "$1"; touch -r "$1.ref" "$1"; rm "$1.ref"',
    '-',
    file,
  ])
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: ['src/a.js'] })
})

test('a later attempt goes on from the draft of the one before', async () => {
  const lab = await openLab(userRepository())
  const first = await lab.clone()
  write(first.path, { 'src/a.js': 'draft\n', 'src/new.js': 'new\n' })
  const draft = await takeSnapshot(first, { atMs: NOW })
  await lab.clones.release('w-shop-1-1', NOW)
  const tree = draft.ok ? draft.tree : ''
  const second = await lab.clones.acquire('w-shop-1-2', { commit: lab.user.base.commit, tree })
  expect(sh(second.path, 'rev-parse', 'HEAD')).toBe(lab.user.base.commit)
  expect(sh(second.path, 'diff', '--name-only', 'HEAD').split('\n')).toEqual(['src/a.js', 'src/new.js'])
  expect(await takeSnapshot(second, { atMs: NOW })).toMatchObject({
    ok: true,
    tree,
    changed: ['src/a.js', 'src/new.js'],
  })
  rmSync(join(second.path, 'src/new.js'))
  expect(await takeSnapshot(second, { atMs: NOW })).toMatchObject({ ok: true, changed: ['src/a.js'] })
})

test('work that could not be saved stays where it is, out of the pool', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  // Larger than what is saved, and takes no room on disk.
  execFileSync('truncate', ['-s', '3G', join(clone.path, 'huge.img')])
  const released = await lab.clones.release('w-shop-1-1', NOW)
  expect(released).toMatchObject({ kind: 'kept', unsaved: ['huge.img'] })
  const path = released.kind === 'kept' ? released.path : ''
  expect(existsSync(join(path, 'huge.img'))).toBe(true)
  const again = new ClonePool({ quarantine: lab.quarantine, directory: lab.state })
  expect([again.kept('w-shop-1-1'), again.kept('w-shop-1-2')]).toEqual([path, null])
  const next = await lab.clone('w-shop-1-2')
  expect(existsSync(join(next.path, 'huge.img'))).toBe(false)
})

test('a folder half made when Bosun died is made again', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  const own = join(lab.state, 'private/clones/1')
  renameSync(join(own, 'note.json'), join(own, 'note.preparing'))
  writeFileSync(join(own, 'index.lock'), '')
  rmSync(join(clone.path, 'src'), { recursive: true })
  expect(await lab.clones.find('w-shop-1-1')).toBeNull()
  expect(existsSync(join((await lab.clone()).path, 'src/a.js'))).toBe(true)
})

test('changes to the notes and folders of a pool from outside are seen', async () => {
  const lab = await openLab(userRepository())
  await lab.clone('w-shop-1-1')
  await lab.clone('w-shop-2-1')
  expect(await lab.clones.workers()).toEqual(['w-shop-1-1', 'w-shop-2-1'])
  rmSync(join(lab.state, 'private/clones/1'), { recursive: true })
  expect(await lab.clones.workers()).toEqual(['w-shop-2-1'])
  rmSync(join(lab.state, 'private/clones/2/note.json'))
  expect(await lab.clones.find('w-shop-2-1')).toBeNull()
  const other = new ClonePool({ quarantine: lab.quarantine, directory: lab.state })
  await other.acquire('w-shop-3-1', { commit: lab.user.base.commit, tree: null })
  expect(await lab.clones.workers()).toEqual(['w-shop-3-1'])
  rmSync(join(lab.state, 'private/clones'), { recursive: true })
  expect(await lab.clones.workers()).toEqual([])
  expect(existsSync(join((await lab.clone('w-shop-4-1')).path, 'src/a.js'))).toBe(true)
  expect(await lab.clones.workers()).toEqual(['w-shop-4-1'])
})

test('locks of a killed git do not stop the next start', async () => {
  const lab = await openLab(userRepository())
  write(lab.quarantine.place.gitDir, { 'refs/salvage/w-shop-1-1.lock': '', 'packed-refs.lock': '' })
  const again = await Quarantine.open({ git: lab.git, directory: lab.state, objectFormat: 'sha1' })
  expect(await again.setRef('refs/salvage/w-shop-1-1', lab.user.base.commit, null)).toBe(lab.user.base.commit)
})

test('a gate gets exactly the tree it asked for, in a folder no worker has', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  write(clone.path, { 'src/a.js': 'proven\n' })
  const taken = await takeSnapshot(clone, { atMs: NOW })
  const tree = taken.ok ? taken.tree : ''
  const one = await lab.checkouts.checkout(tree, lab.user.base.commit)
  const two = await lab.checkouts.checkout(lab.user.base.tree, lab.user.base.commit)
  expect(new Set([one.path, two.path, clone.path]).size).toBe(3)
  expect(readFileSync(join(one.path, 'src/a.js'), 'utf8')).toBe('proven\n')
  write(one.path, { 'src/a.js': 'spoilt by a test\n', 'coverage/x.log': 'x', 'node_modules/m/i.js': 'm' })
  execFileSync('mkfifo', [join(one.path, 'pipe')])
  await one.release()
  await one.release()
  const again = await lab.checkouts.checkout(tree, lab.user.base.commit)
  expect(again.path).toBe(one.path)
  expect([...readdirSync(again.path)].sort()).toEqual(['.git', '.gitignore', 'README.md', 'docs', 'src'])
  expect(sh(again.path, 'status', '--porcelain', '--ignored')).toBe('M  src/a.js')
})

test('a checkout that cannot be cleaned is built anew', async () => {
  const lab = await openLab(userRepository())
  const one = await lab.checkouts.checkout(lab.user.base.tree, lab.user.base.commit)
  await one.release()
  rmSync(one.path, { recursive: true })
  const outside = tempFolder()
  write(outside, { 'src/a.js': 'outside' })
  symlinkSync(outside, one.path)
  const again = await lab.checkouts.checkout(lab.user.base.tree, lab.user.base.commit)
  expect(lstatSync(again.path).isDirectory()).toBe(true)
  expect(readFileSync(join(again.path, 'src/a.js'), 'utf8')).toBe(FILES['src/a.js'])
  expect(readdirSync(outside)).toEqual(['src'])
  expect(readFileSync(join(outside, 'src/a.js'), 'utf8')).toBe('outside')
})
