/** Each sentence of the GateRunner port, as a test that every implementation runs. */
import { describe, expect, test } from 'vitest'
import type { RunGates, RunReleaseGate } from '../../src/core/decide/effects.ts'
import { verdictSchema, type GateName, type Verdict } from '../../src/core/event-schemas/schemas.ts'
import type { GateRunner } from '../../src/ports/gate-runner.ts'

export interface GateRunnerWorld {
  readonly runner: GateRunner
  /** A request for these gates on work that passes them, or that cannot be checked. */
  readonly request: (gates: readonly GateName[], work: 'good' | 'uncheckable') => RunGates
  /** Lets time pass until the promise settles, where time does not pass by itself. */
  readonly settle: <T>(promise: Promise<T>) => Promise<T>
}

const ORDERS: readonly (readonly GateName[])[] = [
  ['unit'],
  ['unit', 'plan_alignment', 'tests_to_run'],
  ['review_note', 'unit', 'no_orphan_todo', 'tests_to_add', 'plan_alignment'],
]
const RELEASE: RunReleaseGate = {
  kind: 'run_release_gate',
  whole: { since: 'base', letThrough: [] },
  key: 'release gate 1',
  round: 1,
  baselineFailing: [],
}

export function gateRunnerConformance(name: string, world: () => GateRunnerWorld): void {
  const calm = (): AbortSignal => new AbortController().signal

  describe(`${name} is a gate runner`, () => {
    test.each(ORDERS)('it answers with one verdict for each gate, in that order: %s', async (...gates) => {
      const { runner, request, settle } = world()
      const verdicts = await settle(runner.run(request(gates, 'good'), calm()))
      expect(verdicts.map(({ gate }) => gate)).toEqual(gates)
      for (const verdict of verdicts) expect(verdictSchema.safeParse(verdict).success).toBe(true)
    })

    test('a gate that could not run is inconclusive, never passed', async () => {
      const { runner, request, settle } = world()
      const [verdict] = await settle(runner.run(request(['unit'], 'uncheckable'), calm()))
      expect(verdict?.outcome).toBe('inconclusive')
    })

    test('running the same gates on the same tree again is harmless', async () => {
      const { runner, request, settle } = world()
      const outcomes = async (): Promise<readonly Verdict['outcome'][]> => {
        const verdicts = await settle(runner.run(request(['unit', 'plan_alignment'], 'good'), calm()))
        return verdicts.map(({ outcome }) => outcome)
      }
      const first = await outcomes()
      expect(first).toEqual(['passed', 'passed'])
      expect(await outcomes()).toEqual(first)
    })

    test('an aborted run rejects or answers inconclusive; it never passes', async () => {
      const { runner, request, settle } = world()
      const stop = new AbortController()
      stop.abort()
      const run = runner.run(request(['plan_alignment', 'unit'], 'good'), stop.signal).catch(() => [])
      const release = runner.runRelease(RELEASE, stop.signal).catch(() => ({ verdicts: [] }))
      const verdicts = [...(await settle(run)), ...(await settle(release)).verdicts]
      expect(verdicts.filter(({ outcome }) => outcome === 'passed')).toEqual([])
    })

    test('the release gate names the tree it ran on, and at least one check', async () => {
      const { runner, settle } = world()
      const { tree, verdicts } = await settle(runner.runRelease(RELEASE, calm()))
      expect(tree).not.toBe('')
      expect(verdicts.length).toBeGreaterThan(0)
      expect(new Set(verdicts.map(({ gate }) => gate)).size).toBe(verdicts.length)
    })
  })
}
