/** Workers' workspaces with dependencies and env files, on real git and real commands. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { provision } from '../../src/workspaces/clones/provision.ts'
import { saveWork } from '../../src/workspaces/saved-work/work-snapshot.ts'
import { aBench, dep, draft, FILES, NPM, read, SECRET } from './provisioned-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { collect, NOW, sh, takeSnapshot, write, type Lab } from './lab.ts'

/** Everything the quarantine holds, to look for what must not be there. */
function everyObject(lab: Lab): string {
  const names = lab.look('cat-file', '--batch-all-objects', '--batch-check=%(objectname) %(objecttype)')
  const blobs = names.split('\n').flatMap((line) => (line.endsWith('blob') ? [line.split(' ')[0] ?? ''] : []))
  return execFileSync('git', [`--git-dir=${lab.quarantine.place.gitDir}`, 'cat-file', '--batch'], {
    input: blobs.join('\n'),
    encoding: 'latin1',
    maxBuffer: 256 * 1024 * 1024,
  })
}

describe('dependencies', () => {
  test('are installed once per lock file, and every worker has a copy of its own', async () => {
    const bench = await aBench()
    const one = await bench.prepare('w-shop-1-1')
    writeFileSync(dep(one), 'spoiled', { flag: 'r+' })
    const two = await bench.prepare('w-shop-2-1')
    expect(read(dep(two))).toBe('fresh\n')
    const three = await bench.again().prepare('w-shop-3-1')
    expect(read(dep(three))).toBe('fresh\n')
    expect(bench.installs()).toBe(1)
    expect(two.placed.record.notes.join('\n')).toContain('is already in place')
  })

  test('are installed once also for workers that start together', async () => {
    const bench = await aBench({ setup: `sleep 0.3; ${NPM}` })
    const clones = await Promise.all(['1', '2', '3'].map((task) => bench.prepare(`w-shop-${task}-1`)))
    expect(clones.map((clone) => read(dep(clone)))).toEqual(['fresh\n', 'fresh\n', 'fresh\n'])
    expect(bench.installs()).toBe(1)
  })

  test('are installed each time where no file names them', async () => {
    const bench = await aBench({ files: { 'src/a.js': 'a\n' } })
    await bench.prepare('w-shop-1-1')
    await bench.prepare('w-shop-2-1')
    expect(bench.installs()).toBe(2)
  })

  test('of a draft that installs others are not shared with other workers', async () => {
    const bench = await aBench()
    const same = await draft(bench.lab, { 'src/a.js': 'changed\n' })
    const other = await draft(bench.lab, { 'package-lock.json': '{"lockfileVersion":2}\n' })
    await bench.prepare('w-shop-1-2', { tree: same })
    await bench.prepare('w-shop-2-2', { tree: other })
    await bench.prepare('w-shop-3-2', { tree: other })
    expect(bench.installs()).toBe(3)
    expect(existsSync(join(bench.lab.state, 'cache/workers'))).toBe(false)
    await bench.prepare('w-shop-4-1')
    await bench.prepare('w-shop-5-2', { tree: same })
    expect(bench.installs()).toBe(4)
  })

  test('that name the folder they were made in are used again only there', async () => {
    const setup = 'test -e .venv/here || { mkdir .venv; touch .venv/pyvenv.cfg; pwd > .venv/here; }'
    const bench = await aBench({ setup })
    const one = await bench.prepare('w-shop-1-1')
    const two = await bench.prepare('w-shop-2-1')
    for (const clone of [one, two]) expect(read(join(clone.path, '.venv/here'))).toBe(`${clone.path}\n`)
    expect(bench.installs()).toBe(2)
    await bench.lab.clones.release('w-shop-1-1', NOW)
    const three = await bench.prepare('w-shop-3-1')
    expect([three.path, bench.installs()]).toEqual([one.path, 2])
  })

  test('and whatever else the set-up left are not the worker’s work, and what it changed is put back', async () => {
    const setup = `${NPM}; mkdir out; echo made > out/made; echo made > loose; echo changed > package-lock.json; rm src/a.js`
    const bench = await aBench({ setup })
    for (const worker of ['w-shop-1-1', 'w-shop-2-1']) {
      const clone = await bench.prepare(worker)
      expect(read(join(clone.path, 'package-lock.json'))).toBe(FILES['package-lock.json'])
      expect(read(join(clone.path, 'loose'))).toBe('made\n')
      expect(sh(clone.path, 'status', '--porcelain')).toBe('')
      write(clone.path, { 'src/b.js': 'b\n', 'out/mine': 'mine\n', 'node_modules/more/index.js': 'more\n' })
      const taken = await takeSnapshot(clone, { atMs: NOW })
      expect(taken).toMatchObject({ ok: true, changed: ['out/mine', 'src/b.js'] })
    }
    expect(bench.installs()).toBe(1)
  })

  test('that are in the tree are the tree’s', async () => {
    const files = { ...FILES, 'node_modules/dep/index.js': 'vendored\n' }
    const bench = await aBench({ files, setup: `${NPM}; echo new > node_modules/dep/extra.js` })
    const clone = await bench.prepare('w-shop-1-1')
    expect(read(dep(clone))).toBe('vendored\n')
    write(clone.path, { 'node_modules/dep/index.js': 'patched\n', 'node_modules/new/index.js': 'new\n' })
    const taken = await takeSnapshot(clone, { atMs: NOW })
    expect(taken).toMatchObject({ changed: ['node_modules/dep/index.js', 'node_modules/new/index.js'] })
  })

  test('are detected without a configured set-up', async () => {
    const bench = await aBench()
    const bin = tempFolder()
    writeFileSync(join(bin, 'npm'), `#!/bin/sh\nmkdir node_modules; echo "$@" > node_modules/asked\n`)
    chmodSync(join(bin, 'npm'), 0o755)
    const parts = {
      ...bench.provisioning,
      environment: {},
      processEnv: { ...process.env, PATH: `${bin}:${process.env['PATH']}` },
    }
    const start = { commit: bench.lab.user.base.commit, tree: null }
    const given = { ports: [], signal: new AbortController().signal }
    const clone = await bench.lab.clones.acquire('w-shop-1-1', start, (room) => provision(parts, room, given))
    expect(read(join(clone.path, 'node_modules/asked'))).toBe('ci\n')
  })

  test('are none where there is no set-up', async () => {
    const clone = await (await aBench({ setup: null })).prepare('w-shop-1-1')
    expect(existsSync(join(clone.path, 'node_modules'))).toBe(false)
    expect(read(join(clone.path, '.env'))).toBe(SECRET)
  })
})

describe('env files', () => {
  test('are placed, also for the set-up, and gone when the folder is given back', async () => {
    const bench = await aBench({
      setup: `${NPM}; cat .env > node_modules/saw-length; test -s config/local/.env`,
    })
    const clone = await bench.prepare('w-shop-1-1')
    expect(read(join(clone.path, '.env'))).toBe(SECRET)
    expect(read(join(clone.path, 'config/local/.env'))).toBe('DEEP=1\n')
    await bench.lab.clones.removeSecrets('w-shop-1-1')
    expect(existsSync(join(clone.path, '.env'))).toBe(false)
    await bench.lab.clones.release('w-shop-1-1', NOW)
    expect(readdirSync(clone.path).sort()).toEqual(['.git', 'package-lock.json', 'package.json', 'src'])
  })

  test.each([
    ['not ignored', {}],
    ['ignored', { '.gitignore': '.env\nconfig\nnotes\n' }],
  ])('never become an object, whatever the worker does with them: %s', async (_, more) => {
    const bench = await aBench({ files: { ...FILES, ...more } })
    const clone = await bench.prepare('w-shop-1-1')
    write(clone.path, { 'src/b.js': 'b\n', notes: 'kept\n' })
    sh(clone.path, 'add', '-A')
    sh(clone.path, 'commit', '-qm', 'Everything')
    expect(sh(clone.path, 'ls-files')).not.toContain('.env')
    sh(clone.path, 'add', '-f', '.env')
    sh(clone.path, 'commit', '-qm', 'By force')
    const own = (): string => bench.lab.look('ls-tree', '-r', '--name-only', 'refs/salvage/w-shop-1-1')
    // Objects that a worker made are saved as they are, packed and unreadable to a search.
    const object = sh(clone.path, 'hash-object', '.env').replace(/^../, '$&/')
    await saveWork(clone, NOW)
    expect(own()).toContain('/git/')
    expect(own()).not.toContain(object)
    sh(clone.path, 'gc', '-q')
    expect(globSync('.git/objects/pack/*.pack', { cwd: clone.path })).toHaveLength(1)
    await saveWork(clone, NOW)
    expect(own()).not.toMatch(/\.pack$/m)
    const taken = await collect(clone, { atMs: NOW })
    expect(taken).toMatchObject({ ok: true })
    if (taken.ok) expect(bench.lab.look('ls-tree', '-r', '--name-only', taken.tree)).not.toContain('.env')
    await bench.lab.clones.release('w-shop-1-1', NOW)
    expect(everyObject(bench.lab)).not.toContain('do-not-tell')
    expect(everyObject(bench.lab)).toContain('kept')
  })

  test('in a copy are refused and not saved', async () => {
    const bench = await aBench()
    const clone = await bench.prepare('w-shop-1-1')
    write(clone.path, { 'docs/example.txt': SECRET, 'src/b.js': 'b\n' })
    const taken = await takeSnapshot(clone, { atMs: NOW })
    expect(taken).toMatchObject({
      ok: false,
      refused: [{ path: 'docs/example.txt', reason: 'copy_of_env_file' }],
    })
    expect(everyObject(bench.lab)).not.toContain('do-not-tell')
  })

  test('that say what the repository says are no secret', async () => {
    const bench = await aBench({ files: { ...FILES, '.env.example': SECRET } })
    const clone = await bench.prepare('w-shop-1-1')
    write(clone.path, { '.env.test': SECRET })
    expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: ['.env.test'] })
  })

  test('that are in the tree are the tree’s, and the worker’s to change', async () => {
    const bench = await aBench({ files: { ...FILES, '.env': 'PUBLIC=1\n' } })
    const clone = await bench.prepare('w-shop-1-1')
    expect(read(join(clone.path, '.env'))).toBe('PUBLIC=1\n')
    write(clone.path, { '.env': 'PUBLIC=2\n' })
    expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ changed: ['.env'] })
  })

  test('are not among what is kept for the next worker', async () => {
    const bench = await aBench({ setup: `${NPM}; mkdir -p config/local; echo x > config/local/other` })
    await bench.prepare('w-shop-1-1')
    const kept = globSync('**/*', { cwd: join(bench.lab.state, 'cache/workers') }).join('\n')
    expect(kept).toContain('other')
    expect(kept).not.toContain('.env')
  })

  test('are not removed through a link that the worker put in the way', async () => {
    const bench = await aBench()
    const elsewhere = tempFolder()
    write(elsewhere, { 'local/.env': 'somebody else’s\n' })
    const clone = await bench.prepare('w-shop-1-1')
    rmSync(join(clone.path, 'config'), { recursive: true })
    symlinkSync(elsewhere, join(clone.path, 'config'))
    await bench.lab.clones.removeSecrets('w-shop-1-1')
    await bench.lab.clones.release('w-shop-1-1', NOW)
    expect(existsSync(join(elsewhere, 'local/.env'))).toBe(true)
  })
})

test('a folder that is used again holds nothing of what its last worker did to what was placed', async () => {
  const bench = await aBench()
  const one = await bench.prepare('w-shop-1-1')
  write(one.path, {
    '.env': 'TOKEN=changed\n',
    'node_modules/dep/index.js': 'spoiled',
    'node_modules/evil.js': 'x',
  })
  mkdirSync(join(one.path, 'node_modules/.cache'))
  await bench.lab.clones.release('w-shop-1-1', NOW)
  const two = await bench.prepare('w-shop-2-1')
  expect(two.path).toBe(one.path)
  expect(read(join(two.path, '.env'))).toBe(SECRET)
  expect(readdirSync(join(two.path, 'node_modules'))).toEqual(['dep'])
  expect(read(dep(two))).toBe('fresh\n')
})
