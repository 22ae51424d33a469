/** Picks the ready task to start, deterministically. */
import { TIERS } from '../planning/plan.ts'
import { isWidened, runsBeside, type PlanState, type TaskState } from '../state/state.ts'
import { goesBefore, longestChainFirst } from '../scheduling/ready-set.ts'

/** The next task to dispatch, if any. */
export function pickTask(state: PlanState): TaskState | undefined {
  const task = bestTask(state)
  if (task !== undefined) state.tasks.expect(task)
  return task
}

/**
 * Critical before normal before low; tiers that may not run in parallel run alone. After every few completions of
 * higher tiers one ready low task goes first, so that none starves.
 */
function bestTask(state: PlanState): TaskState | undefined {
  const { settings, holding, ready } = state
  if (state.serialHolding > 0 || resultsForPerson(state) >= settings.maxWaitingForReview) return undefined
  const isSlotFree = state.manned + state.keptSlots < settings.maxParallelAgents
  const hasSlot = isSlotFree && holding.size - state.manned < mostUnlanded(settings)
  if (state.completedSinceLow >= settings.antiStarvationInterval) {
    const low = ready.best('low')
    const isFree = runsBeside(settings, 'low') ? hasSlot : holding.size === 0
    if (low !== undefined) return isFree ? low : undefined
  }
  for (const tier of TIERS) {
    if (ready.count(tier) === 0) continue
    if (runsBeside(settings, tier)) {
      const task = bestBeside(state)
      if (task !== undefined) return hasSlot ? task : undefined
      continue
    }
    // A task that runs alone waits for the others to end, and nothing overtakes it.
    if (holding.size > 0) return undefined
    const task = ready.best(tier)
    if (task !== undefined) return task
  }
  return undefined
}

/** Results that wait for a person, now or soon. */
const resultsForPerson = ({ settings, waitingForReview, holding, manned }: PlanState): number =>
  waitingForReview + (settings.approval === 'each_task' ? holding.size - manned : 0)

/** A running agent holds a slot; an ended one frees it. */
export const hasFreeSlot = (state: PlanState): boolean => state.manned < state.settings.maxParallelAgents

/** Limits finished work that has not landed: above it nothing new starts. */
const mostUnlanded = (settings: PlanState['settings']): number =>
  settings.maxParallelAgents + settings.maxWaitingForReview

/** Among parallel tiers: the longest chain where that is configured, else by tier. */
function bestBeside(state: PlanState): TaskState | undefined {
  const byChain = isWidened(state.settings)
  let best: TaskState | undefined
  for (const tier of TIERS) {
    const task = runsBeside(state.settings, tier) ? state.ready.best(tier) : undefined
    if (task === undefined) continue
    if (!byChain) return task
    if (best === undefined || goesBefore(longestChainFirst, task, best)) best = task
  }
  return best
}
