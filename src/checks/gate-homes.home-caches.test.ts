import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { expireTestResults, HomeCaches } from './gate-homes.ts'

let folder: string
let caches: HomeCaches
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-caches-'))
  caches = new HomeCaches(join(folder, 'kept'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function aHome(name: string, files: Readonly<Record<string, string>> = {}): string {
  const home = join(folder, name)
  mkdirSync(home)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  return home
}
const COMPILED = '.cache/ccache/1/object'
const read = (home: string): string => readFileSync(join(home, COMPILED), 'utf8')

test('every home gets its own copy of what compilers kept, and of nothing else', async () => {
  await caches.keep(aHome('base', { [COMPILED]: 'compiled', '.cache/other/x': '1', '.config/tool': '2' }))
  for (const name of ['one', 'two']) {
    const home = aHome(name)
    await caches.give(home)
    expect(read(home)).toBe('compiled')
    expect([readdirSync(home), readdirSync(join(home, '.cache'))]).toEqual([['.cache'], ['ccache']])
    writeFileSync(join(home, COMPILED), 'spoiled', { flag: 'r+' })
  }
})

test('the caches of a later baseline replace the earlier ones', async () => {
  await caches.keep(aHome('base', { [COMPILED]: 'first' }))
  await caches.keep(aHome('later', { [COMPILED]: 'second' }))
  const home = aHome('one')
  await caches.give(home)
  expect(read(home)).toBe('second')
  expect(readdirSync(join(folder, 'kept'))).toHaveLength(1)
})

test.each([
  ['changed', (object: string) => writeFileSync(object, 'spoilt!!', { flag: 'r+' })],
  ['added', (object: string) => writeFileSync(`${object}-2`, 'more')],
])('caches in which something was %s since are not used', async (_, change) => {
  await caches.keep(aHome('base', { [COMPILED]: 'compiled' }))
  const [kept = ''] = readdirSync(join(folder, 'kept'))
  change(join(folder, 'kept', kept, '0/1/object'))
  const home = aHome('one')
  await caches.give(home)
  expect(readdirSync(home)).toEqual([])
})

test('what a link in a home leads to is not kept', async () => {
  const elsewhere = aHome('elsewhere', { 'ccache/1/object': 'compiled' })
  const home = aHome('base')
  symlinkSync(elsewhere, join(home, '.cache'))
  await caches.keep(home)
  expect(existsSync(join(elsewhere, 'ccache/1/object'))).toBe(true)
  await caches.give(aHome('one'))
  expect(readdirSync(join(folder, 'one'))).toEqual([])
})

test('a home without results of tests stays as it is', () => {
  const home = aHome('one')
  expireTestResults(home)
  expect(readdirSync(home)).toEqual([])
})
