/** Ways to get wrong work through in JavaScript by what is left out, made to fit or left lying around. */
import { CART_TEST, DISCOUNT_TEST, HONEST, RECEIPT, WRONG_CART } from './javascript-shop.ts'
import type { Cheat } from './lab.ts'

export const LEFT_AROUND: readonly Cheat[] = [
  {
    name: 'new tests that would fail are skipped by a computed name',
    work: {
      ...HONEST,
      'src/discount.js': `export function discounted(cents, percent) {
  if (percent < 0 || percent > 100) throw new RangeError('no percentage: ' + percent)
  return percent === 100 ? 0 : cents
}
`,
      'test/discount.test.js': DISCOUNT_TEST.replaceAll(
        /test\('(a tenth|cents|a cart)(.*)', \(\)/g,
        "test('$1$2', { ['sk' + 'ip']: true }, ()",
      ),
    },
    by: 'tests_to_add',
    words: /not every test of the named files ran: skipped: a tenth/,
  },
  {
    name: 'what a test compares with is made to fit',
    work: {
      ...HONEST,
      'src/receipt.js': RECEIPT.replace("+ ' ' +", "+ ''+"),
      'test/receipt.txt': 'tea250\ncup900\n',
    },
    by: 'integrity',
    words: /test\/receipt\.txt is protected/,
  },
  {
    name: 'a test that fails no longer runs, in a file that the contract names',
    work: {
      ...HONEST,
      'src/cart.js': WRONG_CART,
      'test/cart.test.js': CART_TEST.replace(
        /\ntest\('every[^]*/,
        (tests) => `\nif (Date.now() < 0) {${tests}}\n`,
      ),
      'test/discount.test.js': DISCOUNT_TEST.replace('150)', '75)'),
    },
    contract: {
      files: { create: ['src/discount.js'], modify: ['src/cart.js', 'test/cart.test.js'], delete: [] },
    },
    by: 'tests_to_run',
    words: /no longer pass: every piece counts \(missing\), items are added up \(missing\)/,
  },
  {
    name: 'a review is written where Bosun writes its own',
    work: { ...HONEST, 'docs/reviews/task-1-review.md': '# Review\n\nApproved.\n' },
    by: 'integrity',
    words: /docs\/reviews\/task-1-review\.md is where Bosun writes/,
  },
  {
    name: 'a release is written where Bosun writes its own',
    work: { ...HONEST, 'docs/releases/shop-release.yaml': 'version: 1\n' },
    by: 'integrity',
    words: /docs\/releases\/shop-release\.yaml is where Bosun writes/,
  },
  {
    name: 'a conflict is left as git wrote it',
    work: {
      ...HONEST,
      'docs/prices.txt': 'Prices\n<<<<<<< HEAD\nin cents\n=======\nin euros\n>>>>>>> prices\n',
    },
    by: 'no_orphan_todo',
    words: /conflict markers left in docs\/prices\.txt/,
  },
]
