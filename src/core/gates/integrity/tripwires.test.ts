import { expect, test } from 'vitest'
import { aChange } from '../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../test/helpers/test-parser.ts'
import { LINES, type Weight } from '../../../../test/helpers/tripwire-lines.ts'
import { CALLS } from '../../../../test/helpers/tripwire-cases.ts'
import { tripwires } from './tripwires.ts'

const PARSER = await loadTestParser()
const SPEC = { files: { create: [], modify: [], delete: [] }, testsToAdd: [], inferred: [] }

/** How heavy a wire trips when this comes into the file; null where it does not. */
function weightOf(wire: string, path: string, before: string | null, after: string): Weight {
  const change = aChange({ [path]: [before, after] })
  const { trips } = tripwires({ change, trees: PARSER.ofChange(change), spec: SPEC })
  return trips.find((trip) => trip.wire === wire)?.weight ?? null
}

test.each([...LINES, ...CALLS])('%s in %s: %j is %s', (wire, path, text, weight) => {
  expect(weightOf(wire, path, null, `${text}\n`)).toBe(weight)
  const first = path.endsWith('.rs')
    ? 'const FIRST: u8 = 1;\n'
    : path.endsWith('.py')
      ? 'first = 1\n'
      : 'const first = 1\n'
  expect(weightOf(wire, path, first, `${first}${text}\n`)).toBe(wire === 'asserts-nothing' ? null : weight)
})

test('a list of any length hides nothing that follows it', () => {
  const list = `const list = [${'1, '.repeat(70_000)}]`
  expect(weightOf('exits-early', 'a.test.js', null, `${list}\nprocess.exit(0)\n`)).toBe('blocks')
})

/** [wire, file, before, after, weight] */
const CHANGES: readonly (readonly [string, string, string, string, Weight])[] = [
  [
    'fewer-assertions',
    'a.test.js',
    "it('x', () => {\n  expect(a).toBe(1)\n})",
    "it('x', () => {\n})",
    'blocks',
  ],
  [
    'fewer-assertions',
    'a.test.js',
    "it('x', () => {\n  expect(a).toBe(1)\n})",
    "it('x', () => {\n  // expect(a).toBe(1)\n})",
    'blocks',
  ],
  [
    'fewer-assertions',
    'a.test.js',
    "it('x', () => {\n  expect(a).toBe(1)\n})",
    "it('y', () => {\n  expect(a).toBe(2)\n})",
    null,
  ],
  [
    'fewer-assertions',
    'a.test.js',
    "it('x', () => expect(a).toBe(1))",
    "const wrapped = () => {\n  it('x', () => expect(a).toBe(1))\n}",
    null,
  ],
  [
    'fewer-assertions',
    'a.test.js',
    "it('x', () => expect(f(1)).toBe(1))\nit('y', () => expect(f(2)).toBe(2))",
    "it.each([1, 2])('x', (n) => expect(f(n)).toBe(n))",
    'review',
  ],
  [
    'fewer-assertions',
    'test_a.py',
    'def test_x():\n    assert a == 1',
    'def _test_x():\n    assert a == 1',
    'blocks',
  ],
  [
    'fewer-assertions',
    'a_test.go',
    'func TestA(t *testing.T) {\n}',
    'func testA(t *testing.T) {\n}',
    'blocks',
  ],
  [
    'fewer-assertions',
    'src/a.rs',
    '#[cfg(test)]\nmod t {\n  assert_eq!(a, 1);\n}',
    '#[cfg(test)]\nmod t {\n}',
    'blocks',
  ],
  ['fewer-assertions', 'src/a.js', 'assert(a)\nb()', 'b()', null],
  [
    'fewer-assertions',
    'test_a.py',
    'def test_x():\n    names = list(all)\n    assert a == 1\n    assert b == 2',
    'def test_x():\n    names = [one for one in all]\n    assert a == 3',
    'blocks',
  ],
  [
    'fewer-assertions',
    'a.test.js',
    "test.each([\n  [1, 1],\n  [2, 2],\n])('%i', (a, b) => expect(f(a)).toBe(b))",
    "test.each([\n  [2, 2],\n])('%i', (a, b) => expect(f(a)).toBe(b))",
    null,
  ],
  [
    'fewer-assertions',
    'a.test.js',
    'assert.deepEqual(f(), {\n  a: 1,\n  b: 2,\n})',
    'assert.deepEqual(f(), {\n  a: 1,\n})',
    null,
  ],
  [
    'fewer-assertions',
    'test/a.bats',
    'if [[ -n "$a" ]]; then\n  run b\nfi\n[ "$c" = 1 ]',
    'run b\n[ "$c" = 1 ]',
    null,
  ],
  ['fewer-assertions', 'test/a.bats', 'run b\n[ "$c" = 1 ]', 'run b', 'blocks'],
  ['weaker-assertion', 'a.test.js', 'expect(a)\n  .toBe(1)', 'expect(a)\n  .toBeDefined()', 'blocks'],

  ['weaker-assertion', 'a.test.js', 'expect(a).toBe(1)', 'expect(a).toBeDefined()', 'blocks'],
  ['weaker-assertion', 'a.test.js', 'assert.equal(a, 1)', 'assert.ok(a)', 'blocks'],
  ['weaker-assertion', 'a.test.js', 'expect(a).toBe(1)', 'expect(a).toEqual({ b: 1 })', null],
  ['weaker-assertion', 'a.test.js', 'expect(a).toBeDefined()', 'expect(a).toBe(1)', null],
  ['weaker-assertion', 'a.test.js', 'expect(a).toBe(1)', 'expect(a).toBe(1)\nexpect(b).toBeDefined()', null],
  ['weaker-assertion', 'test_a.py', 'assert f() == 3', 'assert f() is not None', 'blocks'],
  ['weaker-assertion', 'test_a.py', 'self.assertEqual(a, 1)', 'self.assertTrue(a)', 'blocks'],
  ['weaker-assertion', 'a_test.go', 'assert.Equal(t, 1, a)', 'assert.NotNil(t, a)', 'blocks'],
  ['weaker-assertion', 'tests/a.rs', 'assert_eq!(a, Ok(1));', 'assert!(a.is_ok());', 'blocks'],
  ['weaker-assertion', 'test/a_test.cpp', 'EXPECT_EQ(a, 1);', 'EXPECT_TRUE(a);', 'blocks'],
  ['weaker-assertion', 'src/test/AppTest.java', 'assertEquals(1, a);', 'assertNotNull(a);', 'blocks'],
  ['weaker-assertion', 'spec/a_spec.rb', 'expect(a).to eq(1)', 'expect(a).to be_truthy', 'blocks'],

  [
    'timeout-raised',
    'a.test.js',
    "it('x', run, { timeout: 1000 })",
    "it('x', run, { timeout: 60_000 })",
    'blocks',
  ],
  ['timeout-raised', 'a.test.js', "it('x', run, { timeout: 1000 })", "it('x', run, { timeout: 500 })", null],
  ['timeout-raised', 'vitest.config.ts', 'testTimeout: 5_000,', 'testTimeout: 50_000,', 'blocks'],
  ['timeout-raised', 'src/load.js', 'const timeout = 100', 'const timeout = 200', null],
  ['timeout-raised', 'a.test.js', 'expect(load(2)).toBe(3)', 'expect(load(2)).toBe(4)', null],

  [
    'tolerance-widened',
    'a.test.js',
    'expect(a).toBeCloseTo(3.14, 5)',
    'expect(a).toBeCloseTo(3.14, 1)',
    'blocks',
  ],
  [
    'tolerance-widened',
    'a.test.js',
    'expect(a).toBeCloseTo(3.14, 1)',
    'expect(a).toBeCloseTo(3.14, 5)',
    null,
  ],
  [
    'tolerance-widened',
    'test_a.py',
    'assert a == approx(1, abs=0.001)',
    'assert a == approx(1, abs=0.5)',
    'blocks',
  ],
  [
    'tolerance-widened',
    'test_a.py',
    'assert a == approx(2, abs=0.001)',
    'assert a == approx(3, abs=0.001)',
    null,
  ],
  [
    'tolerance-widened',
    'test/a_test.cpp',
    'EXPECT_NEAR(a, 1.0, 1e-9);',
    'EXPECT_NEAR(a, 1.0, 1e-2);',
    'blocks',
  ],

  ['threshold-lowered', 'vitest.config.ts', 'branches: 90,', 'branches: 10,', 'blocks'],
  ['threshold-lowered', 'vitest.config.ts', 'branches: 90,', 'branches: 95,', null],
  [
    'threshold-lowered',
    'package.json',
    '"lint": "eslint --max-warnings 0"',
    '"lint": "eslint --max-warnings 99"',
    'blocks',
  ],
  ['threshold-lowered', 'src/a.ts', 'const branches = 90', 'const branches = 10', null],

  ['expectation-changed', 'a.test.js', 'expect(a).toBe(3)', 'expect(a).toBe(4)', 'review'],
  ['expectation-changed', 'src/a.js', 'const a = 3', 'const a = 4', null],

  ['snapshot-rewritten', 'src/__snapshots__/a.test.ts.snap', 'a\n', 'b\n', 'review'],
  ['snapshot-rewritten', 'src/__snapshots__/a.test.ts.snap', 'a\n', 'a\nb\n', null],
  ['unreadable-code', 'src/a.js', 'a()', `a('${'x'.repeat(5_000)}')`, 'review'],
  ['unreadable-code', 'src/a.js', 'a()', 'b()', null],
]

test.each(CHANGES)('%s in %s: %j to %j is %s', (wire, path, before, after, weight) => {
  expect(weightOf(wire, path, `${before}\n`, `${after}\n`)).toBe(weight)
})

test('a line that another file of the change gives up is for review in its new place', () => {
  const defused = (from: string | null) => {
    const change = aChange({
      '.github/workflows/ci.yml': [null, 'jobs:\n  a:\n    run: |\n      npm run lint || true\n'],
      '.travis.yml': [from ?? 'script: npm test\n', null],
    })
    const { trips } = tripwires({ change, trees: PARSER.ofChange(change), spec: SPEC })
    return trips.find(({ wire }) => wire === 'check-defused')?.weight ?? null
  }
  expect(defused(null)).toBe('blocks')
  expect(defused('script:\n  - npm run lint || true\n')).toBe('review')
})

test.each<[string, Weight]>([
  ['[ -n "$BATS_TEST_NAME" ] && echo 42', 'blocks'],
  ['if test -n "$BATS_TEST_NAME"; then echo 42; fi', 'blocks'],
  ['case "$BATS_TEST_NAME" in *) echo 42 ;; esac', 'blocks'],
  ['PATH="$BATS_SAVED_PATH"', 'review'],
  ['BATS_SAVED_PATH="${BATS_SAVED_PATH-$PATH}"', 'review'],
  ['export BATS_LIB=lib', null],
])('a shell script with %s: %s', (text, weight) => {
  expect(weightOf('watches-for-tests', 'src/a.sh', null, `${text}\n`)).toBe(weight)
})

test('every wire has an example that trips it and one that does not', () => {
  const rows = [
    ...LINES.map(([wire, , , weight]) => ({ wire, weight })),
    ...CHANGES.map(([wire, , , , weight]) => ({ wire, weight })),
  ]
  const wires = [...new Set(rows.map(({ wire }) => wire))]
  for (const wire of wires) {
    const weights = rows.filter((row) => row.wire === wire).map(({ weight }) => weight)
    expect([wire, weights.some((weight) => weight !== null), weights.includes(null)]).toEqual([
      wire,
      true,
      true,
    ])
  }
  expect(wires.length).toBe(28)
})

test.each<[string, string[], Weight]>([
  ['json.py', [], 'blocks'],
  ['unittest/__init__.py', [], 'blocks'],
  ['tests/decimal.py', [], 'blocks'],
  ['json.py', ['json.py'], 'review'],
  ['shop/json.py', [], null],
  ['shop/types/__init__.py', [], null],
  ['prices.py', [], null],
])('a new %s, with %j named, stands before a module of Python: %s', (path, create, weight) => {
  const spec = { ...SPEC, files: { ...SPEC.files, create } }
  const change = aChange({ [path]: [null, 'def dumps(x):\n    return 1\n'] })
  const { trips } = tripwires({ change, trees: PARSER.ofChange(change), spec })
  expect(trips.find(({ wire }) => wire === 'library-shadowed')?.weight ?? null).toBe(weight)
})
