/** Gates that follow a script. By default everything passes; each gate can be made to fail a number of times. */
import type { RunGates, RunReleaseGate } from '../core/decide/effects.ts'
import { NO_EVIDENCE, type MappedCriterion } from '../core/event-schemas/evidence.ts'
import type { GateName, Verdict } from '../core/event-schemas/schemas.ts'
import type { Clock } from '../ports/clock.ts'
import type { GateRunner, ReleaseVerdict } from '../ports/gate-runner.ts'

export interface GateScript {
  /** How long one run takes. */
  readonly runMs: (what: string) => number
  readonly outcome: (gate: GateName, request: RunGates) => Verdict['outcome']
  readonly releaseOutcome: (gate: GateName, request: RunReleaseGate) => Verdict['outcome']
}

export const RELEASE_GATES: readonly GateName[] = ['unit', 'lint', 'typecheck', 'build']

export const allPass: GateScript = {
  runMs: () => 0,
  outcome: () => 'passed',
  releaseOutcome: () => 'passed',
}

/** Each named gate fails that many times, then passes; Infinity is forever. */
export function failing(times: Partial<Record<GateName, number>>): GateScript {
  const left = new Map(Object.entries(times))
  return {
    ...allPass,
    outcome: (gate) => {
      const more = left.get(gate) ?? 0
      if (more <= 0) return 'passed'
      left.set(gate, more - 1)
      return 'failed'
    },
  }
}

export class ScriptedGates implements GateRunner {
  readonly #clock: Clock
  readonly #script: GateScript
  readonly #tipTree: () => string | Promise<string>

  constructor(clock: Clock, script: GateScript, tipTree: () => string | Promise<string> = () => 'tip') {
    this.#clock = clock
    this.#script = script
    this.#tipTree = tipTree
  }

  async run(request: RunGates, signal: AbortSignal): Promise<readonly Verdict[]> {
    await this.#pass(request.key, signal)
    return request.gates.map((gate) => {
      const scripted = verdict(gate, this.#script.outcome(gate, request))
      return gate === 'plan_alignment'
        ? { ...scripted, evidence: { ...NO_EVIDENCE, criteria: mapped(request) } }
        : scripted
    })
  }

  async runRelease(request: RunReleaseGate, signal: AbortSignal): Promise<ReleaseVerdict> {
    await this.#pass(request.key, signal)
    const verdicts = RELEASE_GATES.map((gate) => verdict(gate, this.#script.releaseOutcome(gate, request)))
    return { tree: await this.#tipTree(), verdicts }
  }

  #pass(what: string, signal: AbortSignal): Promise<void> {
    const ms = this.#script.runMs(what)
    return new Promise((resolve, reject) => {
      this.#clock.wake(ms, () => {
        if (signal.aborted) reject(new Error('the gates were aborted'))
        else resolve()
      })
    })
  }
}

/** Maps each criterion as its worker claims, since there is no tree to check. */
function mapped({ spec }: RunGates): MappedCriterion[] {
  const { create, modify, delete: gone } = spec.files
  const [file = 'src'] = [...create, ...modify, ...gone]
  return spec.acceptanceCriteria.map((criterion) => ({ criterion, by: 'worker', file, line: 1 }))
}

const verdict = (gate: GateName, outcome: Verdict['outcome']): Verdict => ({
  gate,
  outcome,
  summary: `${gate} ${outcome} (scripted)`,
  evidence: NO_EVIDENCE,
})
