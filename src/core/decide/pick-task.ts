/** Which ready task to start now. The same state gives the same answer. */
import { TIERS } from '../planning/plan.ts'
import { isWidened, runsBeside, type PlanState, type TaskState } from '../state/state.ts'
import { goesBefore, longestChainFirst } from '../scheduling/ready-set.ts'

/** The task to start, if any may: what happens next will be its dispatch. */
export function pickTask(state: PlanState): TaskState | undefined {
  const task = bestTask(state)
  if (task !== undefined) state.tasks.expect(task)
  return task
}

/**
 * Critical before normal before low, and whatever may not run beside others runs alone. After every
 * few completions of higher tiers one ready low task goes first, so that none waits for ever.
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
    // What runs alone waits for the others to end, and nothing overtakes it meanwhile.
    if (holding.size > 0) return undefined
    const task = ready.best(tier)
    if (task !== undefined) return task
  }
  return undefined
}

/** Results that wait for a person, and those that are about to. */
const resultsForPerson = ({ settings, waitingForReview, holding, manned }: PlanState): number =>
  waitingForReview + (settings.approval === 'each_task' ? holding.size - manned : 0)

/** A slot is an agent's at work: one that has ended leaves it to the next. */
export const hasFreeSlot = (state: PlanState): boolean => state.manned < state.settings.maxParallelAgents

/** Finished work that has not landed: nothing new starts while so much of it piles up. */
const mostUnlanded = (settings: PlanState['settings']): number =>
  settings.maxParallelAgents + settings.maxWaitingForReview

/** Of the tiers that run side by side: the longest chain where that was asked for, else by tier. */
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
