import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TrialEnvironment } from '../../src/ports/command-trial.ts'
import type { Ending } from '../../src/core/event-schemas/evidence.ts'
import { aBench } from './gate-bench.ts'

const quiet = new AbortController().signal
const release = {
  kind: 'run_release_gate',
  whole: { since: 'base', letThrough: [] },
  key: 'release gate 1',
  round: 1,
  baselineFailing: [],
} as const
const tried = async (migrations: TrialEnvironment['migrations']) => {
  const { runner, evidenceDir } = aBench(undefined, { environment: { migrations } })
  const { verdicts } = await runner.runRelease(release, quiet)
  const found = verdicts.find(({ gate }) => gate === 'migrations')
  if (found === undefined) throw new Error('there is no verdict on migrations')
  const { outcome, summary, evidence } = found
  return { outcome, summary, exits: evidence.runs.map((run) => exitOf(run.ending)), evidence, evidenceDir }
}
const exitOf = (ending: Ending) => (ending.kind === 'exited' ? ending.code : ending.kind)
const up = 'echo making a table; test ! -e "$TMPDIR/table" && touch "$TMPDIR/table"'

test('migrations go up, down and up again, with evidence of each run', async () => {
  const seen = await tried({ up, down: 'rm "$TMPDIR/table"' })
  expect(seen).toMatchObject({ outcome: 'passed', summary: 'up, down, up again succeeded', exits: [0, 0, 0] })
  const [first] = seen.evidence.runs
  expect(first).toMatchObject({ command: up, tree: 'tree', keyLines: ['making a table'] })
  expect(readFileSync(join(seen.evidenceDir, first?.storedAt ?? ''), 'utf8')).toBe('making a table\n')
})

test('migrations fail where the way back leaves something behind', async () => {
  const seen = await tried({ up, down: 'exit 0' })
  expect(seen).toMatchObject({ outcome: 'failed', exits: [0, 0, 1] })
  expect(seen.summary).toMatch(/^up again: /)
})

test('migrations that cannot be run are not checked', async () => {
  expect(await tried({ up: 'no-such-program', down: null })).toMatchObject({
    outcome: 'inconclusive',
    exits: [127],
  })
})

test('migrations without a way back say so', async () => {
  expect(await tried({ up, down: null })).toMatchObject({
    outcome: 'passed',
    summary: 'up succeeded; there is no down migration to try',
    exits: [0],
  })
})

test('migrations without commands do not apply', async () => {
  expect(await tried(undefined)).toMatchObject({ outcome: 'not_applicable', exits: [] })
})

test('a critical task with a migration but without commands is inconclusive', async () => {
  const gate = async (tier: 'critical' | 'low', migrations: TrialEnvironment['migrations']) =>
    aBench(undefined, { environment: { migrations } }).gate('migrations', { tier })
  for (const unnamed of [undefined, null]) {
    expect(await gate('critical', unnamed)).toMatchObject({
      outcome: 'inconclusive',
      summary: expect.stringContaining('environment.migrations has no commands') as string,
    })
  }
  expect((await gate('critical', { up, down: 'rm "$TMPDIR/table"' })).outcome).toBe('passed')
  expect((await gate('low', null)).outcome).toBe('not_applicable')
})
