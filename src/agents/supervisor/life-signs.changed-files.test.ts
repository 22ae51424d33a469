import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChangedFiles, hasChangedSince } from './life-signs.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-changed-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const LATER = Date.now() * 2
const changedAt = (path: string): number => statSync(join(folder, path)).ctimeMs

/** The clock of a file system ticks every few milliseconds: writes until it has. */
function writeAnew(path: string): void {
  const before = statSync(join(folder, path), { throwIfNoEntry: false })?.ctimeMs ?? 0
  do writeFileSync(join(folder, path), 'x')
  while (changedAt(path) <= before)
}

test('sees a change at any depth once, and no earlier change', () => {
  mkdirSync(join(folder, 'a/b'), { recursive: true })
  writeAnew('a/b/c.txt')
  const files = new ChangedFiles({ folder, outbox: null }, changedAt('a/b/c.txt'))
  expect(files.look(LATER)).toBe(false)
  writeAnew('a/b/c.txt')
  expect([files.look(LATER), files.look(LATER)]).toEqual([true, false])
})

test('a file that claims to be from the future is no sign of life', () => {
  writeAnew('future.txt')
  utimesSync(join(folder, 'future.txt'), new Date('2100-01-01'), new Date('2100-01-01'))
  const files = new ChangedFiles({ folder, outbox: null }, changedAt('future.txt'))
  expect(files.look(LATER)).toBe(false)
})

test('a clock that was set back hides no change', () => {
  writeAnew('a.txt')
  const files = new ChangedFiles({ folder, outbox: null }, LATER)
  expect(files.look(changedAt('a.txt') - 1)).toBe(true)
})

test('installed dependencies are skipped, and a removed folder has no changes', () => {
  mkdirSync(join(folder, 'node_modules/left-pad'), { recursive: true })
  const files = new ChangedFiles({ folder, outbox: null }, changedAt('node_modules'))
  writeAnew('node_modules/left-pad/index.js')
  expect(files.look(LATER)).toBe(false)
  expect(new ChangedFiles({ folder: join(folder, 'none'), outbox: null }, 0).look(LATER)).toBe(false)
})

test('a large folder is scanned in several steps', () => {
  for (let at = 0; at < 4500; at++) writeFileSync(join(folder, String(at)), '')
  const names = readdirSync(folder)
  const files = new ChangedFiles({ folder, outbox: null }, Math.max(...names.map(changedAt)))
  const looks = [files.look(LATER)]
  writeAnew(names.at(-1) ?? '')
  for (let look = 0; look < 3; look++) looks.push(files.look(LATER))
  expect(looks).toEqual([false, true, false, false])
})

test('what a worker puts into its outbox does not count as a changed file', () => {
  const outbox = join(folder, '.bosun')
  mkdirSync(outbox)
  writeFileSync(join(outbox, 'report.json'), '{}')
  expect(hasChangedSince({ folder, outbox: null }, 0)).toBe(true)
  expect(hasChangedSince({ folder, outbox }, 0)).toBe(false)
  expect(new ChangedFiles({ folder, outbox }, 0).look(LATER)).toBe(false)
})
