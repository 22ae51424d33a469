import { describe, expect, test } from 'vitest'
import { aChange, type BeforeAfter } from '../../../../../test/helpers/a-change.ts'
import { loadTestParser } from '../../../../../test/helpers/test-parser.ts'
import { tripwires } from '../tripwires.ts'

const PARSER = await loadTestParser()

type Files = Readonly<Record<string, BeforeAfter>>

/** What is found about removed tests and assertions, where the contract names these files. */
function found(files: Files, named: readonly string[] = Object.keys(files)): readonly string[] {
  const change = aChange(files)
  const spec = { files: { create: [], modify: [...named], delete: [] }, testsToAdd: [], inferred: [] }
  const { trips } = tripwires({ change, trees: PARSER.ofChange(change), spec })
  return trips
    .filter(({ wire }) => wire === 'fewer-assertions')
    .map(({ weight, path, line, saw }) => `${weight} ${path}:${line} ${saw}`)
}

const CART = `export function total(items) {
  return items.length
}

export function weight(items) {
  return items.length * 2
}
`
const TESTS = `import { total, weight } from '../src/cart.js'

test('counts', () => {
  expect(total([1])).toBe(1)
})

test('weighs', () => {
  const cart = [1]
  expect(weight(cart)).toBe(2)
  expect(weight([])).toBe(0)
})
`
const without = (text: string, from: string, to = ''): string => {
  const start = text.indexOf(from)
  return text.slice(0, start) + (to === '' ? '' : text.slice(text.indexOf(to, start)))
}
const NO_WEIGHT = without(CART, '\nexport function weight')
const NO_WEIGHT_TEST = without(TESTS, "\ntest('weighs'")
const REVIEWED = [
  'review test/cart.test.js:5 removes 1 test and 2 assertions of changed code (weight), lines 7 to 10 before',
]

describe('removed tests and assertions are left to review', () => {
  test.each<[string, BeforeAfter]>([
    ['is gone', [CART, NO_WEIGHT]],
    ['was renamed', [CART, CART.replace('weight', 'mass')]],
    ['was changed', [CART, CART.replace('* 2', '* 3')]],
    ['went with its file', [CART, null]],
  ])('where the code that they called %s', (_, source) => {
    expect(found({ 'src/cart.js': source, 'test/cart.test.js': [TESTS, NO_WEIGHT_TEST] })).toEqual(REVIEWED)
  })

  test('where the test around an assertion calls changed code', () => {
    const fewer = TESTS.replace('  expect(weight([])).toBe(0)\n', '')
    const source: BeforeAfter = [CART, CART.replace('* 2', '* 3')]
    expect(found({ 'src/cart.js': source, 'test/cart.test.js': [TESTS, fewer] })).toEqual([
      'review test/cart.test.js:10 removes 1 assertion of changed code (weight), line 10 before',
    ])
  })

  test('where what they called leads to changed code, in the source or by a helper of the test', () => {
    const source = `def _wrapper(method):
    return method

def cached(cache):
    return _wrapper(cache)
`
    const tests = `class Cached:
    @cached({})
    def get(self):
        return 1

class CachedTest(TestCase):
    def test_none(self):
        self.assertEqual(Cached().get(), 1)

    def test_other(self):
        self.assertTrue(one())
`
    const files = {
      'shop/cached.py': [source, source.replace('return method', 'return method()')],
      'tests/test_cached.py': [tests, without(tests, '    def test_none', '    def test_other')],
    } as const
    expect(found(files)).toEqual([
      'review tests/test_cached.py:7 removes 1 test and 1 assertion of changed code (Cached), lines 7 to 8 before',
    ])
  })

  test('where what they called is in a module that did not change, which may lead to changed code', () => {
    const source: BeforeAfter = ['export const rate = () => 2\n', 'export const rate = () => 3\n']
    expect(found({ 'src/rate.js': source, 'test/cart.test.js': [TESTS, NO_WEIGHT_TEST] })).toEqual([
      'review test/cart.test.js:5 removes 1 test and 2 assertions, lines 7 to 10 before',
    ])
  })

  test.each<[string, string, string, string, string]>([
    [
      'C',
      'src/cart.c',
      'tests/test_cart.c',
      'long total(void) {\n  return 1;\n}\n',
      'TEST(counts) {\n  CHECK(total() == 1);\n}\n',
    ],
    [
      'Java',
      'src/main/java/Cart.java',
      'src/test/java/CartTest.java',
      'class Cart {\n  int total() { return 1; }\n}\n',
      '  @Test void counts() {\n    assertEquals(1, new Cart().total());\n  }\n',
    ],
  ])('where the language is %s, whose calls are not read', (_, source, tests, code, removed) => {
    const files = { [source]: [code, code.replace('1', '2')], [tests]: [removed, '\n'] } as const
    expect(found(files)).toEqual([`review ${tests}:1 removes 1 test and 1 assertion, lines 1 to 2 before`])
  })

  test.each<[string, string, string, string]>([
    [
      'src/a.rs',
      'pub fn total() -> u8 {\n    1\n}\n',
      '#[cfg(test)]\nmod tests {\n    #[test]\n    fn counts() {\n        assert_eq!(total(), 1);\n    }\n}\n',
      '#[cfg(test)]\nmod tests {\n}\n',
    ],
    [
      'a_test.go',
      'func total() int {\n\treturn 1\n}\n',
      'func TestTotal(t *testing.T) {\n\tassert.Equal(t, 1, total())\n}\n',
      '\n',
    ],
    [
      'test/a_test.rb',
      'def total\n  1\nend\n',
      'class ATest\n  def test_total\n    assert_equal 1, total()\n  end\nend\n',
      'class ATest\nend\n',
    ],
  ])('in %s too', (path, source, tests, left) => {
    const changed = source.replace('1', '2')
    const isInside = path === 'src/a.rs'
    const other = path.endsWith('.go') ? 'a.go' : 'lib/a.rb'
    const files: Files = isInside
      ? { [path]: [source + tests, changed + left] }
      : { [other]: [source, changed], [path]: [tests, left] }
    expect(found(files)).toEqual([
      expect.stringMatching(/^review .* 1 test and 1 assertion of changed code \(total\)/),
    ])
  })
})

describe('removed tests and assertions block', () => {
  const changed: BeforeAfter = [CART, CART.replace('* 2', '* 3')]
  const noCount = without(TESTS, "\ntest('counts'", "\ntest('weighs'")

  test('where the contract does not name their file', () => {
    const files = { 'src/cart.js': changed, 'src/cart.test.js': [TESTS, NO_WEIGHT_TEST] } as const
    expect(found(files, ['src/'])).toEqual(['blocks src/cart.test.js:5 removes 1 test'])
  })

  test.each<[string, BeforeAfter]>([
    ['other code was changed', changed],
    [
      'only a comment was changed',
      [CART, CART.replace('  return items.length\n', '  // Each counts.\n  return items.length\n')],
    ],
    ['other code is gone', [CART, NO_WEIGHT]],
  ])('where %s', (_, source) => {
    const files = { 'src/cart.js': source, 'test/cart.test.js': [TESTS, noCount] } as const
    expect(found(files)).toEqual(['blocks test/cart.test.js:3 removes 1 test'])
  })

  test('where the code that they called was only moved', () => {
    const moved = { 'src/weight.js': [null, CART.slice(CART.indexOf('export function weight'))] } as const
    const files = {
      ...moved,
      'src/cart.js': [CART, NO_WEIGHT],
      'test/cart.test.js': [TESTS, NO_WEIGHT_TEST],
    } as const
    expect(found(files)).toEqual(['blocks test/cart.test.js:5 removes 1 test'])
  })

  test('with those that call changed code, and only the others are counted', () => {
    const files = {
      'src/cart.js': changed,
      'test/cart.test.js': [TESTS, "import '../src/cart.js'\n"],
    } as const
    expect(found(files)).toEqual(['blocks test/cart.test.js:1 removes 1 test'])
  })

  test('where only code of tests was changed', () => {
    const helper = 'export function built(items) {\n  return items\n}\n'
    const tests = TESTS.replaceAll('weight', 'built')
    const files = {
      'test/helpers.test.js': [helper, helper.replace('return items', 'return []')],
      'test/cart.test.js': [tests, without(tests, "\ntest('weighs'")],
    } as const
    expect(found(files)).toEqual(['blocks test/cart.test.js:5 removes 1 test'])
  })
})
