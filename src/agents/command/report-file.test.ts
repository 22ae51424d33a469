import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handIn } from '../hand-in.ts'
import { workerFolder, type WorkerFolder } from '../worker-folder.ts'
import { readLastReport } from './report-file.ts'

let folder: WorkerFolder
beforeEach(() => {
  folder = workerFolder(mkdtempSync(join(tmpdir(), 'bosun-report-')))
  mkdirSync(folder.desk)
})
afterEach(() => rmSync(folder.path, { recursive: true }))

const write = (path: string, text: string, second: number): void => {
  writeFileSync(path, text)
  utimesSync(path, second, second)
}
const LEFT = '{"explanation":"left"}'
const SENT = '{"explanation":"sent"}'

test('a handed-in report counts when the desk folder has none', () => {
  expect(handIn(folder, { explanation: 'sent' })).toBe(true)
  expect(readLastReport(folder)).toEqual({ text: `${SENT}\n`, problem: null })
})

test.each([
  ['handed in later', 1, 2, SENT],
  ['left on the desk later', 2, 1, LEFT],
])('of two whole reports the one that was %s counts', (_, left, sent, counts) => {
  write(folder.report, LEFT, left)
  write(folder.handedIn, SENT, sent)
  expect(readLastReport(folder).text).toBe(counts)
})

test('an incomplete report file does not replace the handed-in report', () => {
  write(folder.handedIn, SENT, 1)
  write(folder.report, '{"explanation":', 2)
  expect(readLastReport(folder).text).toBe(SENT)
})

test('without a complete report, the report file is returned with its problem', () => {
  write(folder.report, '{"explanation":', 2)
  expect(readLastReport(folder)).toEqual({ text: '{"explanation":', problem: null })
})

test('a report is refused after its worker has ended', () => {
  writeFileSync(folder.result, '{}')
  expect(handIn(folder, { explanation: 'late' })).toBe(false)
})
