import { describe, expect, test } from 'vitest'
import type { GateName } from '../../src/core/event-schemas/schemas.ts'
import type { CustomGate, Reference } from '../../src/core/planning/plan.ts'
import { aBench, aSpec, BASE, WORK } from './gate-bench.ts'

const ENERGY = 'energy' as GateName
const judge = (own: CustomGate, more: Record<string, string> = {}) =>
  aBench({ base: BASE, tree: { ...WORK, ...more } }).gate(own.name as GateName, {
    spec: aSpec({ ownGates: [own] }),
  })
const command = (text: string) => judge({ kind: 'command', name: 'smoke', command: text })
const numeric = (text: string, reference: Readonly<Record<string, Reference>>) =>
  judge({ kind: 'numeric', name: ENERGY, command: text, reference })

describe('a command of the author is a gate by its exit code', () => {
  test.each([
    ['exit 0', 'passed'],
    ['exit 3', 'failed'],
    ['no-such-program-anywhere', 'inconclusive'],
    ['kill -9 $$', 'inconclusive'],
    ['test -f src/slug.mjs', 'passed'],
  ])('%s: %s', async (text, outcome) => {
    const verdict = await command(text)
    expect([verdict.gate, verdict.outcome]).toEqual(['smoke', outcome])
    expect(verdict.evidence.runs).toMatchObject([{ command: text, tree: 'tree', on: 'tree' }])
  })

  test('a name that the plan does not explain is inconclusive', async () => {
    const verdict = await aBench().gate('unknown' as GateName)
    expect(verdict).toMatchObject({
      outcome: 'inconclusive',
      summary: 'the plan defines no command for this gate',
    })
  })

  test('a failed setup makes the gate inconclusive', async () => {
    const own = { kind: 'command', name: 'smoke', command: 'exit 0' } as const
    const bench = aBench(undefined, { environment: { setup: 'exit 1' } })
    const verdict = await bench.gate('smoke' as GateName, { spec: aSpec({ ownGates: [own] }) })
    expect(verdict.outcome).toBe('inconclusive')
  })
})

describe('a command of the author is a gate by the values it prints', () => {
  const reference = { energy: { value: -1.17, abs: 1e-3 } }
  test('a value within its tolerance passes, with the run as evidence', async () => {
    const verdict = await numeric('echo "energy = -1.1701"', reference)
    expect(verdict).toMatchObject({
      gate: 'energy',
      outcome: 'passed',
      summary: 'energy is -1.1701; the reference is -1.17 ± 0.001',
      evidence: { runs: [{ ending: { kind: 'exited', code: 0 }, outputSha256: expect.any(String) }] },
    })
  })

  test('a value beyond it fails and says by how much', async () => {
    expect(await numeric('echo "energy = -1.2"', reference)).toMatchObject({
      outcome: 'failed',
      evidence: { findings: [{ weight: 'blocks', text: expect.stringContaining('off by 0.03') }] },
    })
  })

  test('values on stderr do not count', async () => {
    expect(await numeric('echo "energy = -1.17" >&2', reference)).toMatchObject({ outcome: 'failed' })
    expect(await numeric('echo "energy = -1.17"; echo "energy = 5" >&2', reference)).toMatchObject({
      outcome: 'passed',
    })
  })

  test('a right value of a command that failed does not pass', async () => {
    expect(await numeric('echo "energy = -1.17"; exit 1', reference)).toMatchObject({ outcome: 'failed' })
  })

  test('a plan in the tree moves no reference', async () => {
    const plan = 'tasks: [{ gates: [{ numeric: energy, reference: { energy: { value: 5 } } }] }]\n'
    const own = { kind: 'numeric', name: 'energy', command: 'echo "energy = 5"', reference } as const
    expect(await judge(own, { 'plan.yaml': plan })).toMatchObject({ outcome: 'failed' })
  })
})
