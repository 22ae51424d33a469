import { expect, test } from 'vitest'
import { aBench, aSpec, BASE, WORK } from './gate-bench.ts'

test('suites that import a changed file are listed, and the full suite covers them', async () => {
  const { gate } = aBench()
  const { outcome, evidence } = await gate('tests_to_run', { spec: aSpec({ testsToRun: [] }) })
  expect(outcome).toBe('passed')
  expect(evidence.findings.map(({ text }) => text)).toContain(
    'impacted suites: `test/slug.test.mjs`; the full suite ran',
  )
})

test('all suites are impacted if imports do not show it', async () => {
  const { gate } = aBench({ base: BASE, tree: { ...WORK, 'data/words.csv': 'a\n' } })
  const { evidence } = await gate('tests_to_run', { spec: aSpec({ testsToRun: [] }) })
  expect(evidence.findings.map(({ text }) => text)).toContain(
    'impacted suites: all (imports do not show which suites use data/words.csv); the full suite ran',
  )
})

/** Reports like pytest, and runs of itself only the first of two files. */
const PYTEST = `#!/bin/sh
[ $# = 0 ] && set -- tests/test_a.py
bad=0
echo "collected $# items"
grep -q benchmark "$@" && { echo '===== no tests ran in 0.01s ====='; exit 5; }
for t in "$@"; do
  if grep -q fails "$t"; then echo "$t::test_it FAILED [ 50%]"; bad=1; else echo "$t::test_it PASSED [ 50%]"; fi
done
[ $bad = 0 ] && echo "===== $# passed in 0.01s =====" || echo "===== 1 failed in 0.01s ====="
exit $bad
`
const python = (left: string) => {
  const base = {
    'shop.py': 'A = 1\n',
    'bin/pytest': PYTEST,
    'tests/test_a.py': 'import shop\n',
    'tests/test_b.py': left,
  }
  return { base, tree: { ...base, 'shop.py': 'A = 2\n' } }
}
const spec = (tier: 'critical' | 'low') =>
  aSpec({ tier, testsToRun: [], testsToAdd: [], files: { create: [], modify: ['shop.py'], delete: [] } })
const environment = { setup: null, lint: null, typecheck: null, build: null }

test('an impacted suite that the full suite leaves out runs by name, and has to pass', async () => {
  const options = { environment: { ...environment, setup: 'chmod +x bin/pytest', test: './bin/pytest' } }
  const { gate } = aBench(python('import shop  # fails\n'), options)
  const verdict = await gate('tests_to_run', { spec: spec('critical') })
  expect(verdict.outcome).toBe('failed')
  expect(verdict.evidence.runs.map(({ command }) => command)).toContain('./bin/pytest tests/test_b.py')
  const fine = await aBench(python('import shop\n'), options).gate('tests_to_run', { spec: spec('critical') })
  expect(fine.outcome).toBe('passed')
  expect(fine.evidence.findings.map(({ text }) => text).join()).toContain(
    'the full suite left out `tests/test_b.py`, which ran by name',
  )
})

test('an impacted file in which the runner finds no test does not count against the work', async () => {
  const options = { environment: { ...environment, setup: 'chmod +x bin/pytest', test: './bin/pytest' } }
  const { gate } = aBench(python('import shop  # benchmark\n'), options)
  const verdict = await gate('tests_to_run', { spec: spec('critical') })
  expect(verdict.outcome).toBe('passed')
  expect(verdict.evidence.findings.map(({ text }) => text).join()).toContain(
    'the runner finds no test in `tests/test_b.py`',
  )
})
