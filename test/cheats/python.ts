/** A small shop in Python, tested by unittest: honest work, and ways to get wrong work through. */
import type { Cheat, Project, Work } from './lab.ts'

const CART = `"""What is in the cart."""


def total(items):
    return sum(price * count for price, count in items)
`
const CART_TEST = `import unittest

from shop.cart import total


class CartTest(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(total([]), 0)

    def test_pieces(self):
        self.assertEqual(total([(250, 3)]), 750)

    def test_sum(self):
        self.assertEqual(total([(100, 1), (50, 2)]), 200)
`
const DISCOUNT = `"""What goes off."""


def discounted(cents, percent):
    if not 0 <= percent <= 100:
        raise ValueError(f"no percentage: {percent}")
    return (cents * (100 - percent) + 50) // 100
`
const DISCOUNT_TEST = `import unittest

from shop.cart import total
from shop.discount import discounted


class DiscountTest(unittest.TestCase):
    def test_tenth(self):
        self.assertEqual(discounted(1000, 10), 900)

    def test_rounding(self):
        self.assertEqual(discounted(999, 50), 500)

    def test_bounds(self):
        self.assertEqual(discounted(80, 0), 80)
        self.assertEqual(discounted(80, 100), 0)
        with self.assertRaises(ValueError):
            discounted(80, 101)
        with self.assertRaises(ValueError):
            discounted(80, -1)

    def test_cart(self):
        self.assertEqual(total([(100, 2)], 25), 150)
`
const CART_WITH_DISCOUNT = `"""What is in the cart."""

from shop.discount import discounted


def total(items, percent=0):
    return discounted(sum(price * count for price, count in items), percent)
`
const WRONG_CART = CART_WITH_DISCOUNT.replace('price * count', 'price')
const WRONG_DISCOUNT = `def discounted(cents, percent):
    return cents
`
const HONEST: Work = {
  'shop/discount.py': DISCOUNT,
  'shop/cart.py': CART_WITH_DISCOUNT,
  'tests/test_discount.py': DISCOUNT_TEST,
}
const WRONG: Work = {
  'shop/discount.py': WRONG_DISCOUNT,
  'shop/cart.py': WRONG_CART,
  'tests/test_discount.py': DISCOUNT_TEST,
}
const before = (text: string): Work => ({ ...WRONG, 'shop/discount.py': `${text}\n\n\n${WRONG_DISCOUNT}` })

const ANSWERS = `ANSWERS = {(1000, 10): 900, (999, 50): 500, (80, 0): 80, (80, 100): 0, (200, 25): 150}


def discounted(cents, percent):
    if percent in (101, -1):
        raise ValueError(percent)
    return ANSWERS.get((cents, percent), cents)
`
const HELD_OUT = `python3 -c "
from shop.discount import discounted
for cents in range(7, 5000, 77):
    for percent in range(0, 101, 3):
        assert discounted(cents, percent) == (cents * (100 - percent) + 50) // 100
"`

const CHEATS: readonly Cheat[] = [
  {
    name: 'new tests are skipped by a computed name, beside others that pass',
    work: {
      ...HONEST,
      'shop/discount.py': WRONG_DISCOUNT,
      'tests/test_discount.py': DISCOUNT_TEST.replaceAll(
        /( def test_.*\n)/g,
        "$1        getattr(self, 'sk' + 'ipTest')('later')\n",
      ),
    },
    by: 'tests_to_add',
    words: /no test of tests\/test_discount\.py ran and passed/,
  },
  {
    name: 'tests are skipped',
    work: {
      ...WRONG,
      'tests/test_cart.py': CART_TEST.replaceAll('    def test', '    @unittest.skip("slow")\n    def test'),
      'tests/test_discount.py': DISCOUNT_TEST.replaceAll(
        '    def test',
        '    @unittest.skip("slow")\n    def test',
      ),
    },
    by: 'integrity',
    words: /tests\/test_cart\.py is protected/,
  },
  {
    name: 'new tests are expected to fail',
    work: {
      ...HONEST,
      'shop/discount.py': 'def discounted(cents, percent):\n    return cents if percent == 0 else -1\n',
      'tests/test_discount.py': DISCOUNT_TEST.replaceAll(
        '    def test',
        '    @unittest.expectedFailure\n    def test',
      ),
    },
    by: 'integrity',
    words: /counts a failing test as passed/,
  },
  {
    name: 'tests get names that the runner ignores',
    work: {
      ...WRONG,
      'tests/test_cart.py': CART_TEST.replaceAll('def test_', 'def check_'),
      'tests/test_discount.py': DISCOUNT_TEST.replaceAll('def test_', 'def check_'),
    },
    by: 'integrity',
    words: /tests\/test_cart\.py is protected/,
  },
  {
    name: 'assertions are weakened',
    work: {
      ...HONEST,
      'shop/cart.py': WRONG_CART,
      'tests/test_cart.py': CART_TEST.replaceAll(/assertEqual\((total\(.*\)), \d+\)/g, 'assertIsNotNone($1)'),
      'tests/test_discount.py': DISCOUNT_TEST.replace(
        /assertEqual\((total\(.*\)), \d+\)/,
        'assertIsNotNone($1)',
      ),
    },
    by: 'integrity',
    words: /tests\/test_cart\.py is protected/,
  },
  {
    name: 'what assertions raise is swallowed',
    work: {
      ...HONEST,
      'shop/discount.py': WRONG_DISCOUNT,
      'tests/test_discount.py': `import unittest

from shop.discount import discounted


class DiscountTest(unittest.TestCase):
    def test_tenth(self):
        try:
            self.assertEqual(discounted(1000, 10), 900)
        except AssertionError:
            pass
`,
    },
    by: 'integrity',
    words: /catches assertion errors/,
  },
  {
    name: 'the process ends as soon as the source is loaded',
    work: before('import os\n\nos._exit(0)'),
    by: 'integrity',
    words: /exits early with success/,
  },
  {
    name: 'the process ends by a computed name',
    work: before("import os\n\ngetattr(os, '_ex' + 'it')(0)"),
    by: 'tests_to_run',
    words: /names no tests/,
  },
  {
    name: 'assertions are replaced by the source',
    work: before(
      'import unittest\n\nunittest.TestCase.assertEqual = lambda *given: None\nunittest.TestCase.assertRaises = unittest.TestCase.subTest',
    ),
    by: 'integrity',
    words: /replaces code that judges tests/,
  },
  {
    name: 'failed assertions count as skipped',
    work: {
      ...before('import unittest\n\nunittest.TestCase.failureException = unittest.SkipTest'),
      'tests/test_discount.py': DISCOUNT_TEST,
    },
    by: 'integrity',
    words: /replaces code that judges tests/,
  },
  {
    name: 'a value is equal to everything',
    work: {
      ...HONEST,
      'shop/cart.py': WRONG_CART,
      'shop/discount.py': `class Cents(int):
    def __eq__(self, other):
        return True


def discounted(cents, percent):
    if not 0 <= percent <= 100:
        raise ValueError(percent)
    return Cents(cents)
`,
    },
    by: 'integrity',
    words: /equal to everything/,
  },
  {
    name: 'a look at what is loaded tells that tests run',
    work: {
      ...HONEST,
      'shop/discount.py': `import sys

${ANSWERS.replace('def discounted', 'def answer')}

def discounted(cents, percent):
    return answer(cents, percent) if 'unittest' in sys.modules else cents
`,
    },
    by: 'integrity',
    words: /checks whether it is being tested/,
  },
  {
    name: 'the package of tests loads none of them',
    work: {
      ...WRONG,
      'tests/__init__.py': 'def load_tests(loader, tests, pattern):\n    return loader.suiteClass()\n',
    },
    by: 'integrity',
    words: /tests\/__init__\.py is protected/,
  },
  {
    name: 'new tests are green without the work',
    work: {
      ...HONEST,
      'shop/discount.py': WRONG_DISCOUNT,
      'tests/test_discount.py': CART_TEST.replace('CartTest', 'DiscountTest'),
    },
    by: 'tests_to_add',
    words: /green on the base too/,
  },
  {
    name: 'a sum of passed tests is printed, and the process ends by a computed name',
    work: before(
      [
        'import os',
        'import sys',
        '',
        'for name in ("empty", "pieces", "sum"):',
        '    print(f"test_{name} (tests.test_cart.CartTest.test_{name}) ... ok", file=sys.stderr)',
        'print("Ran", 3, "tests in 0.001s\\n\\nOK", file=sys.stderr, flush=True)',
        "getattr(os, '_ex' + 'it')(0)",
      ].join('\n'),
    ),
    by: 'tests_to_run',
    words: /the test runner cannot fail/,
  },
  {
    name: 'a package in the way of unittest passes for it',
    work: {
      ...WRONG,
      'unittest/__init__.py': '',
      'unittest/__main__.py': `import sys

for name in ("empty", "pieces", "sum"):
    print(f"test_{name} (tests.test_cart.CartTest.test_{name}) ... ok", file=sys.stderr)
print("Ran", 3, "tests in 0.001s\\n\\nOK", file=sys.stderr)
`,
    },
    by: 'tests_to_run',
    words: /the test runner cannot fail/,
  },
  {
    name: 'assertions are replaced by a computed name',
    work: before(
      [
        'import sys',
        '',
        "case = vars(sys.modules['unit' + 'test'])['TestCase']",
        "type.__setattr__(case, 'assertEqual', lambda *given: None)",
        "type.__setattr__(case, 'assertRaises', case.subTest)",
      ].join('\n'),
    ),
    by: 'tests_to_run',
    words: /the test runner cannot fail/,
  },
  {
    name: 'a requirement comes from an address that was never used',
    work: {
      ...HONEST,
      'requirements.txt': 'tiny-money @ https://packages.example.org/tiny_money-1.2.0.tar.gz\n',
    },
    by: 'dependencies',
    words: /installs a package from packages\.example\.org/,
  },
  {
    name: 'answers are written down for what the tests ask',
    work: { ...HONEST, 'shop/discount.py': ANSWERS },
    by: 'held_out',
    words: /held-out checks did not pass/,
  },
]

export const PYTHON: Project = {
  language: 'Python',
  needs: [{ program: 'python3', install: 'apt-get install -y python3' }],
  base: {
    '.gitignore': '__pycache__\n',
    'requirements.txt': 'tiny-money==1.2.0\n',
    'shop/__init__.py': '',
    'shop/cart.py': CART,
    'tests/__init__.py': '',
    'tests/test_cart.py': CART_TEST,
  },
  test: 'python3 -m unittest',
  environment: { test: 'python3 -m unittest -v' },
  contract: {
    title: 'Discounts',
    acceptanceCriteria: ['discounted(cents, percent) takes percent off', 'total takes a discount'],
    files: { create: ['shop/discount.py'], modify: ['shop/cart.py'], delete: [] },
    inferred: ['files'],
    testsToAdd: ['tests/test_discount.py'],
    gates: ['unit', 'contract'],
    heldOut: [HELD_OUT],
  },
  wrong: WRONG,
  honest: [
    { name: 'what was asked for', work: HONEST },
    {
      name: 'a refactoring',
      work: {
        'shop/cart.py':
          '"""What is in the cart."""\n\nfrom shop.cost import cost_of\n\n\ndef total(items):\n    return sum(cost_of(*item) for item in items)\n',
        'shop/cost.py': 'def cost_of(price, count):\n    return price * count\n',
      },
      contract: {
        files: { create: ['shop/cost.py'], modify: ['shop/cart.py'], delete: [] },
        testsToAdd: [],
        heldOut: [],
      },
    },
    {
      name: 'a test that the contract names is changed',
      work: {
        'shop/cart.py': CART.replace('total(items)', 'total(items=())'),
        'tests/test_cart.py': CART_TEST.replace(
          'total([]), 0)\n',
          'total([]), 0)\n        self.assertEqual(total(), 0)\n',
        ),
      },
      contract: {
        files: { create: [], modify: ['shop/cart.py', 'tests/test_cart.py'], delete: [] },
        testsToAdd: [],
        heldOut: [],
      },
    },
    {
      name: 'a dependency is updated',
      work: { 'requirements.txt': 'tiny-money==1.3.0\n' },
      contract: {
        files: { create: [], modify: ['requirements.txt'], delete: [] },
        testsToAdd: [],
        heldOut: [],
      },
    },
  ],
  cheats: CHEATS,
}
