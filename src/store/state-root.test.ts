import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { refuseOldSqlite } from './open-store.ts'
import { stateRoot } from './root-path.ts'
import { createStateRoot } from './state-root.ts'
import { StoreError } from './store-error.ts'

describe('the state root', () => {
  test.each([
    [{ BOSUN_HOME: '/data/b', XDG_STATE_HOME: '/x' }, '/data/b'],
    [{ BOSUN_HOME: '', XDG_STATE_HOME: '/x' }, '/x/bosun'],
    [{ XDG_STATE_HOME: 'relative' }, '/home/ann/.local/state/bosun'],
    [{ XDG_STATE_HOME: '' }, '/home/ann/.local/state/bosun'],
    [{}, '/home/ann/.local/state/bosun'],
    [{ BOSUN_HOME: 'here' }, resolve('here')],
  ])('of %o is %s', (env, root) => {
    expect(stateRoot(env, '/home/ann')).toBe(root)
  })

  test('is created for its owner alone, with all folders above it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bosun-root-'))
    const root = await createStateRoot(join(folder, 'a', 'b'))
    expect((await stat(root)).mode & 0o777).toBe(0o700)
    expect(await createStateRoot(root)).toBe(root)
    await rm(folder, { recursive: true })
  })
})

test('a root whose path is a file is refused with a remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bosun-root-'))
  await writeFile(join(folder, 'file'), '')
  await expect(createStateRoot(join(folder, 'file', 'state'))).rejects.toMatchObject({
    problem: 'not_writable',
    remedy: expect.stringContaining('BOSUN_HOME'),
  })
  await rm(folder, { recursive: true })
})

describe('SQLite', () => {
  test.each(['3.51.3', '3.51.10', '3.52.0', '4.0.0'])('%s is safe', (version) => {
    expect(() => refuseOldSqlite(version)).not.toThrow()
  })

  test.each(['3.51.2', '3.50.9', '3.7.17', 'unknown'])('%s is refused, with a remedy', (version) => {
    expect(() => refuseOldSqlite(version)).toThrow(StoreError)
  })

  test('of this Node is safe', () => {
    expect(() => refuseOldSqlite()).not.toThrow()
  })
})
