import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { terminalText } from '../../lib/text/terminal-text.ts'
import { namedReport, relativeTo, reportedTest, testKey } from './report.ts'
import { detectReport, reportHintOf } from './test-report.ts'

const folder = join(import.meta.dirname, '../../../test/fixtures/reports')
const AUTO = { kind: 'auto' } as const

function read(file: string) {
  const report = detectReport(terminalText(readFileSync(join(folder, file), 'utf8')), AUTO)
  if (report === null) throw new Error(`${file} was not understood`)
  return report
}

describe('a runner is known by its output, and counts are what ran', () => {
  test.each([
    ['node.tap', 'tap', [4, 1, 3]],
    ['tape.tap', 'tap', [6, 2, 2]],
    ['node-spec.txt', 'node-spec', [4, 1, 3]],
    ['node-empty.txt', 'node-spec', [0, 0, 0]],
    ['node-junit.xml', 'junit', [3, 1, 3]],
    ['vitest.tap', 'tap', [2, 1, 2]],
    ['vitest-flat.tap', 'tap', [2, 1, 2]],
    ['vitest.txt', 'vitest', [2, 1, 2]],
    ['vitest-verbose.txt', 'vitest', [2, 1, 2]],
    ['vitest.json', 'vitest', [2, 1, 2]],
    ['vitest-junit.xml', 'junit', [2, 1, 2]],
    ['vitest-empty.txt', 'vitest', [0, 0, 0]],
    ['jest.txt', 'jest', [3, 1, 2]],
    ['jest-verbose.txt', 'jest', [3, 1, 2]],
    ['jest.json', 'jest', [1, 2, 2]],
    ['pytest-verbose.txt', 'pytest', [4, 2, 2]],
    ['pytest-quiet.txt', 'pytest', [4, 2, 2]],
    ['pytest-all.txt', 'pytest', [4, 2, 2]],
    ['pytest-empty.txt', 'pytest', [0, 0, 0]],
    ['pytest-broken.txt', 'pytest', [0, 1, 0]],
    ['pytest-junit.xml', 'junit', [4, 2, 2]],
    ['ctest.txt', 'ctest', [1, 3, 2]],
    ['meson.txt', 'meson', [1, 1, 2]],
    ['gtest.txt', 'gtest', [1, 1, 1]],
    ['gtest-busted.txt', 'gtest', [1, 1, 0]],
    ['ctest-empty.txt', 'ctest', [0, 0, 0]],
    ['ctest-junit.xml', 'junit', [1, 2, 3]],
    ['go-verbose.txt', 'go', [3, 2, 1]],
    ['go.json', 'go', [1, 3, 1]],
    ['go.txt', 'go', [2, 3, 0]],
    ['cargo.txt', 'cargo', [4, 1, 1]],
    ['dotnet.txt', 'dotnet', [2, 1, 1]],
    ['dotnet-summary.txt', 'dotnet', [4, 0, 1]],
    ['surefire.txt', 'surefire', [3, 2, 1]],
    ['unittest-verbose.txt', 'unittest', [1, 1, 2]],
    ['unittest.txt', 'unittest', [1, 1, 2]],
    ['unittest-empty.txt', 'unittest', [0, 0, 0]],
    ['mocha.txt', 'mocha', [3, 1, 1]],
    ['rspec.txt', 'rspec', [1, 1, 2]],
    ['rspec-green.txt', 'rspec', [2, 0, 2]],
    ['minitest.txt', 'minitest', [1, 2, 1]],
    ['minitest-verbose.txt', 'minitest', [1, 2, 1]],
    ['test-unit-verbose.txt', 'minitest', [0, 2, 1]],
    ['busted.txt', 'busted', [1, 2, 1]],
    ['prove.txt', 'prove', [2, 1, 1]],
    ['prove-green.txt', 'prove', [2, 0, 0]],
    ['phpunit.txt', 'phpunit', [1, 1, 1]],
    ['phpunit-green.txt', 'phpunit', [2, 0, 0]],
    ['ava.txt', 'ava', [1, 1, 2]],
    ['ava-green.txt', 'ava', [4, 0, 4]],
    ['uvu.txt', 'uvu', [2, 1, 1]],
    ['automake.txt', 'automake', [2, 1, 1]],
  ] as const)('%s is %s', (file, format, [passed, failed, skipped]) => {
    const report = read(file)
    expect(report.format).toBe(format)
    expect(report.counts).toEqual({ run: passed + failed, passed, failed, skipped })
    expect(report.doubts).toEqual([])
  })
})

describe('failed tests are known by name', () => {
  test.each([
    ['node.tap', ['slugify > drops accents']],
    ['tape.tap', ['slugify > lowers case', 'ends early > plan != count']],
    ['vitest.txt', ['a.test.ts > cart > subtracts']],
    ['jest-verbose.txt', ['src/cart.test.js > cart > subtracts']],
    [
      'jest.json',
      ['/repo/src/cart.test.js > cart > subtracts', '/repo/src/broken.test.js > the file could not be run'],
    ],
    ['pytest-quiet.txt', ['test_cart.py > test_discount', 'test_cart.py > test_setup']],
    ['pytest-broken.txt', ['test_broken.py > the file could not be run']],
    ['ctest.txt', ['subtracts', 'hangs', 'gone']],
    [
      'go-verbose.txt',
      ['example.com/shop/cart > TestTotals', 'example.com/shop/cart > TestTotals/two_items'],
    ],
    ['cargo.txt', ['src/lib.rs > tests::subtracts']],
    ['unittest-verbose.txt', ['ut_test.CartTest.test_subtracts']],
    ['unittest.txt', ['ut_test.CartTest.test_subtracts']],
    ['mocha.txt', ['cart > subtracts']],
    ['rspec.txt', ['spec/cart_spec.rb > Cart when empty sums to zero']],
    ['minitest.txt', ['CartTest#test_raises', 'CartTest#test_sums']],
    ['busted.txt', ['spec/cart_spec.lua > Cart sums', 'spec/cart_spec.lua > Cart raises']],
    ['prove.txt', ['sums']],
    ['phpunit.txt', ['CartTest::testSums']],
    ['ava.txt', ['sums']],
    ['uvu.txt', ['cart > sums']],
    ['automake.txt', ['test-sums.sh']],
    ['meson.txt', ['shop:slow / subtracts']],
    ['gtest.txt', ['Cart.Sums']],
    ['gtest-busted.txt', ['spec/cart_spec.lua a cart sums (tax included)']],
    ['dotnet.txt', ['Shop.Tests.CartTests.Subtracts']],
    ['surefire.txt', ['com.acme.shop.CartTest.subtracts', 'com.acme.shop.CartTest.remote']],
  ])('%s', (file, failures) => {
    expect(read(file).failures).toEqual(failures)
  })
})

test.each([
  [
    'minitest-verbose.txt',
    [
      'Cart#test_0002_skips: skipped',
      'Cart#test_0001_adds up: passed',
      'FooTest#test_foo: failed',
      'FooTest#test_err: failed',
    ],
  ],
  [
    'test-unit-verbose.txt',
    ['FooTest#test_err: failed', 'FooTest#test_foo: failed', 'FooTest#test_pend: skipped'],
  ],
])('every test of Ruby is named where its runner was asked to: %s', (file, tests) => {
  expect(
    read(file)
      .tests?.map(({ name, outcome }) => `${name}: ${outcome}`)
      .sort(),
  ).toEqual(tests.sort())
})

test('a test of cargo belongs to its target, however the two outputs are mixed', () => {
  const block = (name: string): string[] => [
    '',
    'running 1 test',
    `test ${name} ... ok`,
    '',
    'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ]
  const targets = [
    '     Running unittests src/lib.rs (target/debug/deps/cart-cc34d4ae7363b857)',
    '     Running tests/it.rs (target/debug/deps/it-9c1a590d21229746)',
    '   Doc-tests cart',
  ]
  const blocks = [block('tests::adds'), block('outside'), block('src/lib.rs - add (line 2)')]
  const namesIn = (lines: readonly string[]) =>
    detectReport(lines.join('\n'), AUTO)?.tests?.map(({ name }) => name)
  const names = ['src/lib.rs > tests::adds', 'tests/it.rs > outside']
  const all = [...names, 'doc-tests cart > src/lib.rs - add (line 2)']
  expect(namesIn(targets.flatMap((target, at) => [target, ...(blocks[at] ?? [])]))).toEqual(all)
  expect(namesIn([...targets, ...blocks.flat()])).toEqual(all)
  expect(namesIn([...blocks.flat(), ...targets])).toEqual(all)
})

test('a test of cargo that writes to standard error keeps its name and its outcome', () => {
  const lines = [
    'running 3 tests',
    'test tests::probes ... warning: unused variable',
    ' --> src/lib.rs:3:9',
    'ok',
    'test tests::fails ... error: no',
    'FAILED',
    'test tests::adds ... ok',
    'test result: FAILED. 2 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s',
  ]
  expect(detectReport(lines.join('\n'), AUTO)?.tests).toEqual([
    reportedTest('tests::probes', 'passed'),
    reportedTest('tests::fails', 'failed'),
    reportedTest('tests::adds', 'passed'),
  ])
})

test('a name holds no path of the checkout that it ran in', () => {
  const named = (folder: string) => {
    const names = [`resolves ${folder}/a to ${folder}`, `'${folder}'`, `${folder}.bak is another`]
    const tests = names.map((name) => reportedTest(name, 'failed', `${folder}/a.test.js`))
    return relativeTo(namedReport('tap', tests), [folder])
  }
  expect(named('/srv/checkouts/2').failures?.slice(0, 2)).toEqual([
    'a.test.js > resolves a to .',
    "a.test.js > '.'",
  ])
  expect(named('/srv/checkouts/2').tests?.at(2)?.name).toBe('/srv/checkouts/2.bak is another')
})

test('a unittest with a docstring is known by its name, which stands above the docstring', () => {
  const report = detectReport(
    [
      'test_adds (test_cart.CartTest.test_adds)',
      'Adds two prices. ... ok',
      'test_rounds (test_cart.CartTest)',
      'tests that half a cent is rounded ... FAIL',
      'test_later (test_cart.CartTest.test_later)',
      "Comes later ... skipped 'no server'",
      'test_plain (test_cart.CartTest.test_plain) ... ok',
      'a line of the program ... ok',
      '',
      '======================================================================',
      'FAIL: test_rounds (test_cart.CartTest)',
      'tests that half a cent is rounded',
      '----------------------------------------------------------------------',
      'Ran 4 tests in 0.001s',
      '',
      'FAILED (failures=1, skipped=1)',
      '',
    ].join('\n'),
    { kind: 'auto' },
  )
  expect(report?.tests?.map(({ name, outcome }) => [name, outcome])).toEqual([
    ['test_cart.CartTest.test_adds', 'passed'],
    ['test_cart.CartTest.test_rounds', 'failed'],
    ['test_cart.CartTest.test_later', 'skipped'],
    ['test_cart.CartTest.test_plain', 'passed'],
  ])
  expect(report?.failures).toEqual(['test_cart.CartTest.test_rounds'])
})

test('a suite that node skips whole stands for the tests in it, which it does not name', () => {
  const report = detectReport(
    [
      'TAP version 13',
      'ok 1 - slug # SKIP',
      '  ---',
      "  type: 'suite'",
      '  ...',
      'ok 2 - loads',
      '1..2',
      '# tests 1',
      '# suites 1',
      '# pass 1',
      '# fail 0',
      '# cancelled 0',
      '# skipped 0',
      '# todo 0',
    ].join('\n'),
    { kind: 'auto' },
  )
  expect(report?.tests).toMatchObject([
    { name: 'slug', outcome: 'skipped' },
    { name: 'loads', outcome: 'passed' },
  ])
})

test('assertions of tape have the name of their test before their own, and a number where it is the same', () => {
  expect(read('tape.tap').tests?.map((one) => `${one.name}: ${one.outcome}`)).toEqual([
    'slugify > joins words: passed',
    'slugify > lowers case: failed',
    'drops accents > should be strictly equal: passed',
    'drops accents > should be strictly equal (2): passed',
    'drops accents > later: skipped',
    'drops accents > some day: todo',
    'planned > should be truthy: passed',
    'a part > works: passed',
    'ends early > one of two: passed',
    'ends early > plan != count: failed',
  ])
})

test('a test of node that prints a sum of tape changes nothing', () => {
  const text = readFileSync(join(folder, 'node.tap'), 'utf8')
  const printed = text.replace('TAP version 13\n', 'TAP version 13\n# pass  5\n')
  expect(printed).not.toBe(text)
  expect(detectReport(printed, AUTO)).toEqual(detectReport(text, AUTO))
})

test('a result that a test of tape prints itself contradicts the plan', () => {
  const text = readFileSync(join(folder, 'tape.tap'), 'utf8').replace('ok 7', 'ok 11 pretend\nok 7')
  expect(detectReport(text, AUTO)?.doubts).toEqual(['it planned 10 tests and reported 11'])
})

describe('names hold only where they agree with the summary', () => {
  test('test output that looks like a result drops the names, not the counts', () => {
    const text = readFileSync(join(folder, 'node-spec.txt'), 'utf8')
    expect(read('node-spec.txt').tests).toBeNull()
    const honest = detectReport(text.replace('\n✖ pretend (1ms)', ''), AUTO)
    expect(honest?.tests?.map((one) => `${one.name}: ${one.outcome}`)).toEqual([
      'slugify > joins words with a dash: passed',
      'slugify > drops accents: failed',
      'slugify > later: skipped',
      'slugify > keeps emoji: todo',
      'top level > sub one: passed',
      'skipped without reason: skipped',
      'in another # file: passed',
    ])
  })

  test('a runner that names nothing that passed has counts and no names', () => {
    expect(read('vitest.txt').tests).toBeNull()
    expect(read('pytest-quiet.txt').tests).toBeNull()
    expect(read('surefire.txt').tests).toBeNull()
  })

  test('one test is called the same by every report of the runner', () => {
    const keys = (file: string) => read(file).tests?.map(testKey) ?? []
    expect(keys('vitest-verbose.txt')).toEqual(keys('vitest-flat.tap'))
    expect(keys('pytest-all.txt')).toContain('test_cart.py > TestCart::test_inside')
    expect(keys('pytest-verbose.txt')).toContain('test_cart.py > TestCart::test_inside')
  })

  test('output quoted in a failure is no result', () => {
    expect(read('pytest-verbose.txt').tests?.map(({ name }) => name)).not.toContain('test_said_by_the_test')
    expect(read('jest-verbose.txt').tests?.map(({ name }) => name)).not.toContain('said by the diff')
  })
})

describe('a report that contradicts itself is doubted', () => {
  test('fewer tests than planned, and bailing out', () => {
    expect(read('hostile.tap').doubts).toEqual([
      'it bailed out: the disk is full',
      'it planned 3 tests and reported 2',
    ])
  })

  test('an XML report that is cut short or declares a document type', () => {
    const cut = detectReport('<testsuites><testsuite name="a"><testcase name="b">', {
      kind: 'junit',
      path: 'r.xml',
    })
    expect(cut?.doubts).toEqual(['the report is incomplete'])
    const bomb =
      '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aa">]><testsuite><testcase name="&a;"/></testsuite>'
    const declared = detectReport(bomb, { kind: 'junit', path: 'r.xml' })
    expect(declared).toMatchObject({ counts: { run: 0 }, doubts: ['it declares a document type'] })
  })
})

test('a report of many thousands of tests is read whole', () => {
  const tests = 70_000
  const point = (n: number): string =>
    `# Subtest: ${'case '.repeat(30)}${n}\nok ${n} - ${'case '.repeat(30)}${n}\n  ---\n  duration_ms: 0.1\n  type: 'test'\n  ...\n`
  const points = Array.from({ length: tests }, (_, at) => point(at + 1))
  const report = detectReport(`TAP version 13\n${points.join('')}1..${tests}\n`, AUTO)
  expect(report?.counts).toEqual({ run: tests, passed: tests, failed: 0, skipped: 0 })
  expect(report?.doubts).toEqual([])
})

test('an unknown format has no counts', () => {
  for (const text of ['', 'PASS', 'all good', '3 files in 0.1s', 'ok', 'Tests passed']) {
    expect(detectReport(text, AUTO), text).toBeNull()
  }
})

test('the exit code alone counts where the user says so', () => {
  expect(detectReport('TAP version 13\n1..1\nok 1 - a', reportHintOf('exit'))).toBeNull()
  expect(reportHintOf('junit:out/report.xml')).toEqual({ kind: 'junit', path: 'out/report.xml' })
  expect(reportHintOf(undefined)).toEqual(AUTO)
})

describe('hostile output is read in linear time', () => {
  const megabyte = 1024 * 1024
  const bombs: Record<string, string> = {
    'one endless line': 'a'.repeat(8 * megabyte),
    'only line feeds': '\n'.repeat(4 * megabyte),
    'open diagnostic blocks': `TAP version 13\n1..1\nok 1\n${'  ---\n'.repeat(500_000)}`,
    'deep subtests': `TAP version 13\n1..1\n${' '.repeat(1000)}ok 1 - a\n`.repeat(2_000),
    'hashes in names': `TAP version 13\n1..1\nok 1 ${'# '.repeat(999)}\n`.repeat(2_000),
    'a tag without end': `<testsuite ${'a'.repeat(4 * megabyte)}`,
    'attributes without values': `<testsuite ${'a '.repeat(megabyte)}></testsuite>`,
    'many suites in suites': '<testsuite>'.repeat(300_000),
    'brackets in failures': `[ERROR] ${'('.repeat(1900)} <<< ERROR!\n`.repeat(3_000),
    'statuses in one line':
      `collected 9 items\n${' PASSED ()'.repeat(190)} x [ 1%]\n1 passed in 0.1s\n`.repeat(2_000),
    'opened suites': `${'▶ a\n'.repeat(200_000)}ℹ tests 1\nℹ pass 1\nℹ fail 0\n`,
    numbers: `ℹ tests ${'9'.repeat(1000)}\n`.repeat(1000),
  }
  // What takes time that grows with its square would not end within the limit of a test.
  test.each(Object.entries(bombs))('%s', (_, text) => {
    expect(() => detectReport(text, AUTO)).not.toThrow()
  })
})
