/** Checks that cannot run, or are red, at the start commit, and what gates make of a person's choice. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { CheckChoice } from '../../src/core/event-schemas/baseline.ts'
import type { Verdict } from '../../src/core/event-schemas/schemas.ts'
import { aBench, BASE, WORK } from './gate-bench.ts'
import type { Tree } from './memory-trees.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const quiet = new AbortController().signal
/** Names every line with "bad" in it, with its place, and is red where there is one. */
const LINT = 'if grep -rn bad src; then echo "1 problem"; exit 1; fi'
const OLD: Tree = { ...BASE, 'src/old.mjs': 'export const a = 1\nexport const bad = 2\n' }

const choice = (overrides: Partial<CheckChoice> = {}): CheckChoice => ({
  check: 'lint',
  state: 'red',
  choice: 'as_is',
  command: LINT,
  why: 'red',
  by: 'ann',
  at: 0,
  ...overrides,
})
const look = { tree: 'base', tasks: [], inTree: () => null, textOf: () => null }

test('the first look tells what cannot run from what is red, and leaves known tests alone', async () => {
  const red = "import { test } from 'node:test'\ntest('always red', () => { throw new Error('no') })\n"
  const environment = { lint: 'no-such-linter', typecheck: LINT }
  const { runner } = aBench({ base: { ...OLD, 'test/red.test.mjs': red } }, { environment })
  const { trials, failing } = await runner.takeBaseline(look, quiet)
  expect(failing).toEqual(['always red'])
  expect(trials).toEqual([
    {
      check: 'lint',
      state: 'cannot_run',
      command: 'no-such-linter',
      why: expect.stringMatching(/^no-such-linter exited with 127: .*no-such-linter: (command )?not found$/),
    },
    {
      check: 'typecheck',
      state: 'red',
      command: LINT,
      why: `${LINT} exited with 1: src/old.mjs:2:export const bad = 2`,
    },
  ])
})

test('tests that are red without a name are asked about where there are tests at all', async () => {
  const environment = { test: 'exit 3' }
  const trialsOf = async (base: Tree) =>
    (await aBench({ base }, { environment }).runner.takeBaseline(look, quiet)).trials
  expect(await trialsOf(BASE)).toMatchObject([{ check: 'test', state: 'unreadable' }])
  expect(await trialsOf({ 'src/index.mjs': 'export {}\n' })).toEqual([])
})

test('tests of which none passes are asked about, with what they lack', async () => {
  const broken = "import './not-built.mjs'\nimport { test } from 'node:test'\ntest('works', () => {})\n"
  const base: Record<string, string> = { 'test/one.test.mjs': broken, 'test/two.test.mjs': broken }
  const { trials } = await aBench({ base }).runner.takeBaseline(look, quiet)
  expect(trials).toMatchObject([
    { check: 'test', state: 'red', why: expect.stringMatching(/^0 of \d tests passed.*not-built\.mjs/s) },
  ])
})

test('a set-up that fails is the only thing that is asked about, and is tried afresh', async () => {
  const environment = { setup: 'test -e "$MARK"', lint: 'exit 1' }
  const { runner } = aBench({ base: BASE }, { environment })
  expect((await runner.takeBaseline(look, quiet)).trials).toMatchObject([
    { check: 'setup', state: 'cannot_run', command: 'test -e "$MARK"' },
  ])
  const choices = [choice({ check: 'setup', choice: 'left_out', command: 'test -e "$MARK"' })]
  const again = await runner.takeBaseline({ ...look, round: 1, choices }, quiet)
  expect(again.trials.map(({ check }) => check)).toEqual(['lint'])
  expect(again.tests.outcome).toBe('passed')
})

test('a check that is taken as it is fails by new findings alone', async () => {
  const moved: Tree = { ...WORK, 'src/old.mjs': `// a line more\n${OLD['src/old.mjs'] ?? ''}` }
  const worse: Tree = { ...moved, 'src/slug.mjs': 'export const bad = 1\n' }
  const { gate } = aBench({ base: OLD, moved, worse }, { environment: { lint: LINT } })
  const atStart = { tree: 'base', choices: [choice()] }

  expect((await gate('lint', { tree: 'moved' })).outcome).toBe('failed')
  const same = await gate('lint', { tree: 'moved', atStart })
  expect(same).toMatchObject({ outcome: 'passed' })
  expect(same.summary).toContain('no new findings (lint is accepted as it was at the start commit by ann')
  const both = await gate('lint_typecheck', { tree: 'worse', atStart })
  expect(both).toMatchObject({ outcome: 'failed' })
  expect(both.evidence.findings.map(({ text }) => text)).toEqual(['new: src/slug.mjs:#:export const bad = #'])
})

test('a finding that the start commit shows in another run of the check is not new', async () => {
  const base: Tree = { ...OLD, 'src/older.mjs': 'export const bad = 3\n' }
  const tree: Tree = {
    ...WORK,
    'src/old.mjs': OLD['src/old.mjs'] ?? '',
    'src/older.mjs': 'export const bad = 3\n',
  }
  const worse: Tree = { ...tree, 'src/slug.mjs': 'export const bad = 1\n' }
  /** Its second run, the first one at the start commit, ends before it has printed everything. */
  const cutOnce = (): string => {
    const runs = join(tempFolder('cut'), 'runs')
    return `echo run >> '${runs}'; if [ $(wc -l < '${runs}') = 2 ]; then grep -rn bad src/old.mjs; else grep -rn bad src; fi; exit 1`
  }
  const judged = async (work: Tree): Promise<Verdict> => {
    const lint = cutOnce()
    const { gate } = aBench({ base, work }, { environment: { lint } })
    return gate('lint', { tree: 'work', atStart: { tree: 'base', choices: [choice({ command: lint })] } })
  }
  expect(await judged(tree)).toMatchObject({ outcome: 'passed' })
  const { outcome, evidence } = await judged(worse)
  expect(outcome).toBe('failed')
  expect(evidence.findings.map(({ text }) => text)).toEqual(['new: src/slug.mjs:#:export const bad = #'])
})

test('a check that is left out does not apply, and its verdict names who left it out', async () => {
  const environment = { lint: LINT, test: 'exit 3' }
  const { gate, runner } = aBench({ base: OLD, tree: WORK }, { environment })
  const choices = [
    choice({ choice: 'left_out' }),
    choice({ choice: 'left_out', check: 'test', command: 'exit 3', why: 'exit 3 exited with 3' }),
  ]
  const atStart = { tree: 'base', choices }
  expect(await gate('lint', { atStart })).toMatchObject({
    outcome: 'not_applicable',
    summary: 'lint was left out by ann at the start of the plan (red)',
  })
  expect(await gate('unit', { atStart })).toMatchObject({ outcome: 'not_applicable' })
  const { verdicts } = await runner.runRelease(
    {
      kind: 'run_release_gate',
      whole: { since: 'base', letThrough: [] },
      key: 'r',
      round: 1,
      baselineFailing: [],
      atStart,
    },
    quiet,
  )
  expect(verdicts.map(({ gate: name, outcome }) => `${name} ${outcome}`)).toContain('lint not_applicable')
})

test('a choice holds for the command it was made for', async () => {
  const { gate } = aBench({ base: OLD, tree: OLD }, { environment: { lint: `${LINT} # stricter` } })
  const atStart = { tree: 'base', choices: [choice({ choice: 'left_out' })] }
  expect((await gate('lint', { atStart })).outcome).toBe('failed')
})

test('tests that pass without naming one are asked about once, and then count by their exit code', async () => {
  const environment = { test: 'true' }
  const { runner, gate } = aBench({ base: BASE, tree: WORK }, { environment })
  expect((await runner.takeBaseline(look, quiet)).trials).toMatchObject([{ check: 'test', state: 'unnamed' }])
  expect((await gate('unit')).outcome).toBe('inconclusive')
  const atStart = {
    tree: 'base',
    choices: [choice({ check: 'test', state: 'unnamed', command: 'true', why: 'unnamed' })],
  }
  expect(await gate('unit', { atStart })).toMatchObject({ outcome: 'passed' })
})
