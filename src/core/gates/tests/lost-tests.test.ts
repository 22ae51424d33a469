import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../test/helpers/a-change.ts'
import { reportedTest, type ReportedTest, type TestOutcome } from '../../test-reports/report.ts'
import { compareTests } from './lost-tests.ts'

/** `file > name`, where the file has an ending of one. */
function tests(names: readonly string[], outcome: TestOutcome = 'passed'): ReportedTest[] {
  return names.map((name) => {
    const file = /^(\S+\.(?:js|py)) > /.exec(name)?.[1]
    return file === undefined
      ? reportedTest(name, outcome)
      : reportedTest(name.slice(file.length + 3), outcome, file)
  })
}

interface Case {
  readonly before: readonly string[]
  readonly now: readonly string[]
  readonly skipped?: readonly string[]
  readonly change?: Readonly<Record<string, BeforeAfter>>
  readonly named?: readonly string[]
}

function compared({ before, now, skipped = [], change = {}, named = [] }: Case) {
  return compareTests(tests(before), [...tests(now), ...tests(skipped, 'skipped')], {
    change: aChange(change),
    isNamed: ({ path }) => named.includes(path),
  })
}
const lostOf = (one: Case) => compared(one).lost.map(({ name, now }) => `${name}: ${now}`)
const goneOf = (one: Case) =>
  compared(one).removals.map(({ weight, text, file, line }) => `${weight} ${file}:${line} ${text}`)

describe('a test whose name changes from run to run is not lost', () => {
  test.each([
    ['a duration', 'waits (12ms)', 'waits (1.3s)'],
    ['a number', 'draws 0.1839', 'draws 0.93'],
    ['an address', '<Cart object at 0x7f1c22a0>', '<Cart object at 0x7f99b1c0>'],
    ['a random value', 'stores a3f9c2e1', 'stores 77b01d4c'],
    [
      'a unique id',
      'finds aabbccdd-aaaa-bbbb-cccc-aabbccddeeff',
      'finds 6d9f3e02-3b57-4a05-9a7d-3c9f0e6a1b42',
    ],
    ['a line', 'doc-tests cart > src/lib.rs - add (line 5)', 'doc-tests cart > src/lib.rs - add (line 12)'],
    ['values behind it', 'test_adds[one-two]', 'test_adds[one-two-three]'],
  ])('%s', (_, before, now) => {
    expect(lostOf({ before: [before], now: [now] })).toEqual([])
    expect(lostOf({ before: [`a.js > ${before}`], now: [`a.js > ${now}`] })).toEqual([])
  })

  test('of a file that the work leaves as it is, as many have to pass', () => {
    const before = ['a.js > takes red', 'a.js > takes blue']
    expect(lostOf({ before, now: ['a.js > takes green', 'a.js > takes blue'] })).toEqual([])
    expect(lostOf({ before, now: ['a.js > takes blue', 'b.js > takes red'] })).toEqual([
      'a.js > takes red: missing',
    ])
  })
})

describe('a test that stands and does not pass is lost', () => {
  test('one that does not run is not made up for by others', () => {
    expect(lostOf({ before: ['adds'], now: ['sums'] })).toEqual(['adds: missing'])
    expect(lostOf({ before: ['a.js > adds'], now: ['b.js > adds'] })).toEqual(['a.js > adds: missing'])
    expect(lostOf({ before: ['case 1', 'case 2'], now: ['case 3'] })).toEqual([
      'case 1: missing',
      'case 2: missing',
    ])
  })

  test('one that is skipped is not hidden by another that differs in a number', () => {
    expect(lostOf({ before: ['case 1'], now: ['case 2'], skipped: ['case 1'] })).toEqual(['case 1: skipped'])
    expect(lostOf({ before: ['case 1'], now: ['case 2'], skipped: ['case 3'] })).toEqual(['case 1: skipped'])
  })

  test.each([
    ['commented out', "test('adds two', f)\n", "// test('adds two', f)\n"],
    ['never registered', "test('adds two', f)\n", "if (isFast) test('adds two', f)\n"],
    ['a row commented out', "  ['adds two', 2],\n", "  // ['adds two', 2],\n"],
  ])('one that is %s in a file that the contract names is lost', (_, was, now) => {
    const change = { 'a.js': [was, now] } as const
    for (const name of ['a.js > adds two', 'adds two'])
      expect(lostOf({ before: [name], now: [], change, named: ['a.js'] })).toEqual([`${name}: missing`])
  })

  test('one that is moved to where it does not run is lost', () => {
    const change = {
      'a.js': ["test('adds two', f)\n", 'f()\n'],
      'old/a.txt': [null, "test('adds two', f)\n"],
    } as const
    expect(lostOf({ before: ['adds two'], now: [], change, named: ['a.js', 'old/a.txt'] })).toEqual([])
    const kept = { 'a.js': change['a.js'], 'old/a.test.js.off': change['old/a.txt'] }
    expect(lostOf({ before: ['adds two'], now: [], change: kept, named: ['a.js'] })).toEqual([
      'adds two: missing',
    ])
  })

  test('one that is removed from a file that the contract does not name is lost', () => {
    const change = { 'a.js': ["test('adds two', f)\n", ''] } as const
    expect(lostOf({ before: ['a.js > adds two'], now: [], change })).toEqual(['a.js > adds two: missing'])
  })
})

describe('a test that the work removes from a file that the contract names is for review', () => {
  test.each<[string, string, string, string, string]>([
    ['a test', 'adds two', "test('adds two', f)\n", '', ''],
    ['a function', 'test_cart.CartTest.test_adds', 'def test_adds(self):\n', '', ''],
    ['a test of a module', 'src/lib.rs > tests::adds', '    fn adds() {\n', '', ''],
    ['a subtest', 'shop/cart > TestAdd/two_items', '{name: "two items", n: 2},\n', '', ''],
    ['a case', 'adds', 'TEST(cart, adds) {\n', '', ''],
    ['a title with a quote', "it's two", "test('it\\'s two', f)\n", '', ''],
    ['a renamed test', 'adds', "it('adds', f)\n", "it('adds two', f)\n", 'adds two'],
    ['a renamed suite', 'cart > adds', "describe('cart', f)\n", "describe('shop', f)\n", 'shop > adds'],
    ['a row of values', 'joins /a and /b to /c', "['/a', '/b', '/c'],\n", '', ''],
    ['a changed row', 'joins /a to /c', "['/a', '/c'],\n", "['/a', '/d'],\n", 'joins /a to /d'],
    ['a parameter', 'test_adds[blue]', '@mark("a", ["red", "blue"])\n', '@mark("a", ["red"])\n', ''],
  ])('%s', (_, before, was, is, now) => {
    const change = { 'a.js': [`first()\n${was}last()\n`, `first()\n${is}last()\n`] } as const
    const one = { before: [before], now: now === '' ? [] : [now], change, named: ['a.js'] }
    expect(lostOf(one)).toEqual([])
    expect(goneOf(one)).toEqual([`review a.js:2 a test that passed on the base is gone: ${before}`])
  })

  test('tests of one file are one finding, at the first of them', () => {
    const change = { 'a.js': ["test('one', f)\ntest('two', f)\nlast()\n", 'last()\n'] } as const
    expect(goneOf({ before: ['a.js > one', 'a.js > two'], now: [], change, named: ['a.js'] })).toEqual([
      'review a.js:1 2 tests that passed on the base are gone: a.js > one, a.js > two',
    ])
  })

  test('a deleted file shows all its tests', () => {
    const change = { 'a.js': ["test('one', f)\n", null] } as const
    expect(lostOf({ before: ['a.js > one'], now: ['b.js > one'], change, named: ['a.js'] })).toEqual([])
  })

  test('where as many others pass in the same file, they are replaced', () => {
    const change = { 'a.js': ["each(rows)('%s gives', f)\n", "each(rows)('%s makes', f)\n"] } as const
    const before = ['a.js > red gives', 'a.js > blue gives']
    const now = ['a.js > red makes', 'a.js > blue makes']
    expect(lostOf({ before, now, change, named: ['a.js'] })).toEqual([])
    expect(lostOf({ before, now: now.slice(1), change: {}, named: ['a.js'] })).toHaveLength(2)
  })
})

describe('a test whose name differs between two runs of the base', () => {
  const before = ['stores qxz', 'stores kwv', 'adds']
  const again = tests(['stores plm', 'stores bnt', 'adds'])
  const comparedAgain = (now: readonly string[]) =>
    compareTests(tests(before), tests(now), { change: aChange({}), isNamed: () => false }, again)

  test('is for review where as many others pass', () => {
    const { lost, removals } = comparedAgain(['stores rty', 'stores uio', 'adds'])
    expect(lost).toEqual([])
    expect(removals.map(({ weight, text }) => `${weight} ${text}`)).toEqual([
      'review 2 tests change their names from run to run, so only their number is compared: stores qxz, stores kwv',
    ])
  })

  test('is lost where fewer pass', () => {
    expect(comparedAgain(['stores rty', 'adds']).lost.map(({ name }) => name)).toEqual([
      'stores qxz',
      'stores kwv',
    ])
  })

  test('hides no other test that is lost', () => {
    expect(comparedAgain(['stores rty', 'stores uio', 'sums']).lost.map(({ name }) => name)).toEqual(['adds'])
  })
})

test('very many missing tests are lost without a look at the change', () => {
  const before = Array.from({ length: 20_000 }, (_, at) => `a.js > ${String.fromCodePoint(0x4e00 + at)}`)
  expect(lostOf({ before, now: [], change: { 'a.js': ['x\n', ''] }, named: ['a.js'] })).toHaveLength(20_000)
})
