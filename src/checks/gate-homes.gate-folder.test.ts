import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeGateFolder, removeLeftGateFolders } from './gate-homes.ts'

let folder: string
/** `bosun-gate`, who counts, process, its start, and something of its own. */
let own: readonly string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-gates-'))
  const made = makeGateFolder()
  rmSync(made, { recursive: true })
  own = /^(bosun-gate)-(\w+)-(\d+)-(\w+)-(\w+)$/.exec(basename(made))?.slice(1) ?? []
})
afterEach(() => rmSync(folder, { recursive: true }))

const make = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(join(path, 'home'), { recursive: true })
  writeFileSync(join(path, 'home', 'cache'), '')
  return path
}
/** The name of this process's own, with other parts. */
const named = (parts: { space?: string; pid?: number; start?: string }): string => {
  const [prefix, space, pid, start] = own
  return [prefix, parts.space ?? space, parts.pid ?? pid, parts.start ?? start, 'abcdef'].join('-')
}

test('the folder of a gate goes once its process is no more, and not before', async () => {
  const kept = make(named({}))
  const { pid } = spawnSync('true')
  make(named({ pid }))
  // The number is another process's now.
  make(named({ start: 'other' }))
  await removeLeftGateFolders(folder)
  expect(readdirSync(folder)).toEqual([basename(kept)])
})

test('a folder that cannot be removed is reported, and the others are still removed', async () => {
  const { pid } = spawnSync('true')
  const stuck = make(named({ pid, start: 'stuck' }))
  make(named({ pid }))
  const remove = async (path: string): Promise<void> => {
    if (path === stuck) throw new Error('busy')
    rmSync(path, { recursive: true })
  }
  await expect(removeLeftGateFolders(folder, remove)).rejects.toThrow('busy')
  expect(readdirSync(folder)).toEqual([basename(stuck)])
})

test('folders of other PID namespaces stay', async () => {
  const { pid } = spawnSync('true')
  const theirs = make(named({ space: 'other', pid }))
  await removeLeftGateFolders(folder)
  expect(existsSync(join(theirs, 'home', 'cache'))).toBe(true)
})

test('folders that are not of gates stay', async () => {
  const elsewhere = make('elsewhere')
  make('bosun-gate-ABCdef')
  const { pid } = spawnSync('true')
  symlinkSync(elsewhere, join(folder, named({ pid })))
  writeFileSync(join(folder, named({ pid, start: 'file' })), '')
  await removeLeftGateFolders(folder)
  expect(readdirSync(folder)).toHaveLength(4)
  expect(existsSync(join(elsewhere, 'home', 'cache'))).toBe(true)
})

test('its name leaves room for the paths of sockets', () => {
  expect(own.join('-').length).toBeLessThan(45)
})
