import { describe, expect, test } from 'vitest'
import { MAX_TESTS, namedReport, type ReportedTest } from '../../test-reports/report.ts'
import { newNames, passedIn, passedInBoth, testsToAdd, type TestsToAddFacts } from './tests-to-add.ts'

const passed = { outcome: 'passed', summary: '2 of 2 tests passed', findings: [] } as const
const FACTS: TestsToAddFacts = {
  paths: ['test/a.test.js'],
  missing: [],
  judgements: [passed],
  runs: [],
  base: { kind: 'red', green: [] },
  promises: true,
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

test('a repair without any test is for review where one is to fail on the base', () => {
  const found = testsToAdd({ ...FACTS, paths: [], isAsked: true })
  expect([found.outcome, found.evidence.findings]).toMatchObject(['not_applicable', [{ weight: 'review' }]])
  expect(testsToAdd({ ...FACTS, paths: [], isAsked: true, changesSources: false }).evidence.findings).toEqual(
    [],
  )
})

test('tests that are green without the change prove nothing about it', () => {
  expect(outcomeOf({ base: { kind: 'green', files: ['test/a.test.js'] } })).toBe('failed')
})

describe('tests that are green on the base', () => {
  const green = { kind: 'green', files: ['test/a.test.js'] } as const

  test('are for review where the task promises no behaviour that the base lacks', () => {
    for (const promises of [null, false]) {
      const { outcome, summary, evidence } = testsToAdd({ ...FACTS, base: green, promises })
      expect([outcome, summary]).toEqual([
        'passed',
        '1 test file present and passing; green on the base too; the task promises no behaviour that the base lacks',
      ])
      expect(evidence.findings).toMatchObject([{ weight: 'review' }])
    }
  })

  test('fail where the criteria call what the base does not have, unless the plan says otherwise', () => {
    const base = { ...green, lacks: ['discounted'] }
    expect(testsToAdd({ ...FACTS, base, promises: null })).toMatchObject({
      outcome: 'failed',
      summary:
        '1 test file present and passing; green on the base too, so they prove nothing about this change',
      evidence: { findings: [{ weight: 'blocks' }, { text: expect.stringContaining('lacks (discounted)') }] },
    })
    expect(outcomeOf({ base, promises: false })).toBe('passed')
  })

  test('fail where the plan wants them red, also where only tests changed or the file was there', () => {
    const asked = { base: green, isAsked: true }
    expect(outcomeOf({ ...asked, changesSources: false })).toBe('failed')
    expect(outcomeOf({ ...asked, extended: ['test/a.test.js'] })).toBe('failed')
  })
})

test('new tests inside sources are red, and named', () => {
  expect(
    testsToAdd({ ...FACTS, base: { kind: 'red', green: [], inside: ['src/lib.rs > tests::adds'] } }),
  ).toMatchObject({
    outcome: 'passed',
    summary:
      '1 test file present and passing; red on the base; new in the sources and not on the base: src/lib.rs > tests::adds',
  })
})

test('a test at another line is not new, and one more of the kind is', () => {
  const base = ['doc-tests > lib.rs - two (line 3)', 'case 1']
  expect(newNames(base, ['doc-tests > lib.rs - two (line 5)', 'case 1'])).toEqual([])
  expect(newNames(base, ['case 1', 'case 2', 'adds'])).toEqual(['case 2', 'adds'])
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
