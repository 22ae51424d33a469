/** What every gate runner must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import { aReleaseGate, someGates } from '../helpers/requests.ts'
import type { RunGates } from '../../src/core/decide/effects.ts'
import type { GateRunner } from '../../src/ports/gate-runner.ts'

export interface GatesUnderTest {
  readonly gates: GateRunner
  /** Makes this gate impossible to check from now on. */
  readonly hide: (gate: RunGates['gates'][number]) => void
  /** Lets the world go on while this is being done. */
  readonly during: <T>(work: Promise<T>) => Promise<T>
}

const UNHURRIED = new AbortController().signal

export function describeGateRunner(name: string, make: () => GatesUnderTest): void {
  describe(name, () => {
    let made: GatesUnderTest
    beforeEach(() => {
      made = make()
    })
    const run = (said: Partial<RunGates> = {}, signal: AbortSignal = UNHURRIED) =>
      made.during(made.gates.run(someGates(said), signal))

    test('answers with exactly one verdict for each gate it was asked for, in that order', async () => {
      const { gates } = someGates()
      expect((await run()).map(({ gate }) => gate)).toEqual(gates)
      expect((await run({ gates: ['lint', 'plan_alignment'] })).map(({ gate }) => gate)).toEqual([
        'lint',
        'plan_alignment',
      ])
    })

    test('a gate that could not run is inconclusive, never passed', async () => {
      made.hide('unit')
      const unit = (await run()).find(({ gate }) => gate === 'unit')
      expect(unit?.outcome).toBe('inconclusive')
      const { verdicts } = await made.during(made.gates.runRelease(aReleaseGate, UNHURRIED))
      expect(verdicts.find(({ gate }) => gate === 'unit')?.outcome).toBe('inconclusive')
    })

    test('every verdict has evidence', async () => {
      for (const { evidence } of await run()) expect(evidence).not.toBe('')
    })

    test('running the same gates on the same tree again is harmless', async () => {
      expect(await run()).toEqual(await run())
    })

    test('a run that was aborted before it began never passes', async () => {
      const verdicts = await run({}, AbortSignal.abort()).catch(() => [])
      expect(verdicts.filter(({ outcome }) => outcome === 'passed')).toEqual([])
    })

    test('a run that is aborted on its way never passes', async () => {
      const controller = new AbortController()
      const running = made.gates.run(someGates(), controller.signal)
      controller.abort()
      const verdicts = await made.during(running).catch(() => [])
      expect(verdicts.filter(({ outcome }) => outcome === 'passed')).toEqual([])
    })

    test('a release gate names the tree it was run on', async () => {
      const { tree, verdicts } = await made.during(made.gates.runRelease(aReleaseGate, UNHURRIED))
      expect(tree).not.toBe('')
      expect(verdicts.length).toBeGreaterThan(0)
    })
  })
}
