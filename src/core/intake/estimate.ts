/** What a request will take: from what the agents took so far, else from its scope alone, marked as a guess. */
import type { Scope } from '../choice/choose-agent.ts'
import type { Estimate, Range } from './intake.ts'
import type { WorkflowName } from './workflows.ts'

/** What the crew has done so far, of all agents together. */
export interface CrewHistory {
  /** Launches of agents that wrote or reviewed and ended as they should. */
  readonly workers: number
  readonly workMs: number
  readonly tokens: number
  /** Of the tasks that are decided: the share that landed at the first attempt; null where none is decided. */
  readonly firstPass: number | null
}

export const NO_HISTORY: CrewHistory = { workers: 0, workMs: 0, tokens: 0, firstPass: null }

/** Fewer say nothing about the next. */
const LEAST_WORKERS = 5

const range = (least: number, most: number): Range => ({ least, most })
const ONE = range(1, 1)

const TASKS: Readonly<Record<WorkflowName, Readonly<Record<Scope, Range>>>> = {
  fix: { trivial: ONE, small: ONE, medium: ONE, large: ONE },
  direct: { trivial: ONE, small: ONE, medium: ONE, large: ONE },
  light: { trivial: range(1, 2), small: range(1, 2), medium: range(2, 4), large: range(4, 8) },
  planned: { trivial: range(1, 2), small: range(2, 3), medium: range(3, 6), large: range(6, 12) },
  project: { trivial: range(1, 2), small: range(2, 4), medium: range(4, 8), large: range(8, 16) },
}

const MINUTE = 60_000

/** Of one task with its review, one after the other. */
const GUESSED_MS: Readonly<Record<Scope, Range>> = {
  trivial: range(2 * MINUTE, 5 * MINUTE),
  small: range(5 * MINUTE, 12 * MINUTE),
  medium: range(10 * MINUTE, 20 * MINUTE),
  large: range(15 * MINUTE, 30 * MINUTE),
}

/** Of a crew that is not known, the share of tasks that need another attempt. */
const REPEATS = 0.5

export function estimateOf(
  work: {
    readonly workflow: WorkflowName
    readonly scope: Scope
    /** Where a plan says how many there are. */
    readonly tasks?: number | undefined
    /** Of a spec: there may be no more tasks than these. */
    readonly requirements?: number
  },
  history: CrewHistory,
): Estimate {
  const { workflow, scope } = work
  const { least, most } = work.tasks === undefined ? TASKS[workflow][scope] : range(work.tasks, work.tasks)
  const tasks = range(Math.min(least, work.requirements ?? least), most)
  // At best a task takes one agent and a review by rules; at worst an agent and a reviewer, and both again to fix it.
  const repeats = history.firstPass === null ? REPEATS : 1 - history.firstPass
  const workers = range(tasks.least, Math.ceil(tasks.most * (2 + 2 * repeats)))
  if (history.workers < LEAST_WORKERS)
    return { tasks, workers, time_ms: times(GUESSED_MS[scope], tasks), tokens: null, basis: 'guess' }
  const meanMs = history.workMs / history.workers
  const meanTokens = history.tokens / history.workers
  return {
    tasks,
    workers,
    time_ms: times(around(meanMs), workers),
    tokens: history.tokens === 0 ? null : times(around(meanTokens), workers),
    basis: 'history',
  }
}

const around = (mean: number): Range => range(mean * 0.75, mean * 1.25)

const times = (each: Range, count: Range): Range => ({
  least: Math.round(each.least * count.least),
  most: Math.round(each.most * count.most),
})
