/** A small shop in JavaScript, tested by `node --test`: what is there, honest work on it, and wrong work. */
import type { Honest, Work } from './lab.ts'

const CART = `/** What everything in the cart costs, in cents. */
export function total(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0)
}
`
export const CART_TEST = `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('an empty cart costs nothing', () => {
  assert.equal(total([]), 0)
})

test('every piece counts', () => {
  assert.equal(total([{ price: 250, count: 3 }]), 750)
})

test('items are added up', () => {
  assert.equal(total([{ price: 100, count: 1 }, { price: 50, count: 2 }]), 200)
})
`
export const RECEIPT = `/** One line for each item. */
export const receipt = (items) => items.map(({ name, price }) => name + ' ' + price).join('\\n') + '\\n'
`
const RECEIPT_TEST = `import assert from 'node:assert'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { receipt } from '../src/receipt.js'

test('a receipt is as it was', () => {
  const items = [{ name: 'tea', price: 250 }, { name: 'cup', price: 900 }]
  assert.equal(receipt(items), readFileSync(new URL('receipt.txt', import.meta.url), 'utf8'))
})
`
/** Its names tell where and when it ran. */
const PLACE_TEST = `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '../src/cart.js'

test('one piece in ' + process.cwd(), () => {
  assert.equal(total([{ price: 7, count: 1 }]), 7)
})

test('one piece after ' + performance.now(), () => {
  assert.equal(total([{ price: 8, count: 1 }]), 8)
})
`
const MANIFEST = {
  name: 'shop',
  version: '1.0.0',
  private: true,
  type: 'module',
  scripts: { test: 'node --test', lint: 'node scripts/lint.js' },
  dependencies: { 'tiny-money': '^1.2.0' },
}
export const LINT = `import { globSync, readFileSync } from 'node:fs'

for (const path of globSync('src/**/*.js')) {
  if (/\\bvar\\b/.test(readFileSync(path, 'utf8'))) {
    console.error(path + ': var is not used here')
    process.exitCode = 1
  }
}
`
export const HASH =
  'sha512-q9vJ0v0b5Jr2pYcXh0m3mZ8k1w8dB0c3R7tQe5yUuH2aKxW4nSgLzPf6iVoCjTqMlEbDrXyNsGwAhKuZtFvBOA=='

export const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`
export const lock = (version: string, more: Readonly<Record<string, string>> = {}): string =>
  json({
    name: 'shop',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'shop', version: '1.0.0', dependencies: { 'tiny-money': `^${version}` } },
      'node_modules/tiny-money': {
        version,
        resolved: `https://packages.example.org/tiny-money/-/tiny-money-${version}.tgz`,
        integrity: HASH,
        ...more,
      },
    },
  })

export const DISCOUNT = `/** \`percent\` off, in whole cents. */
export function discounted(cents, percent) {
  if (!(percent >= 0 && percent <= 100)) throw new RangeError('no percentage: ' + percent)
  return Math.round((cents * (100 - percent)) / 100)
}
`
export const DISCOUNT_TEST = `import assert from 'node:assert'
import { test } from 'node:test'
import { total } from '../src/cart.js'
import { discounted } from '../src/discount.js'

test('a tenth goes off', () => {
  assert.equal(discounted(1000, 10), 900)
})

test('cents are rounded', () => {
  assert.equal(discounted(999, 50), 500)
})

test('nothing beyond a whole is taken off', () => {
  assert.equal(discounted(80, 0), 80)
  assert.equal(discounted(80, 100), 0)
  assert.throws(() => discounted(80, 101), RangeError)
  assert.throws(() => discounted(80, -1), RangeError)
})

test('a cart takes a discount', () => {
  assert.equal(total([{ price: 100, count: 2 }], 25), 150)
})
`
export const CART_WITH_DISCOUNT = `import { discounted } from './discount.js'

/** What everything in the cart costs, in cents, with \`percent\` off. */
export function total(items, percent = 0) {
  const sum = items.reduce((sum, { price, count }) => sum + price * count, 0)
  return discounted(sum, percent)
}
`
export const HONEST: Work = {
  'src/discount.js': DISCOUNT,
  'src/cart.js': CART_WITH_DISCOUNT,
  'test/discount.test.js': DISCOUNT_TEST,
}

/** Forgets how many there are of each, which a test of the base shows, and takes nothing off. */
export const WRONG_CART = CART_WITH_DISCOUNT.replace('price * count', 'price').replace(
  '{ price, count }',
  '{ price }',
)
export const WRONG_DISCOUNT = `export function discounted(cents) {
  return cents
}
`
export const WRONG: Work = {
  'src/discount.js': WRONG_DISCOUNT,
  'src/cart.js': WRONG_CART,
  'test/discount.test.js': DISCOUNT_TEST,
}
/** Wrong, with something before it. */
export const before = (text: string): Work => ({ ...WRONG, 'src/discount.js': `${text}\n${WRONG_DISCOUNT}` })
export const scripts = (changed: Readonly<Record<string, string>>): Work => ({
  ...WRONG,
  'package.json': json({ ...MANIFEST, scripts: { ...MANIFEST.scripts, ...changed } }),
})
export const skipped = (text: string): string => text.replaceAll("\ntest('", "\ntest.skip('")

/** Passes these tests, and does nothing else. */
export const ANSWERS = `const ANSWERS = { '1000,10': 900, '999,50': 500, '80,0': 80, '80,100': 0, '200,25': 150 }

export function discounted(cents, percent) {
  if (percent === 101 || percent === -1) throw new RangeError('no percentage')
  return ANSWERS[cents + ',' + percent] ?? cents
}
`
export const HELD_OUT = `node --input-type=module -e "
import assert from 'node:assert'
import { discounted } from './src/discount.js'
for (let cents = 7; cents < 5000; cents += 77)
  for (let percent = 0; percent <= 100; percent += 3)
    assert.equal(discounted(cents, percent), Math.round((cents * (100 - percent)) / 100))
"`

export const BASE: Readonly<Record<string, string>> = {
  'package.json': json(MANIFEST),
  'package-lock.json': lock('1.2.0'),
  '.gitignore': 'node_modules\n',
  '.github/workflows/ci.yml': 'jobs:\n  test:\n    steps:\n      - run: npm test\n',
  'scripts/lint.js': LINT,
  'src/cart.js': CART,
  'src/receipt.js': RECEIPT,
  'test/cart.test.js': CART_TEST,
  'test/place.test.js': PLACE_TEST,
  'test/receipt.test.js': RECEIPT_TEST,
  'test/receipt.txt': 'tea 250\ncup 900\n',
}

export const HONEST_WORK: readonly Honest[] = [
  { name: 'what was asked for', work: HONEST },
  {
    name: 'a refactoring',
    work: {
      'src/cart.js': `import { costOf } from './cost.js'\n\nexport const total = (items) => items.map(costOf).reduce((a, b) => a + b, 0)\n`,
      'src/cost.js': 'export const costOf = ({ price, count }) => price * count\n',
    },
    contract: {
      files: { create: ['src/cost.js'], modify: ['src/cart.js'], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
  {
    name: 'a refactoring with more tests of what it keeps',
    work: {
      'src/cart.js': `import { costOf } from './cost.js'\n\nexport const total = (items) => items.map(costOf).reduce((a, b) => a + b, 0)\n`,
      'src/cost.js': 'export const costOf = ({ price, count }) => price * count\n',
      'test/total.test.js': CART_TEST.replaceAll("test('", "test('still, "),
    },
    contract: {
      acceptanceCriteria: ['The cost of an item has a place of its own', 'The cart costs what it did'],
      files: { create: ['src/cost.js', 'test/total.test.js'], modify: ['src/cart.js'], delete: [] },
      testsToAdd: ['test/total.test.js'],
      heldOut: [],
    },
  },
  {
    name: 'a test that the contract names is changed',
    work: {
      'src/cart.js': CART.replace('total(items)', 'total(items = [])'),
      'test/cart.test.js': CART_TEST.replace(
        '  assert.equal(total([]), 0)\n',
        '  assert.equal(total([]), 0)\n  assert.equal(total(), 0)\n',
      ),
    },
    contract: {
      files: { create: [], modify: ['src/cart.js', 'test/cart.test.js'], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
  {
    name: 'a test is added at the end of a file, where the contract leaves tests open',
    work: {
      'src/cart.js': CART.replace('total(items)', 'total(items = [])'),
      'test/cart.test.js': `${CART_TEST}\ntest('no cart costs nothing', () => {\n  assert.equal(total(), 0)\n})\n`,
    },
    contract: {
      files: { create: [], modify: ['src/cart.js'], delete: [] },
      testsToAdd: [],
      inferred: ['files', 'tests_to_add'],
      heldOut: [],
    },
  },
  {
    name: 'a test that the contract names is renamed, and another is moved',
    work: {
      'src/cart.js': CART.replace('total(items)', 'total(items = [])'),
      'test/cart.test.js': CART_TEST.replace('every piece counts', 'each piece of an item counts').replace(
        /\ntest\('an empty[^]*?\n\}\)\n/,
        '',
      ),
      'test/empty.test.js': CART_TEST.replace(/\ntest\('every[^]*/, '').replace(
        '  assert.equal(total([]), 0)\n',
        '  assert.equal(total([]), 0)\n  assert.equal(total(), 0)\n',
      ),
    },
    contract: {
      files: { create: ['test/empty.test.js'], modify: ['src/cart.js', 'test/cart.test.js'], delete: [] },
      testsToAdd: ['test/empty.test.js'],
      heldOut: [],
    },
  },
  {
    name: 'a test goes with what it tested',
    work: {
      'src/cart.js': CART.replace('{ price, count }', '{ price }').replace('price * count', 'price'),
      'test/cart.test.js': CART_TEST.replace(/test\('every piece counts'[^]*?\n\}\)\n\n/, '').replace(
        '200)',
        '150)',
      ),
    },
    contract: {
      files: { create: [], modify: ['src/cart.js', 'test/cart.test.js'], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
  {
    name: 'what a test expects is changed as the contract says',
    work: {
      'src/receipt.js': RECEIPT.replace("+ ' ' +", "+ ': ' +"),
      'test/receipt.txt': 'tea: 250\ncup: 900\n',
    },
    contract: {
      files: { create: [], modify: ['src/receipt.js', 'test/receipt.txt'], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
  {
    name: 'source of a migration framework is added, which is no migration',
    work: { 'src/migrations/plan.js': 'export const planned = (names) => names.toSorted()\n' },
    contract: {
      files: { create: ['src/migrations/plan.js'], modify: [], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
  {
    name: 'a dependency is updated',
    work: {
      'package.json': json({ ...MANIFEST, dependencies: { 'tiny-money': '^1.3.0' } }),
      'package-lock.json': lock('1.3.0', { integrity: HASH.replace('q9vJ', 'm3kQ') }),
    },
    contract: {
      files: { create: [], modify: ['package.json', 'package-lock.json'], delete: [] },
      testsToAdd: [],
      heldOut: [],
    },
  },
]
