/**
 * A dry run: the world of this machine with scripted agents, gates, integration tests, person and brain. Only the ports
 * are swapped; clones, commits, the log and every rule are the real ones.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanPlace, PlanWorld, Worlds } from '../app/host/plan-place.ts'
import type { DryRun } from '../core/dry-run/dry-run.ts'
import type { Brain, BrainDescription, BrainServices } from '../ports/brain.ts'
import { systemClock } from '../lib/system/system-clock.ts'
import { machineWorlds } from './machine-worlds.ts'
import type { Machine } from './plan-world.ts'
import { allPass, ScriptedGates, type GateScript } from '../simulation/scripted-gates.ts'
import { inSequence } from '../simulation/scripted-person.ts'
import { ScriptedBrain, ScriptedIntegration } from '../simulation/scripted-rest.ts'

export function dryRunWorlds(machine: Omit<Machine, 'swap' | 'sessions'>, script: DryRun): Worlds {
  const crew = join(machine.root, 'specialist.json')
  writeFileSync(crew, JSON.stringify(script.specialist))
  const worlds = machineWorlds({
    ...machine,
    sessions: null,
    scripted: [...machine.scripted, crew],
    swap: (world, tipTree) => scripted(world, script, tipTree),
  })
  return {
    ...worlds,
    worldFor: (place) => worlds.worldFor(scriptedPlace(place)),
    brainFor: async () => describedBrain(script.brain),
  }
}

/** A dry run starts neither the user's agents nor the user's commands. */
function scriptedPlace(place: PlanPlace): PlanPlace {
  const { settings } = place.document
  const environment = { setup: null, test: null, lint: null, typecheck: null, build: null, migrations: null }
  const roles = { developer: 'scripted', fixer: 'scripted', reviewer: 'scripted' }
  const document = {
    ...place.document,
    settings: { ...settings, agents: {}, roles, environment },
    environment: {},
  }
  return { ...place, document }
}

function scripted(world: PlanWorld, script: DryRun, tipTree: () => Promise<string>): PlanWorld {
  const integrated = failures()
  return {
    ...world,
    gates: new ScriptedGates(systemClock, gateScript(script.gates), tipTree),
    integration: new ScriptedIntegration(
      systemClock,
      (test) => integrated(test, script.integration[test] ?? 0),
      { runMs: 0, tipTree },
    ),
    ...(script.person === undefined ? {} : { decide: scriptedDecisions(script.person) }),
    brain: brainOf(script.brain),
  }
}

type Outcome = 'passed' | 'failed'

/** Fails the given number of times, then passes. */
function failures(): (what: string, times: number) => Outcome {
  const failed = new Map<string, number>()
  return (what, times) => {
    const before = failed.get(what) ?? 0
    if (before >= times) return 'passed'
    failed.set(what, before + 1)
    return 'failed'
  }
}

function gateScript({ all, tasks, release }: DryRun['gates']): GateScript {
  const ofTask = failures()
  const ofRelease = failures()
  return {
    ...allPass,
    outcome: (gate, { spec: { id } }) => ofTask(`${id} ${gate}`, tasks[id]?.[gate] ?? all[gate] ?? 0),
    releaseOutcome: (gate) => ofRelease(gate, release[gate] ?? 0),
  }
}

/** The script decides about blocking items, each once; the user can still answer everything. */
function scriptedDecisions(decisions: NonNullable<DryRun['person']>): NonNullable<PlanWorld['decide']> {
  const next = inSequence(decisions)
  const decided = new Set<string>()
  return (item) => {
    if (!item.blocking || decided.has(item.id)) return null
    decided.add(item.id)
    const decision = next(item)
    return decision === null
      ? null
      : { choice: decision.choice, feedback: decision.feedback, by: decision.by ?? null }
  }
}

/** A plan asks a brain only where one is there when it is registered: here the script, whatever the settings name. */
function describedBrain(script: DryRun['brain']): Brain & BrainServices {
  const brain = brainOf(script)
  const description: BrainDescription =
    Object.keys(script).length === 0
      ? { who: null, why: 'the script answers nothing' }
      : { who: 'the script', models: null, cost: 'nothing', usualTime: 'no time' }
  return {
    think: (question, input, call) => brain.think(question, input, call),
    describe: async () => description,
    check: async () => [],
  }
}

function brainOf(script: DryRun['brain']): ScriptedBrain {
  const left = new Map(Object.entries(script).map(([question, answers]) => [question, [...answers]]))
  return new ScriptedBrain((question) => left.get(question)?.shift())
}
