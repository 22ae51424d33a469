import { describe, expect, test } from 'vitest'
import { aReleaseGate, someGates } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import type { GateName } from '../core/event-schemas/schemas.ts'
import { describeGateRunner } from '../../test/conformance/gate-runner.conformance.ts'
import { allPass, failing, RELEASE_GATES, ScriptedGates, type GateScript } from './scripted-gates.ts'

const { signal } = new AbortController()

describeGateRunner('the scripted gates', () => {
  const { clock, during } = virtualWorld()
  const hidden = new Set<GateName>()
  const outcome = (gate: GateName) => (hidden.has(gate) ? 'inconclusive' : 'passed')
  const gates = new ScriptedGates(clock, { runMs: () => 1000, outcome, releaseOutcome: outcome })
  return { gates, hide: (gate) => hidden.add(gate), during }
})

describe('scripted gates', () => {
  const outcomes = async (script: GateScript, times: number): Promise<string[]> => {
    const { clock, during } = virtualWorld()
    const gates = new ScriptedGates(clock, script)
    const unit: string[] = []
    for (let time = 1; time <= times; time++) {
      const verdicts = await during(gates.run(someGates(), signal))
      unit.push(verdicts.find(({ gate }) => gate === 'unit')?.outcome ?? 'missing')
    }
    return unit
  }

  test('pass by default', async () => {
    expect(await outcomes(allPass, 2)).toEqual(['passed', 'passed'])
  })

  test('can each be made to fail a number of times', async () => {
    expect(await outcomes(failing({ unit: 2 }), 4)).toEqual(['failed', 'failed', 'passed', 'passed'])
    expect(await outcomes(failing({ lint: 2 }), 1)).toEqual(['passed'])
  })

  test('can be made to fail for ever', async () => {
    expect(await outcomes(failing({ unit: Infinity }), 5)).toEqual(Array(5).fill('failed'))
  })

  test('of a release are run on the tip', async () => {
    const { clock, during } = virtualWorld()
    const gates = new ScriptedGates(clock, allPass, () => 'tip-7')
    const { tree, verdicts } = await during(gates.runRelease(aReleaseGate, signal))
    expect([tree, verdicts.map(({ gate }) => gate)]).toEqual(['tip-7', RELEASE_GATES])
  })
})
