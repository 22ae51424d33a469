/** A world in which everything is scripted, and passes quickly unless a test says otherwise. */
import type { PlanWorld } from '../../src/app/host/plan-place.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { Job } from '../../src/ports/agent.ts'
import { ScriptedAgent, type WorkerScript } from '../../src/simulation/scripted-agent.ts'
import { allPass, ScriptedGates, type GateScript } from '../../src/simulation/scripted-gates.ts'
import { ScriptedBrain, ScriptedIntegration } from '../../src/simulation/scripted-rest.ts'
import { ScriptedWorkspace } from '../../src/simulation/scripted-workspace.ts'
import { aReport } from './plan-builder.ts'

export interface WorldScript {
  readonly worker?: (job: Job) => Partial<WorkerScript>
  readonly gates?: Partial<GateScript>
}

export interface ScriptedWorld extends PlanWorld {
  readonly agent: ScriptedAgent
  readonly workspace: ScriptedWorkspace
}

const HONEST: WorkerScript = {
  startMs: 0,
  workMs: 0,
  signEveryMs: null,
  end: { kind: 'done' },
  report: aReport(),
  review: { verdict: 'approved', summary: 'as planned', issues: [] },
  writes: { changed: ['src/a.ts'], isSound: true },
  echoes: [],
}

export function scriptedWorld(clock: Clock, script: WorldScript = {}): ScriptedWorld {
  const agent = new ScriptedAgent(clock, (job) => ({ ...HONEST, ...script.worker?.(job) }))
  const workspace = new ScriptedWorkspace(clock, {
    delayMs: () => 0,
    writtenBy: (worker) => agent.writtenBy(worker),
    existing: () => false,
    conflict: () => null,
  })
  return {
    agent,
    takeBaseline: (request) => workspace.takeBaseline(request),
    workspace,
    gates: new ScriptedGates(clock, { ...allPass, ...script.gates }),
    integration: new ScriptedIntegration(clock),
    brain: new ScriptedBrain(),
    pidOf: () => 4242,
  }
}
