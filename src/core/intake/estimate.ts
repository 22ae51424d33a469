/** What a request will take: from what the agents took so far, else from its scope alone, marked as a guess. */
import type { Scope } from '../choice/choose-agent.ts'
import type { Estimate, Range } from './intake.ts'
import type { WorkflowName } from './workflows.ts'

/** What the crew has done so far, of all agents together. */
export interface CrewHistory {
  /** Launches of agents that wrote or reviewed. */
  readonly workers: number
  readonly workMs: number
  readonly tokens: number
  /** Of the tasks that are decided: the share that landed at the first attempt; null where none is decided. */
  readonly firstPass: number | null
}

export const NO_HISTORY: CrewHistory = { workers: 0, workMs: 0, tokens: 0, firstPass: null }

/** Fewer say nothing about the next. */
const LEAST_WORKERS = 5

const TASKS: Readonly<Record<WorkflowName, Readonly<Record<Scope, Range>>>> = {
  fix: { trivial: one(), small: one(), medium: one(), large: one() },
  direct: { trivial: one(), small: one(), medium: one(), large: one() },
  light: { trivial: range(1, 2), small: range(1, 3), medium: range(2, 5), large: range(4, 10) },
  planned: { trivial: range(1, 3), small: range(2, 4), medium: range(3, 8), large: range(6, 20) },
  project: { trivial: range(1, 3), small: range(2, 5), medium: range(4, 12), large: range(8, 30) },
}

/** Of one launch. */
const GUESS: Readonly<Record<Scope, { readonly timeMs: Range; readonly tokens: Range }>> = {
  trivial: { timeMs: range(30_000, 4 * 60_000), tokens: range(10_000, 80_000) },
  small: { timeMs: range(60_000, 10 * 60_000), tokens: range(30_000, 250_000) },
  medium: { timeMs: range(3 * 60_000, 25 * 60_000), tokens: range(80_000, 800_000) },
  large: { timeMs: range(5 * 60_000, 45 * 60_000), tokens: range(150_000, 1_500_000) },
}

export function estimateOf(
  { workflow, scope }: { readonly workflow: WorkflowName; readonly scope: Scope },
  history: CrewHistory,
): Estimate {
  const tasks = TASKS[workflow][scope]
  // At best a task takes one agent and its review by rules; at worst both fixes and a review of each.
  const repeats = history.firstPass === null ? 1 : 1 - history.firstPass
  const workers = range(tasks.least, Math.ceil(tasks.most * (2 + 3 * repeats)))
  if (history.workers < LEAST_WORKERS) {
    const { timeMs, tokens } = GUESS[scope]
    return { tasks, workers, timeMs: times(timeMs, workers), tokens: times(tokens, workers), basis: 'guess' }
  }
  const meanMs = history.workMs / history.workers
  const meanTokens = history.tokens / history.workers
  return {
    tasks,
    workers,
    timeMs: times(range(meanMs * 0.5, meanMs * 1.5), workers),
    tokens: history.tokens === 0 ? null : times(range(meanTokens * 0.5, meanTokens * 1.5), workers),
    basis: 'history',
  }
}

function range(least: number, most: number): Range {
  return { least, most }
}

function one(): Range {
  return range(1, 1)
}

const times = (each: Range, count: Range): Range => ({
  least: Math.round(each.least * count.least),
  most: Math.round(each.most * count.most),
})
