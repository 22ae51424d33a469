import { describe, expect, test } from 'vitest'
import { rerunArguments, flakyJudgement, passedNow } from './judge-tests.ts'
import { namedReport } from '../../test-reports/report.ts'

describe('running failed tests again', () => {
  test.each([
    ['node', ['cart > adds (1)'], ['--test-name-pattern=adds \\(1\\)']],
    ['vitest', ['src/a.test.ts > cart > adds', 'src/a.test.ts > takes'], ['-t', 'adds|takes']],
    ['pytest', ['tests.test_cart > test_adds[1-2]'], ['-k', 'test_adds']],
    ['unittest', ['test_cart.CartTest.test_adds'], ['-k', 'test_adds']],
  ] as const)('asks %s for them by name', (runner, names, expected) => {
    expect(rerunArguments(runner, names)).toEqual(expected)
  })

  test('is skipped for names that cannot be selected, or for too many', () => {
    expect(rerunArguments('pytest', ['tests > 12 %'])).toBeNull()
    expect(rerunArguments('node', [])).toBeNull()
    expect(
      rerunArguments(
        'node',
        Array.from({ length: 51 }, (_, at) => `test ${at}`),
      ),
    ).toBeNull()
  })
})

test('a test passes now only where it is reported, and every time', () => {
  const report = namedReport('tap', [
    { name: 'a', file: null, outcome: 'passed' },
    { name: 'b', file: null, outcome: 'passed' },
    { name: 'b', file: null, outcome: 'failed' },
  ])
  expect(passedNow(['a', 'b', 'c'], report)).toEqual(['a'])
  expect(passedNow(['a'], null)).toEqual([])
})

test('a test whose name changes from run to run passes now under another name', () => {
  const report = namedReport('tap', [
    { name: 'draws 0.93', file: null, outcome: 'passed' },
    { name: 'case 1', file: null, outcome: 'failed' },
    { name: 'case 2', file: null, outcome: 'passed' },
  ])
  expect(passedNow(['draws 0.18', 'case 1'], report)).toEqual(['draws 0.18'])
})

describe('a run with flaky tests', () => {
  const judged = { outcome: 'failed', summary: '1 of 2 tests passed', findings: [] } as const

  test('is inconclusive and names the tests', () => {
    const rejudged = flakyJudgement(judged, ['a'], ['a'])
    expect([rejudged.outcome, rejudged.summary]).toEqual(['inconclusive', '1 of 2 tests passed; flaky: a'])
    expect(rejudged.findings).toMatchObject([{ weight: 'blocks', text: expect.stringContaining('flaky') }])
  })

  test('fails where another test fails each time', () => {
    expect(flakyJudgement(judged, ['a', 'b'], ['a']).outcome).toBe('failed')
    expect(flakyJudgement(judged, ['a'], [])).toBe(judged)
  })
})
