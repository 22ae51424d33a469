import { expect, test } from 'vitest'
import { errorDocument } from '../client/error-document.ts'
import { Refusal } from '../lib/refusal.ts'
import { errorText, explainError } from './explain-error.ts'
import { styleOf } from './terminal/terminal.ts'

const plain = styleOf('plain')

test('a refusal is shown with its own message and remedy', () => {
  const report = explainError(new Refusal({ code: 'conflict', message: 'it is held', remedy: 'Wait.' }))
  expect(report.code).toBe('conflict')
  expect(errorText(report, plain)).toBe('error: it is held\n  Wait.\n')
  expect(errorDocument(report)).toEqual({
    schema: 'bosun.error/v1',
    error: { code: 'conflict', message: 'it is held', remedy: 'Wait.' },
  })
})

test('every fault has its own line with its place', () => {
  const fault = (line: number) => ({
    file: 'bosun.yaml',
    line,
    message: `wrong ${line}`,
    remedy: `Mend ${line}.`,
  })
  const report = explainError(
    new Refusal({ code: 'failed', message: 'two', remedy: 'x', faults: [fault(1), fault(2)] }),
  )
  expect(errorText(report, plain)).toBe(
    'bosun.yaml:1: error: wrong 1\n  Mend 1.\nbosun.yaml:2: error: wrong 2\n  Mend 2.\n',
  )
  expect(errorDocument(report)).toMatchObject({ error: { problems: [{ line: 1 }, { line: 2 }] } })
})

test('an error that brings a remedy is no fault of Bosun', () => {
  const error = Object.assign(new Error('the log stops'), { remedy: 'Import a backup.' })
  expect(explainError(error)).toMatchObject({
    code: 'failed',
    message: 'the log stops',
    remedy: 'Import a backup.',
  })
})

test.each([
  ['ENOENT', 'not_found'],
  ['EISDIR', 'failed'],
  ['EACCES', 'failed'],
  ['ENOSPC', 'failed'],
])('the system error %s is %s and names the path', (code, kind) => {
  const error = Object.assign(new Error(`${code}: blah, open 'x'`), { code, path: 'docs/x.md' })
  const report = explainError(error)
  expect(report.code).toBe(kind)
  expect(report.message).toMatch(/^docs\/x\.md: /)
})

test.each([[new TypeError('x is not a function\n    at y')], ['a string'], [undefined], [null]])(
  'whatever else is thrown (%s) is a fault of Bosun, in one line',
  (thrown) => {
    const report = explainError(thrown)
    expect(report.code).toBe('internal')
    expect(report.message).not.toContain('\n')
    expect(report.remedy).toContain('report')
  },
)

test('a disk without free inodes differs from one without space', () => {
  const error = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', path: '/state/daemon.json' })
  const room = { path: '/state', bytes: 0, totalBytes: 1, isOutOfFiles: true }
  expect(explainError(error, () => room).message).toBe('/state/daemon.json: no free inodes on the disk')
  expect(explainError(error, () => ({ ...room, isOutOfFiles: false })).message).toBe(
    '/state/daemon.json: no space left on device',
  )
})
