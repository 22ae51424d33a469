/**
 * Drains whole plans through the real rules, in memory: what to start is looked up, and a task's life
 * is folded, event by event, until everything is completed. Beside it the machine's own floor: the same
 * number of tasks through a Map and an array, with nothing decided.
 */
import { NO_BRANCHES } from '../src/core/event-schemas/baseline.ts'
import { NO_EVIDENCE } from '../src/core/event-schemas/evidence.ts'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { fold } from '../src/core/events/fold.ts'
import { owed } from '../src/core/decide/owed.ts'
import { defaultPlanSettings } from '../src/core/settings/plan-settings.ts'
import type { PlanEvent } from '../src/core/events/plan-events.ts'
import type { TaskSpec, Tier } from '../src/core/planning/plan.ts'
import { pickTask } from '../src/core/decide/pick-task.ts'
import type { PlanState, TaskState } from '../src/core/state/state.ts'
import { Random } from '../src/simulation/random.ts'
import { median, report, round } from './lib/measure.ts'

const ROUNDS = 5
const collect = collector()
const NONE: readonly never[] = []
const FILES = { create: NONE, modify: NONE, delete: NONE }
const OBSERVED = { since: 0, workers: new Map() }

function generate(size: number): TaskSpec[] {
  const random = new Random(7, 'scheduling')
  const tiers: readonly Tier[] = ['critical', 'normal', 'normal', 'low', 'low', 'low']
  return Array.from({ length: size }, (_, place) => {
    const needs = new Set<string>()
    for (let more = place === 0 ? 0 : random.between(0, 3); more > 0; more--) {
      needs.add(`T-${random.between(Math.max(0, place - 500), place - 1)}`)
    }
    return {
      id: `T-${place}`,
      title: `Task number ${place} of a large plan`,
      description: '',
      phase: null,
      line: place,
      tier: random.pick(tiers),
      tierReasons: NONE,
      securityFlags: NONE,
      ownership: `packages/p${random.between(0, 999)}/src`,
      layer: null,
      dependsOn: [...needs],
      acceptanceCriteria: NONE,
      files: FILES,
      nonGoals: NONE,
      testsToAdd: NONE,
      testsToRun: NONE,
      heldOut: NONE,
      gates: NONE,
      interfaces: NONE,
      breakingChange: false,
      timeBudgetMs: random.between(5, 90) * 60_000,
      commitSubject: null,
      inferred: NONE,
    }
  })
}

class Plan {
  state: PlanState
  #version = 1

  constructor(tasks: TaskSpec[]) {
    const settings = {
      ...defaultPlanSettings(),
      parallelTiers: ['low' as const, 'normal' as const],
      maxParallelAgents: 16,
    }
    const named = { id: 'large', title: 'Large', source: 'large.md', design: null, format: 'yaml' as const }
    const plan = {
      ...named,
      goal: null,
      architecture: null,
      techStack: null,
      constraints: [],
      specFile: null,
    }
    this.state = fold(null, {
      version: 1,
      at: 0,
      event: { type: 'plan.registered', v: 1, repo: 'bench', plan, settings, tasks, integration: [] },
    })
    const nothing = { failing: [], start: null, audits: [], branches: NO_BRANCHES }
    this.say({ type: 'plan.baselined', v: 2, sha: 'base', contextBlock: '', ...nothing })
  }

  say(event: PlanEvent): void {
    this.#version++
    fold(this.state, { version: this.#version, at: this.#version, event })
  }

  prove(task: TaskState): void {
    for (const event of proofOf(task)) this.say(event)
  }
}

/** What gates and reviews say is not what is measured here, so it is the same for all. */
const CHANGED = ['a']
const VERDICTS = [{ gate: 'unit' as const, outcome: 'passed' as const, summary: '', evidence: NO_EVIDENCE }]
const NO_ISSUES: never[] = []

const about = (task: TaskState) => ({ task: task.spec.id, attempt: 1, worker: `w-large-${task.rank}-1` })

function dispatchOf(task: TaskState): PlanEvent {
  const worker = `w-large-${task.rank}-1`
  return {
    type: 'task.dispatched',
    v: 1,
    task: task.spec.id,
    attempt: 1,
    worker,
    role: 'developer',
    reason: 'first',
    why: 'next in order',
  }
}

const BASE = { onto: 'base', ahead: [], landings: 0 }

/** All that happens between a dispatch and the commit. */
function proofOf(task: TaskState): PlanEvent[] {
  const worker = about(task)
  const { attempt } = worker
  const approved = { round: 1, by: 'rules', verdict: 'approved' as const, summary: '', issues: NO_ISSUES }
  return [
    { type: 'worker.started', v: 1, ...worker },
    { type: 'worker.ended', v: 1, ...worker, end: { kind: 'done' }, report: null },
    { type: 'work.collected', v: 1, ...worker, ...BASE, tree: 'tree', changed: CHANGED, salvage: 'ref' },
    { type: 'task.gated', v: 2, task: worker.task, attempt, tree: 'tree', scope: 'all', verdicts: VERDICTS },
    { type: 'task.reviewed', v: 1, task: worker.task, attempt, ...approved },
  ]
}

function completionOf(task: TaskState): PlanEvent {
  const done = { tree: 'tree', sha: 'sha', branch: 'b', tag: null, artifacts: CHANGED, risks: [] }
  return { type: 'task.committed', v: 1, task: task.spec.id, attempt: 1, ...done }
}

interface Drained {
  /** Choosing tasks, dispatching them, and taking in that they are completed. */
  readonly schedulingMs: number
  /** Taking in what else happens to a task: its worker, its gates, its review. */
  readonly proofMs: number
}

/** Runs a plan to its end, as many tasks at a time as may run; every task must have been completed. */
function drain(plan: Plan): Drained {
  const { state } = plan
  let schedulingMs = 0
  let proofMs = 0
  for (;;) {
    const picking = performance.now()
    const wave = startAll(plan)
    const proving = performance.now()
    for (const task of wave) plan.prove(task)
    const proven = performance.now()
    const completions = wave.map(completionOf)
    const completing = performance.now()
    for (const event of completions) plan.say(event)
    schedulingMs += proving - picking + (performance.now() - completing)
    proofMs += proven - proving
    if (wave.length === 0) break
  }
  if (state.counts.completed !== state.tasks.size) throw new Error('not every task was completed')
  return { schedulingMs, proofMs }
}

/** Starts as many tasks as may run. */
function startAll(plan: Plan): TaskState[] {
  const wave: TaskState[] = []
  for (let task = pickTask(plan.state); task !== undefined; task = pickTask(plan.state)) {
    plan.say(dispatchOf(task))
    wave.push(task)
  }
  return wave
}

/** The time of every completion until it is known what is owed next, in µs. */
function completionTimes(plan: Plan): number[] {
  const times: number[] = []
  for (;;) {
    const wave = startAll(plan)
    if (wave.length === 0) return times
    for (const task of wave) {
      plan.prove(task)
      const event = completionOf(task)
      const start = performance.now()
      plan.say(event)
      const due = owed(plan.state, 0, OBSERVED)
      times.push((performance.now() - start) * 1000)
      const report = due.effects.find((effect) => effect.kind === 'report_progress')
      if (report !== undefined)
        plan.say({ type: 'progress.reported', v: 1, why: report.why, text: report.text })
    }
  }
}

function floorMs(size: number): number {
  const start = performance.now()
  const tasks = new Map<string, { done: boolean }>()
  const queue: string[] = []
  for (let place = 0; place < size; place++) {
    tasks.set(`T-${place}`, { done: false })
    queue.push(`T-${place}`)
  }
  for (let id = queue.pop(); id !== undefined; id = queue.pop()) {
    const task = tasks.get(id)
    if (task !== undefined) task.done = true
  }
  return performance.now() - start
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN

/** Measuring retained memory needs forced collections, so the flag is set here. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('this Node cannot be asked to collect garbage')
  return () => {
    collect()
  }
}

function bytesPerTask(size: number): number {
  collect()
  const before = process.memoryUsage().heapUsed
  const plan = new Plan(generate(size))
  collect()
  const bytes = (process.memoryUsage().heapUsed - before) / size
  if (plan.state.tasks.size !== size) throw new Error('a task is missing')
  return bytes
}

const SIZES = [10_000, 100_000] as const
const spent = new Map<number, number[]>(SIZES.map((size) => [size, []]))
const proofs = new Map<number, number[]>(SIZES.map((size) => [size, []]))
const loads = new Map<number, number[]>(SIZES.map((size) => [size, []]))
const floors: number[] = []
const smallFloors: number[] = []
for (let turn = 0; turn <= ROUNDS; turn++) {
  for (const size of SIZES) {
    const tasks = generate(size)
    collect()
    const start = performance.now()
    const plan = new Plan(tasks)
    const load = performance.now() - start
    const drained = drain(plan)
    // The first round warms up.
    if (turn === 0) continue
    spent.get(size)?.push(drained.schedulingMs)
    proofs.get(size)?.push(drained.proofMs)
    loads.get(size)?.push(load)
  }
  if (turn === 0) continue
  floors.push(floorMs(100_000))
  smallFloors.push(floorMs(10_000))
}

const perTask = (times: ReadonlyMap<number, readonly number[]>, size: number): number =>
  (median(times.get(size) ?? []) * 1000) / size
const rows = SIZES.map((size) => ({
  tasks: size,
  'load µs/task': round(perTask(loads, size)),
  'scheduling µs/task': round(perTask(spent, size)),
  'proof µs/task': round(perTask(proofs, size)),
}))
const p99 = quantile(completionTimes(new Plan(generate(100_000))), 0.99)
const usPerTask = perTask(spent, 100_000)
/** From the plan's registration to its last completion. */
const wholeMs = (size: number): number =>
  ((perTask(loads, size) + perTask(spent, size) + perTask(proofs, size)) * size) / 1000
const growth = (usPerTask * 100_000) / (perTask(spent, 10_000) * 10_000)
/** How much more the machine itself needs for ten times as much, with nothing decided. */
const floorGrowth = median(floors) / median(smallFloors)
const wholeGrowth = wholeMs(100_000) / wholeMs(10_000)
const bytes = bytesPerTask(100_000)
const isKept = usPerTask <= 5 && p99 <= 50 && bytes <= 1024
report('scheduling', rows, {
  ok: isKept,
  us_per_task: round(usPerTask),
  growth: round(growth, 1),
  whole_growth: round(wholeGrowth, 1),
  floor_growth: round(floorGrowth, 1),
  bytes_per_task: Math.round(bytes),
  completion_p99_us: round(p99, 1),
  floor_us_per_task: round((median(floors) * 1000) / 100_000),
})
console.log(
  `at 100,000 tasks: ${round(usPerTask)} µs a task (mark 5), ${round(growth, 1)} × the time of 10,000 (the machine's own floor grows by ${round(floorGrowth, 1)} ×; no mark; ${round(wholeGrowth, 1)} × from registration to the last completion), ` +
    `${Math.round(bytes)} bytes a task (mark 1,024), a completion is handled in ${round(p99, 1)} µs at p99 (mark 50)`,
)
if (!isKept) process.exitCode = 1
