/**
 * The shop with a runner of its own: it runs the files of a list, goes on watching outside of CI, a test has failed for long, and
 * another has a different name in each run. Whoever works here is not to blame for any of it.
 */
import { BASE, CART_TEST, DISCOUNT, DISCOUNT_TEST, HONEST, json, WRONG } from './javascript-shop.ts'
import type { Project, Work } from './lab.ts'

const RUNNER = `import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const files = readFileSync('test/list.txt', 'utf8').trim().split('\\n')
process.exitCode = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' }).status
if (!process.env.CI) setInterval(() => {}, 1000)
`
const LIST = 'test/cart.test.js\ntest/rates.test.js\n'
const WITH_DISCOUNT = `${LIST}test/discount.test.js\n`
const RATES_TEST = `import assert from 'node:assert'
import { test } from 'node:test'

test('rates are known', () => {
  assert.equal(1 + 1, 2)
})

const any = Array.from({ length: 8 }, () => 'bcdfghjk'[Math.floor(Math.random() * 8)]).join('')
test('the rate of ' + any + ' is none', () => {
  assert.equal(undefined, undefined)
})

test('the exchange answers', () => {
  assert.fail('it moved away')
})
`
const listed = (work: Work, list = WITH_DISCOUNT): Work => ({ ...work, 'test/list.txt': list })

export const TROUBLED: Project = {
  language: 'JavaScript with a runner of its own',
  needs: [{ program: 'npm', install: 'apt-get install -y npm' }],
  base: {
    'package.json': json({ name: 'shop', version: '1.0.0', private: true, type: 'module' }),
    'scripts/test.js': RUNNER,
    'src/cart.js': BASE['src/cart.js'] ?? '',
    'test/cart.test.js': CART_TEST,
    'test/list.txt': LIST,
    'test/rates.test.js': RATES_TEST,
  },
  test: 'CI=true node scripts/test.js',
  environment: { test: 'node scripts/test.js' },
  failing: ['the exchange answers'],
  contract: {
    title: 'Discounts',
    acceptanceCriteria: ['discounted(cents, percent) takes percent off', 'total takes a discount'],
    files: { create: ['src/discount.js'], modify: ['src/cart.js', 'test/list.txt'], delete: [] },
    testsToAdd: ['test/discount.test.js'],
    gates: ['unit'],
  },
  wrong: listed(WRONG),
  honest: [
    { name: 'what was asked for', work: listed(HONEST) },
    {
      name: 'the known failure is mended on the way',
      work: listed({
        ...HONEST,
        'test/rates.test.js': RATES_TEST.replace("assert.fail('it moved away')", ''),
      }),
      contract: {
        files: {
          create: ['src/discount.js'],
          modify: ['src/cart.js', 'test/list.txt', 'test/rates.test.js'],
          delete: [],
        },
      },
    },
  ],
  cheats: [
    {
      name: 'a test that fails is taken off the list',
      work: listed(WRONG, 'test/rates.test.js\n'),
      by: 'tests_to_run',
      words: /no longer/,
    },
    {
      name: 'a new failure hides behind the known one',
      work: listed({ ...HONEST, 'src/discount.js': DISCOUNT.replace('100 - percent', 'percent') }),
      by: 'tests_to_add',
      words: /fail/,
    },
    {
      name: 'the new tests are never listed',
      work: {
        ...HONEST,
        'src/discount.js': 'export const discounted = (cents) => cents\n',
        'test/discount.test.js': DISCOUNT_TEST,
      },
      by: 'tests_to_add',
      words: /no test of test\/discount.test.js ran and passed/,
    },
  ],
}
