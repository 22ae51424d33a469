import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ReturnedFolders } from './returned-folders.ts'

let folder: string
let returned: ReturnedFolders
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bosun-returned-'))
  returned = new ReturnedFolders(join(folder, 'returned'), 1)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function aRoot(name: string, text: string | null = null): string {
  const root = join(folder, name)
  mkdirSync(root)
  if (text === null) return root
  mkdirSync(join(root, 'deps/a'), { recursive: true })
  writeFileSync(join(root, 'deps/a/index'), text)
  writeFileSync(join(root, 'deps/other'), text)
  return root
}
const read = (root: string): string => readFileSync(join(root, 'deps/a/index'), 'utf8')
const run = (root: string, script: string): void =>
  expect(spawnSync('sh', ['-c', script], { cwd: root, env: process.env }).status).toBe(0)

test('a folder that came back unchanged moves to the next root, without what was added', async () => {
  const one = aRoot('one', 'fresh')
  await returned.lend('key', one, ['deps'])
  run(one, 'mkdir -p deps/.cache/x && echo 1 > deps/.cache/x/y && echo 2 > deps/a/new && cat deps/a/index')
  await returned.giveBack(one)
  expect(existsSync(join(one, 'deps'))).toBe(false)
  const two = aRoot('two')
  expect(await returned.take('key', two)).toBe(true)
  expect(read(two)).toBe('fresh')
  expect(new Set(readdirSync(join(two, 'deps'), { recursive: true, encoding: 'utf8' }))).toEqual(
    new Set(['a', 'a/index', 'other']),
  )
  await returned.giveBack(two)
  const three = aRoot('three')
  expect([await returned.take('other', three), await returned.take('key', three)]).toEqual([false, true])
  expect(await returned.take('key', aRoot('four'))).toBe(false)
})

describe('a folder does not come back', () => {
  test.each([
    ['in which a file was changed', 'echo spoiled > deps/a/index'],
    [
      'in which a file was changed and set to its old time',
      'touch -r deps/a/index t && echo wrong > deps/a/index && touch -r t deps/a/index',
    ],
    ['in which a file was replaced', 'cp deps/a/index x && mv x deps/a/index'],
    ['in which a file may be executed now', 'chmod +x deps/a/index'],
    ['in which a file has another name elsewhere', 'ln deps/a/index kept'],
    ['in which a file is gone', 'rm deps/a/index'],
    ['in which a folder is a link', 'mv deps/a elsewhere && ln -s ../elsewhere deps/a'],
    ['in which a folder was closed', 'chmod 555 deps/a'],
    ['in which a folder was replaced', 'cp -a deps/a x && rm -r deps/a && mv x deps/a'],
    ['that is a link', 'mv deps elsewhere && ln -s elsewhere deps'],
    ['that is gone', 'rm -r deps'],
  ])('%s', async (_, script) => {
    const one = aRoot('one', 'fresh')
    await returned.lend('key', one, ['deps'])
    run(one, script)
    await returned.giveBack(one)
    expect(await returned.take('key', aRoot('two'))).toBe(false)
    run(one, 'chmod -R u+w .')
  })

  test('whose files had other names before', async () => {
    const one = aRoot('one', 'fresh')
    run(one, 'ln deps/a/index kept')
    await returned.lend('key', one, ['deps'])
    await returned.giveBack(one)
    expect(await returned.take('key', aRoot('two'))).toBe(false)
  })

  test('that was changed while it was unused', async () => {
    const one = aRoot('one', 'fresh')
    await returned.lend('key', one, ['deps'])
    await returned.giveBack(one)
    run(folder, 'echo spoiled > "$(echo returned/*/0)/a/index"')
    expect(await returned.take('key', aRoot('two'))).toBe(false)
    expect(readdirSync(join(folder, 'returned'))).toEqual([])
  })

  test('in which something was put while it was unused', async () => {
    const one = aRoot('one', 'fresh')
    await returned.lend('key', one, ['deps'])
    await returned.giveBack(one)
    run(folder, 'echo spoiled > "$(echo returned/*/0)/a/new"')
    expect(await returned.take('key', aRoot('two'))).toBe(false)
  })

  test('that was given up', async () => {
    const one = aRoot('one', 'fresh')
    await returned.lend('key', one, ['deps'])
    returned.forget(one)
    await returned.giveBack(one)
    expect(read(one)).toBe('fresh')
  })
})

test('files with two names within the folder come back', async () => {
  const one = aRoot('one', 'fresh')
  run(one, 'ln deps/a/index deps/again')
  await returned.lend('key', one, ['deps'])
  await returned.giveBack(one)
  expect(await returned.take('key', aRoot('two'))).toBe(true)
})

test('no more are kept than asked for, and a sweep removes them', async () => {
  const [one, two] = [aRoot('one', 'fresh'), aRoot('two', 'fresh')]
  await returned.lend('key', one, ['deps'])
  await returned.lend('key', two, ['deps'])
  await Promise.all([returned.giveBack(one), returned.giveBack(two)])
  expect(readdirSync(join(folder, 'returned'))).toHaveLength(1)
  await new ReturnedFolders(join(folder, 'returned'), 1).sweep()
  expect(await returned.take('key', aRoot('three'))).toBe(false)
})
