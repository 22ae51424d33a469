import { describe, expect, test } from 'vitest'
import { judgeNamedTests, type NamedTestsFacts } from './tests-to-add.ts'
import { counted, namedReport, type ReportedTest, type TestOutcome } from '../../test-reports/report.ts'

const one = (name: string, outcome: TestOutcome = 'passed', file: string | null = null): ReportedTest => ({
  name,
  file,
  outcome,
})
const report = (...tests: ReportedTest[]) => namedReport('tap', tests)
const counts = (passed: number, skipped: number) => ({
  ...report(),
  tests: null,
  counts: counted(passed, 0, skipped),
})
const FILE = { path: 'test/new.test.js', isNew: true, text: null }
const FACTS: NamedTestsFacts = { files: [FILE], isAlone: false, report: report(), base: null }
const judge = (facts: Partial<NamedTestsFacts>) => judgeNamedTests({ ...FACTS, ...facts })
const suite = (...tests: ReportedTest[]) => ({ tests, counts: null })

describe('in a run of the named files alone', () => {
  test('a test that is skipped or todo fails, also beside one that passes', () => {
    expect(judge({ isAlone: true, report: report(one('a')) })).toBeNull()
    for (const outcome of ['skipped', 'todo'] as const) {
      expect(judge({ isAlone: true, report: report(one('a'), one('b', outcome)) })).toMatchObject({
        outcome: 'failed',
        summary: `not every test of the named files ran: ${outcome}: b`,
      })
    }
    expect(judge({ isAlone: true, report: report(one('b', 'skipped')) })).toMatchObject({
      summary: 'no test of test/new.test.js ran and passed',
    })
  })

  test('a test that the base skips as well is no reason to refuse a file that was there before', () => {
    const files = [{ ...FILE, isNew: false }]
    const now = report(one('a'), one('only on windows', 'skipped'))
    expect(
      judge({ files, isAlone: true, report: now, base: suite(one('only on windows', 'skipped')) }),
    ).toBeNull()
    expect(judge({ files, isAlone: true, report: now, base: null })).toBeNull()
    expect(judge({ files, isAlone: true, report: now, base: suite(one('only on windows')) })).not.toBeNull()
  })

  test('skipped tests that are only counted fail too', () => {
    expect(judge({ isAlone: true, report: counts(1, 1) })).toMatchObject({ outcome: 'failed' })
    expect(judge({ isAlone: true, report: counts(1, 0) })).toBeNull()
  })
})

describe('in a run that holds other tests as well', () => {
  test('the tests of other files prove nothing about the named one', () => {
    const others = one('old', 'passed', 'test/old.test.js')
    const mine = (outcome: TestOutcome) => one('new', outcome, 'test/new.test.js')
    expect(judge({ report: report(others, mine('passed')) })).toBeNull()
    expect(judge({ report: report(others, mine('skipped')) })).toMatchObject({ outcome: 'failed' })
    expect(judge({ report: report(others) })).toMatchObject({
      findings: [{ weight: 'blocks', text: 'none of its tests ran and passed', file: 'test/new.test.js' }],
    })
  })

  test('each of several named files needs a test that passed', () => {
    const files = [FILE, { path: 'test/more.test.js', isNew: true, text: null }]
    const found = judge({ files, report: report(one('new', 'passed', 'test/new.test.js')) })
    expect(found?.summary).toBe('no test of test/more.test.js ran and passed')
  })

  test('a test that is compiled before it runs is known by its name', () => {
    const files = [{ path: 'test/new.test.ts', isNew: true, text: null }]
    expect(judge({ files, report: report(one('new', 'passed', 'dist/test/new.test.js')) })).toBeNull()
    expect(judge({ files, report: report(one('new', 'passed', 'other/new.test.ts')) })).not.toBeNull()
  })

  test('without file names, tests that the base does not report count as new', () => {
    const base = suite(one('old'), one('slow', 'skipped'))
    const old = [one('old'), one('slow', 'skipped')]
    expect(judge({ base, report: report(...old, one('new')) })).toBeNull()
    expect(judge({ base, report: report(...old, one('new', 'skipped')) })?.summary).toBe(
      'no test of test/new.test.js ran and passed',
    )
    expect(judge({ base, report: report(...old, one('new'), one('more', 'todo')) })).not.toBeNull()
  })

  test('a name that changes from run to run is not taken for a new test', () => {
    const base = suite(one('a kgb'), one('old'))
    const changed = report(one('a fhj'), one('old'))
    expect(judge({ base, report: changed })?.summary).toBe('no test of test/new.test.js ran and passed')
    expect(judge({ base, report: report(one('a fhj'), one('old'), one('new')) })).toBeNull()
    // Another one is gone, and the new file names what ran.
    const files = [{ ...FILE, text: "test('new', () => undefined)" }]
    expect(judge({ files, base, report: report(one('a kgb'), one('shop > new')) })).toBeNull()
  })

  test('an extended file may keep the names of its tests', () => {
    const files = [{ ...FILE, isNew: false }]
    expect(judge({ files, base: suite(one('old')), report: report(one('old')) })).toBeNull()
  })

  test('without test names, more tests than before have to pass', () => {
    const base = { tests: null, counts: counted(2, 0, 1) }
    expect(judge({ base, report: counts(3, 1) })).toBeNull()
    expect(judge({ base, report: counts(2, 1) })).toMatchObject({ outcome: 'failed' })
    expect(judge({ base, report: counts(3, 2) })).toMatchObject({ outcome: 'failed' })
    expect(judge({ base: null, report: counts(2, 1) })).toBeNull()
  })
})

test('a shell test that a suite reports by its path is a test of that file, a script reported so is none', () => {
  const named = (path: string) =>
    judge({ files: [{ path, isNew: true, text: null }], report: report(one(path)), base: suite() })
  expect(named('test/new.t')).toBeNull()
  expect(named('test/new.test.js')).toMatchObject({ summary: 'no test of test/new.test.js ran and passed' })
})
