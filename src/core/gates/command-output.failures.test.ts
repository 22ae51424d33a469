import { expect, test } from 'vitest'
import { failuresIn, failuresPrinted } from './command-output.ts'
import { blocking, note, verdict } from './verdicts.ts'

const failuresOf = (summary: string, findings = [blocking('fails: a')]) =>
  verdict('unit', 'failed', summary, { findings }).evidence.failures

test('a failing test has the same name in every run, whatever else runs beside it', () => {
  const alone = failuresOf('1 of 2 tests passed; 1 fail: a')
  expect(alone).toEqual(['fails: a'])
  const onTop = [blocking('still fails, as on the base: a'), blocking('passed on the base, now failed: a')]
  expect(failuresOf('3 of 4 tests passed', [...onTop, note('restored')])).toEqual(alone)
})

test('equal findings in a file count each, and their lines do not matter', () => {
  const at = (...lines: number[]) => lines.map((line) => blocking('unused', 'src/a.ts', line))
  expect(failuresIn('', at(3, 9))).toEqual(['src/a.ts: unused', 'src/a.ts: unused (2)'])
  expect(failuresIn('', at(5, 12))).toEqual(failuresIn('', at(3, 9)))
})

test('without findings the summary names the failure, without its counts of tests', () => {
  expect(failuresIn('1 of 2 tests passed; 1 fail', [])).toEqual(failuresIn('3 of 4 tests passed; 1 fail', []))
  expect(failuresIn('1 of 2 tests passed; 1 fail', [])).not.toEqual(
    failuresIn('1 of 3 tests passed; 2 fail', []),
  )
})

test('a tool without a report shows a new error by what it prints', () => {
  const one = failuresPrinted('/tmp/x/src/a.ts(3,1): error TS1: bad\nFound 1 error.\n', ['/tmp/x'])
  const moved = failuresPrinted('/tmp/y/src/a.ts(9,1): error TS1: bad\nFound 1 error.\n', ['/tmp/y'])
  const two = failuresPrinted(
    'src/a.ts(3,1): error TS1: bad\nsrc/b.ts(3,1): error TS1: bad\nFound 2 errors.\n',
    [],
  )
  expect(moved).toEqual(one)
  expect(two.filter((line) => !one.includes(line))).not.toEqual([])
})

test('a gate that passed names no failures, and one with too many names none', () => {
  expect(verdict('unit', 'passed', 'fine').evidence.failures).toBeUndefined()
  const many = Array.from({ length: 300 }, (_, at) => blocking(`fails: ${at}`))
  expect(failuresOf('none of 300 tests passed', many)).toBeUndefined()
})
