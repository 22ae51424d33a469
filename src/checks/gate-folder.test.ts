import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeGateFolder, removeLeftGateFolders } from './gate-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-gates-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const make = (name: string): string => {
  const path = join(folder, name)
  mkdirSync(join(path, 'home'), { recursive: true })
  writeFileSync(join(path, 'home', 'cache'), '')
  return path
}

test('the folder of a gate goes once its process is no more, and not before', async () => {
  const own = makeGateFolder()
  const kept = make(basename(own))
  const { pid } = spawnSync('true')
  make(`bosun-gate-${pid}-12345-abc`)
  // The number is another process's now.
  make(`bosun-gate-${process.pid}-1-abc`)
  await removeLeftGateFolders(folder)
  expect(readdirSync(folder)).toEqual([basename(kept)])
  rmSync(own, { recursive: true })
})

test('what is not a folder of a gate stays', async () => {
  const elsewhere = make('elsewhere')
  make('bosun-gate-ABCdef')
  symlinkSync(elsewhere, join(folder, 'bosun-gate-1-1-abc'))
  writeFileSync(join(folder, 'bosun-gate-2-1-abc'), '')
  await removeLeftGateFolders(folder)
  expect(readdirSync(folder).toSorted()).toEqual(
    ['bosun-gate-1-1-abc', 'bosun-gate-2-1-abc', 'bosun-gate-ABCdef', 'elsewhere'].toSorted(),
  )
  expect(existsSync(join(elsewhere, 'home', 'cache'))).toBe(true)
})
