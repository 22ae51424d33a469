import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aBench, aRequest, aSpec, BASE, NODE_TEST, OLD_TEST, WORK } from './gate-bench.ts'

const quiet = new AbortController().signal
const release = {
  kind: 'run_release_gate',
  key: 'release gate 1',
  round: 1,
  baselineFailing: [],
  since: 'base',
} as const

/** The suite behind a shell line that counts whole runs: those that name no test or file. */
function counted() {
  const folder = mkdtempSync(join(tmpdir(), 'bosun-counted-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const tally = join(folder, 'runs')
  appendFileSync(tally, '')
  const script = `[ $# -eq 0 ] && echo run >> ${tally}; exec ${NODE_TEST.join(' ')} "$@"`
  const runs = () => readFileSync(tally, 'utf8').split('\n').length - 1
  return { test: ['sh', '-c', script, 'suite'], runs }
}

test('one run of the suite on a tree answers its gates, the next task that starts from it and the release', async () => {
  const suite = counted()
  const environment = { test: { command: suite.test, report: 'tap' } }
  const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
  const gates = ['tests_to_run', 'unit'] as const
  const spec = aSpec({ testsToAdd: [] })
  await runner.run(aRequest({ spec, gates }), quiet)
  expect(suite.runs()).toBe(2)
  const again = await runner.run(aRequest({ spec, gates, attempt: 2 }), quiet)
  const { verdicts } = await runner.runRelease(release, quiet)
  expect(suite.runs()).toBe(2)
  expect(again.map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  const [unit] = verdicts
  expect(unit?.summary).toContain('(reused from the run for task 1 on the same tree)')
  expect(unit?.evidence.runs[0]).toMatchObject({ servedBy: 'task 1', counts: { passed: 3 } })
})

test('a run that did not pass serves no other gate', async () => {
  const suite = counted()
  const environment = { test: { command: suite.test, report: 'tap' } }
  const broken = {
    ...WORK,
    'test/old.test.mjs': OLD_TEST.replace('=> undefined', "=> { throw Error('no') }"),
  }
  const { runner } = aBench({ base: BASE, tree: broken }, { environment, reruns: 0 })
  const request = aRequest({ spec: aSpec({ testsToAdd: [] }), gates: ['unit'] })
  await runner.run(request, quiet)
  const before = suite.runs()
  const [unit] = await runner.run(request, quiet)
  expect([unit?.outcome, suite.runs()]).toEqual(['failed', before + 1])
})

test('work that is proven side by side on the same base waits for one run of its suite', async () => {
  const suite = counted()
  const environment = { test: { command: suite.test, report: 'tap' } }
  const next = { ...WORK, 'src/other.mjs': 'export {}\n' }
  const { runner } = aBench({ base: BASE, tree: WORK, next }, { environment })
  const spec = aSpec({ testsToAdd: [] })
  const verdicts = await Promise.all(
    ['tree', 'next'].map((tree) => runner.run(aRequest({ spec, gates: ['unit'], tree }), quiet)),
  )
  expect(verdicts.flat().map(({ outcome }) => outcome)).toEqual(['passed', 'passed'])
  expect(suite.runs()).toBe(3)
})
