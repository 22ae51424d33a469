import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aBench, aRequest, aSpec, BASE, NODE_TEST, OLD_TEST, WORK } from './gate-bench.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const quiet = new AbortController().signal
const release = {
  kind: 'run_release_gate',
  whole: { since: 'base', letThrough: [] },
  key: 'release gate 1',
  round: 1,
  baselineFailing: [],
} as const

/** The suite behind a shell line that counts whole runs: those that name no test or file. */
function counted() {
  const folder = tempFolder('counted')
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
  expect(unit?.summary).toBe('3 of 3 tests passed')
  expect(unit?.evidence.findings.map(({ text }) => text)).toContain(
    'reused from the run for task 1 on the same tree',
  )
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

test('a command of the contract that is the suite is a run of the suite', async () => {
  const suite = counted()
  const text = ['sh', '-c', suite.test[2], 'suite'].map((word) => `'${word}'`).join(' ')
  const environment = { test: { command: text, report: 'tap' } }
  const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
  const spec = aSpec({ testsToAdd: [], testsToRun: [text] })
  await runner.run(aRequest({ spec, gates: ['tests_to_run', 'unit'] }), quiet)
  await runner.runRelease(release, quiet)
  expect(suite.runs()).toBe(2)
})

describe('the release gate on the tree of the last proof', () => {
  /** Each run of a command leaves a line. */
  function tallied(environment: Readonly<Record<string, unknown>> = {}) {
    const folder = tempFolder('tallied')
    const tally = join(folder, 'runs')
    appendFileSync(tally, '')
    const runs = () => readFileSync(tally, 'utf8').split('\n').filter(Boolean)
    const named = (name: string) => `echo ${name} >> ${tally}`
    const commands = { setup: named('setup'), lint: named('lint'), build: named('build') }
    return { environment: { ...commands, test: NODE_TEST, ...environment }, runs, named }
  }

  test('runs nothing that passed there', async () => {
    const { environment, runs } = tallied()
    const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
    const gates = ['lint_typecheck', 'build', 'unit'] as const
    await runner.run(aRequest({ spec: aSpec({ testsToAdd: [] }), gates }), quiet)
    const before = runs().length
    const { verdicts } = await runner.runRelease(release, quiet)
    expect(runs().slice(before)).toEqual([])
    expect(verdicts.find(({ gate }) => gate === 'lint')?.evidence.runs[0]).toMatchObject({
      servedBy: 'task 1',
    })
  })

  test('runs nothing that its test command ran before the tests', async () => {
    const { environment, runs } = tallied({ build: 'node -e 0', test: `node -e 0 && ${NODE_TEST.join(' ')}` })
    const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
    await runner.run(aRequest({ spec: aSpec({ testsToAdd: [] }), gates: ['lint_typecheck', 'unit'] }), quiet)
    const before = runs().length
    const { verdicts } = await runner.runRelease(release, quiet)
    expect(runs().slice(before)).toEqual([])
    const built = verdicts.find(({ gate }) => gate === 'build')
    expect(built).toMatchObject({ outcome: 'passed', evidence: { runs: [{ servedBy: 'task 1' }] } })
  })

  test('runs what did not run there', async () => {
    const { environment, runs } = tallied()
    const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
    await runner.run(aRequest({ spec: aSpec({ testsToAdd: [] }), gates: ['lint_typecheck', 'unit'] }), quiet)
    const before = runs().length
    await runner.runRelease(release, quiet)
    expect(runs().slice(before)).toEqual(['setup', 'build'])
  })

  test('runs everything where its tests have to run, since they may need what was built', async () => {
    const { environment, runs } = tallied()
    const { runner } = aBench({ base: BASE, tree: WORK }, { environment })
    await runner.run(aRequest({ spec: aSpec({ testsToAdd: [] }), gates: ['lint_typecheck', 'build'] }), quiet)
    const before = runs().length
    await runner.runRelease(release, quiet)
    expect(runs().slice(before)).toEqual(['setup', 'lint', 'build'])
  })
})
