import { expect, test } from 'vitest'
import { takenAs, testTrial } from './check-trials.ts'

const suite = {
  command: 'npm test',
  canRun: true,
  isGreen: true,
  isPassed: true,
  summary: 'npm test exited with 0, but its output names no tests',
  failing: [],
  passed: 2,
  files: ['index.js', 'test.js'],
}

test('a suite that exits with 0 and names no test is asked about before any work, and may count by its exit code', () => {
  const trial = testTrial({ ...suite, isPassed: false })
  expect(trial).toMatchObject({ check: 'test', state: 'unnamed' })
  expect(trial === null ? null : takenAs(trial)).toBe('as_is')
})

test('a suite that fails without a name cannot be taken as it is', () => {
  const trial = testTrial({ ...suite, isGreen: false, isPassed: false })
  expect(trial).toMatchObject({ state: 'unreadable' })
  expect(trial === null ? null : takenAs(trial)).toBe('left_out')
})

test('a suite in which several tests fail and none passes is asked about, because it may lack something to run with', () => {
  const failing = { ...suite, isGreen: false, isPassed: false, failing: ['a', 'b'] }
  const trial = testTrial({ ...failing, passed: 0 })
  expect(trial).toMatchObject({ check: 'test', state: 'red' })
  expect(trial === null ? null : takenAs(trial)).toBe('as_is')
  expect(testTrial({ ...failing, passed: 1 })).toBeNull()
  expect(testTrial({ ...failing, failing: ['a'], passed: 0 })).toBeNull()
})

test('nothing is asked about a suite that passes, that names what fails, or that has nothing to test', () => {
  expect(testTrial(suite)).toBeNull()
  expect(testTrial({ ...suite, isGreen: false, isPassed: false, failing: ['old'] })).toBeNull()
  expect(testTrial({ ...suite, isPassed: false, files: ['index.js'] })).toBeNull()
})
