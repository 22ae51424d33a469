/** The folder in a clone for what a worker hands to Bosun. */
import { existsSync, lstatSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { NOW, openLab, provisioningIn, sh, takeSnapshot, userRepository, write } from './lab.ts'
import { provision } from '../../src/workspaces/clones/provision.ts'

test('a clone has one, which its git passes over, and nothing in it is collected or saved', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  expect(clone.outbox).toBe('.bosun')
  expect(lstatSync(join(clone.path, '.bosun')).isDirectory()).toBe(true)
  write(clone.path, { 'src/a.js': 'changed\n', '.bosun/report.json': '{}', '.bosun/checkins/one.json': '{}' })
  expect(sh(clone.path, 'status', '--porcelain')).toBe('M src/a.js')
  const taken = await takeSnapshot(clone, { atMs: NOW })
  expect(taken).toMatchObject({ ok: true, changed: ['src/a.js'], unsaved: [] })
  expect(lab.look('ls-tree', '-r', '--name-only', taken.salvage ?? '')).not.toContain('.bosun')
})

test('one that the worker replaced by a link is not collected either', async () => {
  const lab = await openLab(userRepository())
  const clone = await lab.clone()
  rmSync(join(clone.path, '.bosun'), { recursive: true })
  symlinkSync('/etc', join(clone.path, '.bosun'))
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: [] })
})

test('its content is gone when the folder is used again', async () => {
  const lab = await openLab(userRepository())
  const first = await lab.clone('w-shop-1-1')
  write(first.path, { '.bosun/report.json': '{}' })
  await lab.clones.release('w-shop-1-1', NOW)
  const second = await lab.clone('w-shop-2-1')
  expect(second.path).toBe(first.path)
  expect(existsSync(join(second.path, '.bosun'))).toBe(true)
  expect(existsSync(join(second.path, '.bosun/report.json'))).toBe(false)
})

test('the same worker finds what it left, also after a restart of Bosun', async () => {
  const lab = await openLab(userRepository())
  write((await lab.clone()).path, { '.bosun/report.json': '{}' })
  const again = await lab.clone()
  expect(again.outbox).toBe('.bosun')
  expect(existsSync(join(again.path, '.bosun/report.json'))).toBe(true)
})

test('where the repository holds that name, in any case, the outbox has another', async () => {
  const root = userRepository()
  write(root, { '.Bosun/own.md': 'x\n', '.bosun-worker': 'y\n' })
  sh(root, 'add', '-A')
  sh(root, 'commit', '-qm', 'Own')
  const lab = await openLab(root)
  const clone = await lab.clone()
  expect(clone.outbox).toBe('.bosun-worker-2')
  write(clone.path, { '.Bosun/own.md': 'changed\n', '.bosun-worker-2/report.json': '{}' })
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: ['.Bosun/own.md'] })
})

test('it is beside what the set-up left, and git passes over both', async () => {
  const lab = await openLab(userRepository())
  const parts = provisioningIn(lab, { setup: 'mkdir deps && echo 1 > deps/one' })
  const given = { ports: [], signal: new AbortController().signal }
  const start = { commit: lab.user.base.commit, tree: null }
  const clone = await lab.clones.acquire('w-shop-1-1', start, (room) => provision(parts, room, given))
  write(clone.path, { '.bosun/report.json': '{}' })
  expect(sh(clone.path, 'status', '--porcelain')).toBe('')
  expect(await takeSnapshot(clone, { atMs: NOW })).toMatchObject({ ok: true, changed: [] })
})
