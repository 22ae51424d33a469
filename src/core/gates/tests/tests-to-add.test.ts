import { expect, test } from 'vitest'
import { MAX_TESTS, namedReport, type ReportedTest } from '../../test-reports/report.ts'
import { passedIn, passedInBoth, testsToAdd, type TestsToAddFacts } from './tests-to-add.ts'

const passed = { outcome: 'passed', summary: '2 of 2 tests passed', findings: [] } as const
const FACTS: TestsToAddFacts = {
  paths: ['test/a.test.js'],
  missing: [],
  judgements: [passed],
  runs: [],
  base: { kind: 'red', green: [] },
  changesSources: true,
}
const outcomeOf = (facts: Partial<TestsToAddFacts>) => testsToAdd({ ...FACTS, ...facts }).outcome

test('new tests that are there, pass, and are red on the base pass', () => {
  expect(testsToAdd(FACTS)).toMatchObject({
    outcome: 'passed',
    summary: '1 test file present and passing; red on the base',
  })
})

test('a missing one fails, and none asked for does not apply', () => {
  expect(outcomeOf({ missing: ['test/a.test.js'] })).toBe('failed')
  expect(outcomeOf({ paths: [] })).toBe('not_applicable')
})

test('tests that are green without the change prove nothing about it', () => {
  expect(outcomeOf({ base: { kind: 'green', files: ['test/a.test.js'] } })).toBe('failed')
})

test('tests for code that is there already may be green on the base', () => {
  expect(outcomeOf({ base: { kind: 'green', files: ['test/a.test.js'] }, changesSources: false })).toBe(
    'passed',
  )
})

test('tests that were shown before the task was done again need not be red on a base that holds its work', () => {
  expect(testsToAdd({ ...FACTS, base: { kind: 'shown_earlier' } })).toMatchObject({
    outcome: 'passed',
    summary: '1 test file present and passing; unchanged since an earlier round, which showed them red',
  })
  expect(outcomeOf({ base: { kind: 'shown_earlier' }, judgements: [{ ...passed, outcome: 'failed' }] })).toBe(
    'failed',
  )
})

test('passing is enough if red cannot be shown, with a note', () => {
  const { outcome, evidence } = testsToAdd({ ...FACTS, base: { kind: 'unknown', why: 'no set-up' } })
  expect(outcome).toBe('passed')
  expect(evidence.findings).toMatchObject([
    { weight: 'note', text: 'not shown to be red on the base: no set-up' },
  ])
})

test('nothing that can run them is inconclusive, and so is a run that could not be read', () => {
  expect(outcomeOf({ judgements: [] })).toBe('inconclusive')
  expect(outcomeOf({ judgements: [passed, { ...passed, outcome: 'inconclusive' }] })).toBe('inconclusive')
  expect(outcomeOf({ judgements: [passed, { ...passed, outcome: 'failed' }] })).toBe('failed')
})

test('as many tests as a report may have are held against the base in one pass over them', () => {
  const names = Array.from({ length: MAX_TESTS }, (_, at) => `does thing ${at}`)
  const named = (outcome: (at: number) => ReportedTest['outcome']) =>
    namedReport(
      'tap',
      names.map((name, at) => ({ name, file: null, outcome: outcome(at) })),
      [],
    )
  const withWork = passedIn(named(() => 'passed'))
  const base = named((at) => (at === 7 ? 'failed' : 'passed'))
  expect(passedInBoth(base, withWork)).toEqual(withWork.toSpliced(7, 1))
})
