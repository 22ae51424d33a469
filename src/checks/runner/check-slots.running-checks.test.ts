import { expect, test } from 'vitest'
import { RunningChecks } from './check-slots.ts'

test('a running check tells its command, since when, the tests so far and how long it took last time', () => {
  let now = 1000
  const checks = new RunningChecks(() => now)
  const first = checks.begin('1', 'npm test')
  first.output(Buffer.from('TAP version 13\nok 1 - a\nnot o'))
  first.output(Buffer.from('k 2 - b\n  ✔ c (3ms)\nsome words\n'))
  expect(checks.of('1')).toEqual({ command: 'npm test', startedAt: 1000, tests: 3, lastMs: null })
  now = 5000
  first.end()
  expect(checks.of('1')).toBeNull()
  checks.begin('2', 'npm test')
  expect(checks.of('2')).toMatchObject({ startedAt: 5000, tests: 0, lastMs: 4000 })
})

test.each([
  ['--- PASS: TestAdd (0.00s)', 1],
  ['tests/test_a.py::test_one PASSED [ 50%]', 1],
  ['test slug::joins ... ok', 1],
  ['all went well', 0],
])('a line as runners print it counts where it names a test: %s', (line, tests) => {
  const checks = new RunningChecks()
  checks.begin('1', 'suite').output(Buffer.from(`${line}\n`))
  expect(checks.of('1')?.tests).toBe(tests)
})
