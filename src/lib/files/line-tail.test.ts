import { appendFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { LineTail } from './line-tail.ts'

const folder = mkdtempSync(join(tmpdir(), 'bosun-tail-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('reads each line once, when it is complete', () => {
  const path = join(folder, 'a')
  const tail = new LineTail(path, 1000)
  expect(tail.read()).toEqual([])
  appendFileSync(path, 'one\ntw')
  expect(tail.read()).toEqual(['one'])
  appendFileSync(path, 'o\n\n')
  expect(tail.read()).toEqual(['two', ''])
  expect(tail.read()).toEqual([])
})

test('a letter that was cut in two is read whole', () => {
  const path = join(folder, 'b')
  const tail = new LineTail(path, 1000)
  const [first, second] = Buffer.from('é')
  appendFileSync(path, Buffer.from([first ?? 0]))
  expect(tail.read()).toEqual([])
  appendFileSync(path, Buffer.from([second ?? 0, 0x0a]))
  expect(tail.read()).toEqual(['é'])
})

test('a line that is too long is passed over, and counted', () => {
  const path = join(folder, 'c')
  const tail = new LineTail(path, 1000)
  appendFileSync(path, `${'x'.repeat(500_000)}\nshort\n`)
  expect([tail.read(), tail.skipped]).toEqual([['short'], 1])
})

test('a file that was cut is read on from its beginning', () => {
  const path = join(folder, 'd')
  const tail = new LineTail(path, 1000)
  appendFileSync(path, 'one\ntwo\nhal')
  expect(tail.read()).toEqual(['one', 'two'])
  truncateSync(path)
  expect(tail.read()).toEqual([])
  appendFileSync(path, 'three\n')
  expect(tail.read()).toEqual(['three'])
})
