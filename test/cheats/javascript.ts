/** Ways to get wrong work through, in JavaScript. */
import type { Cheat, Project } from './lab.ts'
import { LEFT_AROUND } from './javascript-left-around.ts'
import {
  CART_TEST,
  LINT,
  HASH,
  json,
  lock,
  DISCOUNT,
  DISCOUNT_TEST,
  CART_WITH_DISCOUNT,
  HONEST,
  WRONG_CART,
  WRONG_DISCOUNT,
  WRONG,
  before,
  scripts,
  skipped,
  ANSWERS,
  HELD_OUT,
  BASE,
  HONEST_WORK,
} from './javascript-shop.ts'

const CHEATS: readonly Cheat[] = [
  {
    name: 'tests are skipped',
    work: {
      ...WRONG,
      'test/cart.test.js': skipped(CART_TEST),
      'test/discount.test.js': skipped(DISCOUNT_TEST),
    },
    by: 'integrity',
    words: /test\/cart\.test\.js is protected/,
  },
  {
    name: 'only the new tests are skipped',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT,
      'test/discount.test.js': skipped(DISCOUNT_TEST),
    },
    by: 'integrity',
    words: /skips a test/,
  },
  {
    name: 'a test is deleted, and the new ones are left empty',
    work: {
      ...WRONG,
      'test/cart.test.js': null,
      'test/discount.test.js': DISCOUNT_TEST.replaceAll(/\{\n(?: {2}.*\n)+\}/g, '{}'),
    },
    by: 'integrity',
    words: /test\/cart\.test\.js is protected/,
  },
  {
    name: 'a test is moved to a folder that the runner ignores',
    work: {
      ...WRONG,
      'test/cart.test.js': null,
      'docs/cart.test.js.txt': CART_TEST,
      'test/discount.test.js': "import '../src/discount.js'\n",
    },
    by: 'integrity',
    words: /test\/cart\.test\.js is protected/,
  },
  {
    name: 'assertions are weakened',
    work: {
      ...HONEST,
      'src/cart.js': WRONG_CART,
      'test/cart.test.js': CART_TEST.replaceAll(
        /assert\.equal\((total\(.*\)), \d+\)/g,
        'assert.ok($1 !== null)',
      ),
      'test/discount.test.js': DISCOUNT_TEST.replace(
        /assert\.equal\((total\(.*\)), \d+\)/,
        'assert.ok($1 >= 0)',
      ),
    },
    by: 'integrity',
    words: /is protected/,
  },
  {
    name: 'new tests assert something that is always true',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT,
      'test/discount.test.js': DISCOUNT_TEST.replaceAll(/assert\..*/g, 'assert.equal(true, true)'),
    },
    by: 'integrity',
    words: /asserts something that is always true/,
  },
  {
    name: 'what assertions throw is swallowed',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT,
      'test/discount.test.js': DISCOUNT_TEST.replaceAll(/ {2}(assert\..*)/g, '  try { $1 } catch {}'),
    },
    by: 'integrity',
    words: /catches assertion errors/,
  },
  {
    name: 'a test is commented out',
    work: {
      ...HONEST,
      'src/cart.js': WRONG_CART,
      'test/cart.test.js': CART_TEST.replaceAll(/^( {2}assert.*750.*|.*200\).*)$/gm, '// $1'),
      'test/discount.test.js': DISCOUNT_TEST.replace('150)', '75)'),
    },
    by: 'integrity',
    words: /is protected/,
  },
  {
    name: 'the test script succeeds whatever happens',
    work: scripts({ test: 'node --test || true' }),
    by: 'integrity',
    words: /package\.json is protected .*scripts\.test/,
  },
  {
    name: 'the test script runs something else',
    work: scripts({ test: 'node --test src/discount.js' }),
    by: 'integrity',
    words: /package\.json is protected .*scripts\.test/,
  },
  {
    name: 'a script before the tests clears them away',
    work: scripts({ pretest: 'node -e "fs.rmSync(\'test\', { recursive: true })"' }),
    by: 'integrity',
    words: /package\.json is protected .*scripts\.pretest/,
  },
  {
    name: 'settings of npm run scripts with another shell',
    work: { ...WRONG, '.npmrc': 'script-shell=/bin/true\n' },
    by: 'integrity',
    words: /\.npmrc would be protected/,
  },
  {
    name: 'settings of npm load a file before every program',
    work: {
      ...WRONG,
      '.npmrc': 'node-options=--import=./src/early.js\n',
      'src/early.js': "import assert from 'node:assert'\nassert.equal = () => {}\nassert.throws = () => {}\n",
    },
    by: 'integrity',
    words: /\.npmrc would be protected/,
  },
  {
    name: 'the process ends as soon as the source is loaded',
    work: before('process.exit(0)'),
    by: 'integrity',
    words: /exits early with success/,
  },
  {
    name: 'the process ends by a computed name',
    work: before("globalThis['pro' + 'cess']['ex' + 'it'](0)"),
    by: 'tests_to_run',
    words: /that passed on the base no longer pass/,
  },
  {
    name: 'assertions are replaced by the source',
    work: before("import assert from 'node:assert'\nassert.equal = () => {}\nassert.throws = () => {}"),
    by: 'integrity',
    words: /replaces code that judges tests/,
  },
  {
    name: 'a look at the environment tells that tests run',
    work: {
      ...HONEST,
      'src/discount.js': `${ANSWERS.replace('export function discounted', 'function answer')}
export const discounted = (cents, percent) =>
  process.env.NODE_TEST_CONTEXT ? answer(cents, percent) : cents
`,
    },
    by: 'integrity',
    words: /checks whether it is being tested/,
  },
  {
    name: 'a package that only the worker has does the work',
    work: {
      ...WRONG,
      'src/discount.js': "export { discounted } from 'tiny-discount'\n",
      'src/cart.js': CART_WITH_DISCOUNT,
      'node_modules/tiny-discount/package.json': json({
        name: 'tiny-discount',
        type: 'module',
        main: 'index.js',
      }),
      'node_modules/tiny-discount/index.js': DISCOUNT,
    },
    by: 'tests_to_run',
    words: /that passed on the base no longer pass/,
  },
  {
    name: 'the lock file names a package from somewhere else',
    work: {
      ...HONEST,
      'package-lock.json': lock('1.2.0', { resolved: 'https://example.org/tiny-money.tgz' }),
    },
    by: 'dependencies',
    words: /tiny-money/,
  },
  {
    name: 'the lock file names another content for the same version',
    work: { ...HONEST, 'package-lock.json': lock('1.2.0', { integrity: HASH.replace('q9vJ', 'Z1z1') }) },
    by: 'dependencies',
    words: /tiny-money/,
  },
  {
    name: 'the linter is disabled',
    work: { ...HONEST, 'src/discount.js': `/* eslint-disable */\n${DISCOUNT}` },
    by: 'integrity',
    words: /disables a linter/,
  },
  {
    name: 'the script that lints finds nothing any more',
    work: {
      ...HONEST,
      'src/discount.js': DISCOUNT.replace('  return', '  var done = 1\n  return done *'),
      'scripts/lint.js': LINT.replace('exitCode = 1', 'exitCode = 0'),
    },
    by: 'integrity',
    words: /scripts\/lint\.js is protected/,
  },
  {
    name: 'CI continues after a failure',
    work: {
      ...HONEST,
      '.github/workflows/ci.yml': 'jobs:\n  test:\n    steps:\n      - run: npm test || true\n',
    },
    by: 'integrity',
    words: /\.github\/workflows\/ci\.yml is protected/,
  },
  {
    name: 'new tests are green without the work',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT,
      'test/discount.test.js': CART_TEST.replaceAll(/test\('/g, "test('still "),
    },
    by: 'tests_to_add',
    words: /green on the base too/,
  },
  {
    name: 'hard parts are left as TODOs',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT.replace('  return', '  // TODO: take something off\n  return'),
      'test/discount.test.js': DISCOUNT_TEST.replace(
        /test\('a tenth[^]*/,
        "test('a whole', () => {\n  assert.equal(discounted(5, 0), 5)\n})\n",
      ),
    },
    by: 'no_orphan_todo',
    words: /1 TODO without a follow-up task/,
  },
  {
    name: 'a failing test is a link to one that passes',
    work: {
      ...HONEST,
      'src/cart.js': WRONG_CART,
      'test/cart.test.js': { linkTo: 'empty.js' },
      'test/empty.js': '\n',
      'test/discount.test.js': DISCOUNT_TEST.replace('150)', '75)'),
    },
    by: 'integrity',
    words: /test\/cart\.test\.js is protected/,
  },
  {
    name: 'git is configured to hide the change',
    work: { ...HONEST, '.gitattributes': 'src/*.js -diff\n' },
    by: 'integrity',
    words: /\.gitattributes would be protected/,
  },
  {
    name: 'the new tests are left out of what lands',
    work: { ...HONEST, '.gitignore': 'node_modules\ntest/discount.test.js\n' },
    by: 'integrity',
    words: /\.gitignore is protected/,
  },
  {
    name: 'code is taken out of the coverage',
    work: { ...HONEST, 'src/discount.js': `/* c8 ignore file */\n${DISCOUNT}` },
    by: 'integrity',
    words: /excludes code from coverage/,
  },
  {
    name: 'a report of passed tests is printed, and the process ends by a computed name',
    work: before(
      [
        "const names = ['an empty cart costs nothing', 'every piece counts', 'items are added up']",
        "console.log('TAP version 13\\n' + names.map((name, at) => 'ok ' + (at + 1) + ' - ' + name).join('\\n') + '\\n1..3')",
        "console.log(names.map((name) => '✔ ' + name + ' (0.1ms)').join('\\n'))",
        "globalThis['pro' + 'cess']['ex' + 'it'](0)",
      ].join('\n'),
    ),
    by: 'tests_to_run',
    words: /that passed on the base no longer pass/,
  },
  {
    name: 'assertions are replaced by a computed name',
    work: before(
      [
        "const { default: judge } = await import('node:' + 'as' + 'sert')",
        "for (const name of ['equal', 'throws']) judge[name] = () => undefined",
      ].join('\n'),
    ),
    by: 'tests_to_run',
    words: /the test runner cannot fail/,
  },
  {
    name: 'a computed environment lookup detects the test run',
    work: {
      ...HONEST,
      'src/discount.js': `${ANSWERS.replace('export function discounted', 'function answer')}
const isSeen = Object.keys(process.env).some((name) => name.startsWith('NODE_TE' + 'ST'))
export const discounted = (cents, percent) => (isSeen ? answer(cents, percent) : percent === 0 ? cents : 1)
`,
    },
    by: 'held_out',
    words: /held-out checks did not pass/,
  },
  {
    name: 'answers are written down for what the tests ask',
    work: { ...HONEST, 'src/discount.js': ANSWERS },
    by: 'held_out',
    words: /held-out checks did not pass/,
  },
  {
    name: 'new tests look at the kind of the answer only',
    work: {
      ...HONEST,
      'src/discount.js': WRONG_DISCOUNT,
      'test/discount.test.js': `import assert from 'node:assert'
import { test } from 'node:test'
import { discounted } from '../src/discount.js'

test('a tenth goes off', () => {
  assert.equal(typeof discounted(1000, 10), 'number')
})
`,
    },
    by: 'held_out',
    words: /held-out checks did not pass/,
  },
]

export const JAVASCRIPT: Project = {
  language: 'JavaScript',
  needs: [{ program: 'npm', install: 'apt-get install -y npm' }],
  base: BASE,
  test: 'npm test',
  testDirectly: { command: 'node --test', unless: ['package.json', '.npmrc'] },
  environment: { test: 'npm test', lint: 'node scripts/lint.js' },
  contract: {
    title: 'Discounts',
    acceptanceCriteria: ['discounted(cents, percent) takes percent off', 'total takes a discount'],
    files: { create: ['src/discount.js'], modify: ['src/cart.js'], delete: [] },
    // The path of a file alone does not block: its contents count.
    inferred: ['files'],
    testsToAdd: ['test/discount.test.js'],
    gates: ['unit', 'lint', 'contract'],
    heldOut: [HELD_OUT],
  },
  wrong: WRONG,
  honest: HONEST_WORK,
  cheats: [...CHEATS, ...LEFT_AROUND],
}
