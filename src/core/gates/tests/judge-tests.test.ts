import { describe, expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import type { Ending } from '../../event-schemas/evidence.ts'
import { forReview, note } from '../verdicts.ts'
import { baseTestsOf, judgeTests, NO_BASE, type TestFacts } from './judge-tests.ts'
import {
  namedReport,
  summedReport,
  counted,
  type ReportedTest,
  type TestOutcome,
} from '../../test-reports/report.ts'

const exited = (code: number): Ending => ({ kind: 'exited', code })

const tests = (outcomes: Record<string, TestOutcome>): ReportedTest[] =>
  Object.entries(outcomes).map(([name, outcome]) => ({ name, file: null, outcome }))

const reported = (outcomes: Record<string, TestOutcome>, doubts: string[] = []) =>
  namedReport('tap', tests(outcomes), doubts)

const GREEN: TestFacts = {
  command: 'npm test',
  ending: exited(0),
  hint: { kind: 'auto' },
  report: reported({ adds: 'passed' }),
  noReport: null,
  base: NO_BASE,
}
const outcomeOf = (facts: Partial<TestFacts>) => judgeTests({ ...GREEN, ...facts }).outcome

describe('only a command that came to its end can pass or fail', () => {
  test.each<[string, Ending]>([
    ['a time limit', { kind: 'timed_out', afterMs: 1000 }],
    ['a signal', { kind: 'signalled', signal: 'SIGKILL' }],
    ['a program that is not there', { kind: 'not_started', reason: 'no such program' }],
    ['a shell that finds no program', exited(127)],
    ['a shell that may not run it', exited(126)],
    ['an abort', { kind: 'aborted' }],
  ])('%s is inconclusive, whatever was printed', (_, ending) => {
    expect(outcomeOf({ ending })).toBe('inconclusive')
    expect(outcomeOf({ ending, hint: { kind: 'exit' } })).toBe('inconclusive')
  })
})

describe('a pass needs a green exit code and tests that ran', () => {
  test('green with passed tests passes', () => {
    expect(judgeTests(GREEN)).toEqual({ outcome: 'passed', summary: '1 of 1 tests passed', findings: [] })
  })

  test('all tests passed and exit 1 is failed', () => {
    expect(judgeTests({ ...GREEN, ending: exited(1) })).toMatchObject({
      outcome: 'failed',
      summary: '1 of 1 tests passed, but npm test exited with 1',
    })
  })

  test('exit 0 with a failed test is failed', () => {
    expect(outcomeOf({ report: reported({ adds: 'failed', sums: 'passed' }) })).toBe('failed')
  })

  test('zero tests run is not a pass', () => {
    expect(outcomeOf({ report: reported({}) })).toBe('failed')
    expect(outcomeOf({ report: reported({ adds: 'skipped' }) })).toBe('failed')
  })

  test('exit 0 that names no tests is inconclusive; exit 1 is failed', () => {
    expect(outcomeOf({ report: null })).toBe('inconclusive')
    expect(outcomeOf({ report: null, ending: exited(1) })).toBe('failed')
  })

  test('only the exit code counts if configured', () => {
    expect(outcomeOf({ report: null, hint: { kind: 'exit' } })).toBe('passed')
    expect(outcomeOf({ report: null, hint: { kind: 'exit' }, ending: exited(2) })).toBe('failed')
  })

  test('a report that contradicts itself does not pass', () => {
    expect(outcomeOf({ report: reported({ adds: 'passed' }, ['it planned 2 tests']) })).toBe('inconclusive')
  })
})

describe('every test that passed on the base has to be reported passed', () => {
  const base = baseTestsOf({ ending: exited(0), report: reported({ adds: 'passed', sums: 'passed' }) })

  test.each<[string, Record<string, TestOutcome>]>([
    ['missing', { adds: 'passed' }],
    ['skipped', { adds: 'passed', sums: 'skipped' }],
    ['todo', { adds: 'passed', sums: 'todo' }],
    ['missing', { adds: 'passed', 'sums up': 'passed' }],
  ])('one that is %s fails', (now, outcomes) => {
    const judged = judgeTests({ ...GREEN, base, report: reported(outcomes) })
    expect(judged.outcome).toBe('failed')
    expect(judged.findings.map(({ text }) => text)).toContain(`passed on the base, now ${now}: sums`)
  })

  test('the summary names them', () => {
    const now = reported({ adds: 'skipped' })
    expect(judgeTests({ ...GREEN, base, report: now }).summary).toBe(
      '0 of 0 tests passed, 1 skipped; 2 tests that passed on the base no longer pass: adds (skipped), sums (missing)',
    )
  })

  test('one that the work removes where it may is for review', () => {
    const change = aChange({ 'a.test.js': ["test('sums', f)\n", ''] })
    const done = { change, isNamed: () => true }
    expect(judgeTests({ ...GREEN, base, done })).toEqual({
      outcome: 'passed',
      summary: '1 of 1 tests passed',
      findings: [forReview('a test that passed on the base is gone: sums', 'a.test.js', 1)],
    })
  })

  test('new tests are welcome', () => {
    const more = reported({ adds: 'passed', sums: 'passed', multiplies: 'passed' })
    expect(outcomeOf({ base, report: more })).toBe('passed')
  })

  test('two tests of one name have to pass twice', () => {
    const twice = [...tests({ adds: 'passed' }), ...tests({ adds: 'passed' })]
    const had = baseTestsOf({ ending: exited(0), report: namedReport('tap', twice) })
    expect(outcomeOf({ base: had, report: reported({ adds: 'passed' }) })).toBe('failed')
  })

  test('a tree that stops naming its tests is inconclusive', () => {
    const nameless = summedReport('vitest', counted(2, 0, 0), [])
    expect(outcomeOf({ base, report: nameless })).toBe('inconclusive')
    expect(outcomeOf({ base: NO_BASE, report: nameless })).toBe('passed')
  })
})

describe('failures of the base are separated from new ones', () => {
  const base = baseTestsOf({ ending: exited(1), report: reported({ old: 'failed', adds: 'passed' }) })
  const facts = { base, ending: exited(1), report: reported({ old: 'failed', adds: 'passed' }) }

  test('they do not count, and are named', () => {
    expect(judgeTests({ ...GREEN, ...facts })).toEqual({
      outcome: 'passed',
      summary: '1 of 2 tests passed; 1 failed before and still does',
      findings: [note('failed before and still does: old')],
      failedBefore: ['old'],
    })
  })

  test('a new failure fails beside them', () => {
    const fresh = reported({ old: 'failed', sums: 'failed', adds: 'passed' })
    const judged = judgeTests({ ...GREEN, ...facts, report: fresh })
    expect(judged).toMatchObject({
      outcome: 'failed',
      summary: '1 of 3 tests passed; 1 failed before and still does; 1 fail: sums',
    })
    expect(judged.failedBefore).toBeUndefined()
  })

  test('a run in which nothing passes proves nothing', () => {
    const red = { ending: exited(1), report: reported({ old: 'failed' }) }
    expect(outcomeOf({ ...red, base: { tests: null, failing: ['old'] } })).toBe('failed')
  })

  test('each failure of the base explains one', () => {
    const twice = [...tests({ old: 'failed' }), ...tests({ old: 'failed', adds: 'passed' })]
    const report = namedReport('tap', twice)
    expect(outcomeOf({ ...facts, base: { tests: null, failing: ['old'] }, report })).toBe('failed')
    expect(outcomeOf({ ...facts, base: { tests: null, failing: ['old', 'old'] }, report })).toBe('passed')
  })

  test('one whose name changes from run to run is known by the rest of it', () => {
    const had = baseTestsOf({
      ending: exited(1),
      report: reported({ 'old (0x1f)': 'failed', adds: 'passed' }),
    })
    const now = (outcomes: Record<string, TestOutcome>) =>
      outcomeOf({ base: had, ending: exited(1), report: reported({ adds: 'passed', ...outcomes }) })
    expect(now({ 'old (0x2e)': 'failed' })).toBe('passed')
    expect(now({ 'old (0x1f)': 'passed', 'old (0x2e)': 'failed' })).toBe('failed')
    expect(now({ 'old (0x1f)': 'failed', 'old (0x2e)': 'failed' })).toBe('failed')
  })

  test('a report that contradicts itself does not pass with them', () => {
    const report = reported({ old: 'failed', adds: 'passed' }, ['it planned 3 tests'])
    expect(outcomeOf({ ...facts, report })).toBe('inconclusive')
  })

  test('failures without names always count', () => {
    const nameless = summedReport('vitest', counted(1, 1, 0), [])
    expect(outcomeOf({ ...facts, base: { tests: null, failing: ['old'] }, report: nameless })).toBe('failed')
  })

  test('tests that could not run on the base do not count as known failures', () => {
    expect(baseTestsOf({ ending: exited(127), report: reported({ adds: 'failed' }) })).toEqual(NO_BASE)
    expect(
      baseTestsOf({ ending: { kind: 'timed_out', afterMs: 1 }, report: reported({ adds: 'failed' }) }),
    ).toEqual(NO_BASE)
  })
})
