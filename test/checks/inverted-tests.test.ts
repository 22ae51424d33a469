import { expect, test } from 'vitest'
import { aBench, aSpec } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'

/** Stands for a compiler and what it makes: the source is read first, and a check holds where it compares with `==`. */
const SUITE = `. ./src/sum.sh
for t in tests/*.c; do
  if grep -q '!=' "$t"; then echo "not ok 1 - $t"; bad=1; else echo "ok 1 - $t"; fi
done
echo 1..1
exit $bad
`
const BASE: Tree = {
  'suite.sh': SUITE,
  'src/sum.sh': 'bad=0\n',
  'tests/test_sum.c': 'int main(void) { CHECK(sum(1, 2) == 3); }\n',
}
const spec = aSpec({ files: { create: [], modify: ['src/sum.sh'], delete: [] }, testsToAdd: [] })
const judged = (work: Tree, base: Tree = BASE) =>
  aBench(
    { base, tree: { ...base, ...work } },
    { environment: { test: { command: 'sh suite.sh', report: 'tap' } } },
  ).gate('unit', { spec })

test('a suite of an unknown runner passes if an inverted test fails, and the evidence shows it', async () => {
  const { outcome, evidence } = await judged({ 'src/sum.sh': 'bad=0 # better\n' })
  expect([outcome, evidence.findings]).toEqual(['passed', []])
  expect(evidence.runs.map(({ ending, mustFail }) => [ending, mustFail])).toEqual([
    [{ kind: 'exited', code: 0 }, undefined],
    [{ kind: 'exited', code: 1 }, true],
  ])
})

test('work under which an inverted test still passes is rejected', async () => {
  const forged = 'echo "ok 1 - tests/test_sum.c"; echo 1..1; exit 0\n'
  const { outcome, summary } = await judged({ 'src/sum.sh': forged })
  expect([outcome, summary]).toEqual([
    'failed',
    expect.stringContaining('tests of tests/test_sum.c pass although their assertions are inverted'),
  ])
})

test('a suite that could not fail on the base either gets a note', async () => {
  const built = { ...BASE, 'suite.sh': 'echo "ok 1 - built before"; echo 1..1\n' }
  const { outcome, evidence } = await judged({ 'src/sum.sh': 'bad=0 # better\n' }, built)
  expect(outcome).toBe('passed')
  expect(evidence.findings).toMatchObject([
    { weight: 'note', text: expect.stringContaining('could not show that the test runner can fail') },
  ])
})
