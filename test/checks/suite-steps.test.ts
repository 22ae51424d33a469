import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aBench, aRequest, aSpec, BASE, SLUG_TEST, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const RUNNER = `${process.execPath} --test`

function benchWith(step: string, tree: Tree = WORK) {
  const folder = tempFolder('steps')
  const log = join(folder, 'log')
  const { runner } = aBench(
    { base: BASE, tree },
    { environment: { test: `echo "$(ls test | wc -l)" >> ${log} && ${step} && ${RUNNER}` } },
  )
  return {
    gates: () =>
      runner.run(
        aRequest({ gates: ['tests_to_run', 'tests_to_add'], spec: aSpec() }),
        new AbortController().signal,
      ),
    calls: () => readFileSync(log, 'utf8').trim().split('\n').length,
  }
}

describe('steps before the test runner', () => {
  test('run with the whole suite, but not again with some of its tests in the same checkout', async () => {
    const bench = benchWith('true')
    const verdicts = await bench.gates()
    expect(verdicts.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
    // The suite on the base and on the work, and the new tests on the base, where nothing has run before.
    expect(bench.calls()).toBe(3)
    const short = verdicts
      .flatMap(({ evidence }) => evidence.runs)
      .filter(({ command }) => !command.includes('&&'))
    expect(short.map(({ mustFail = false }) => mustFail)).toEqual([true, false, false])
  })

  // A formatter, say, that does not like files of others.
  const REFUSES_MORE_FILES = 'test "$(ls test | wc -l)" -le 2'

  test('do not keep a canary from its run', async () => {
    const [verdict] = await benchWith(REFUSES_MORE_FILES).gates()
    expect(verdict).toMatchObject({ outcome: 'passed' })
    expect(verdict?.evidence.findings.filter(({ text }) => text.includes('can fail'))).toEqual([])
  })

  test('do not hide that a runner cannot fail', async () => {
    const blind = `import assert from 'node:assert'\nassert.equal = () => undefined\nexport const slugify = () => 'x'\n`
    const [verdict] = await benchWith(REFUSES_MORE_FILES, { ...WORK, 'src/slug.mjs': blind }).gates()
    expect(verdict?.summary).toContain('the test runner cannot fail')
  })

  test('run again for new tests that need them each time', async () => {
    const text = `${SLUG_TEST}import { unlinkSync } from 'node:fs'\ntest('uses it up', () => unlinkSync('built'))\n`
    const bench = benchWith('touch built', { ...WORK, 'test/slug.test.mjs': text })
    expect((await bench.gates()).map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  })
})
