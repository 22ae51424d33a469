import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { handIn } from '../worker-folders.ts'
import { outboxReport, workerFolder, type WorkerFolder } from '../worker-folder.ts'
import { readLastReport, reportPaths } from './report-file.ts'

let folder: WorkerFolder
let outbox: string
beforeEach(() => {
  folder = workerFolder(mkdtempSync(join(tmpdir(), 'bosun-report-')))
  outbox = join(folder.path, 'clone/.bosun')
  mkdirSync(folder.agentFolder)
  mkdirSync(outbox, { recursive: true })
})
afterEach(() => rmSync(folder.path, { recursive: true }))

const write = (path: string, text: string, second: number): void => {
  writeFileSync(path, text)
  utimesSync(path, second, second)
}
const last = () => readLastReport(reportPaths(folder, outbox))
const LEFT = '{"explanation":"left"}'
const SENT = '{"explanation":"sent"}'

test('a handed-in report counts when the agent folder has none', () => {
  expect(handIn(folder, { explanation: 'sent' })).toBe(true)
  expect(last()).toEqual({ text: `${SENT}\n`, problem: null })
})

test.each([
  ['handed in later', 1, 2, SENT],
  ['left in the agent folder later', 2, 1, LEFT],
])('of two whole reports the one that was %s counts', (_, left, sent, counts) => {
  write(folder.report, LEFT, left)
  write(folder.handedIn, SENT, sent)
  expect(last()).toEqual({
    text: counts,
    problem: null,
    note: 'it left 2 different reports; the last complete one counts',
  })
})

test('the same report in two ways is one report', () => {
  write(folder.report, `${SENT}\n`, 1)
  write(folder.handedIn, SENT, 2)
  expect(last()).toEqual({ text: SENT, problem: null })
})

test('an incomplete report file does not replace the handed-in report', () => {
  write(folder.handedIn, SENT, 1)
  write(folder.report, '{"explanation":', 2)
  expect(last().text).toBe(SENT)
})

test('without a complete report, the report file is returned with its problem', () => {
  write(folder.report, '{"explanation":', 2)
  expect(last()).toEqual({ text: '{"explanation":', problem: null })
})

test('a report is refused after its worker has ended', () => {
  writeFileSync(folder.result, '{}')
  expect(handIn(folder, { explanation: 'late' })).toBe(false)
})

test('a report in the outbox counts, and so does a later one in the agent folder', () => {
  write(outboxReport(outbox), SENT, 1)
  expect(last()).toEqual({ text: SENT, problem: null })
  write(folder.report, LEFT, 2)
  expect(last().text).toBe(LEFT)
})

test('a worker without an outbox reports in its agent folder', () => {
  write(outboxReport(outbox), SENT, 2)
  write(folder.report, LEFT, 1)
  expect(readLastReport(reportPaths(folder, null)).text).toBe(LEFT)
})

test.each([
  ['outbox', 'the folder of the report is a symbolic link; Bosun does not follow it'],
  ['report', 'the report is a symbolic link; Bosun does not follow it'],
])('a symbolic link in place of the %s is not followed', (which, problem) => {
  const elsewhere = join(folder.path, 'elsewhere')
  mkdirSync(elsewhere)
  write(join(elsewhere, 'report.json'), LEFT, 1)
  if (which === 'report') symlinkSync(join(elsewhere, 'report.json'), outboxReport(outbox))
  else {
    rmSync(outbox, { recursive: true })
    symlinkSync(elsewhere, outbox)
  }
  expect(last()).toEqual({ text: null, problem })
})
