/** The state of a plan that was just registered, and of a new layer. */
import { NO_COSTS, NO_THINKING, NOTHING_SPENT } from './spending.ts'
import { NOT_RELEASED } from './release-state.ts'
import { STATUSES, type Status } from './life.ts'
import { AreaLocks } from '../scheduling/area-locks.ts'
import { Dependents } from '../scheduling/dependents.ts'
import { inPlanOrder, longestChainFirst, ReadySet } from '../scheduling/ready-set.ts'
import { isWidened, type LayerState, type PlanState } from './state.ts'
import { TaskIndex } from './task-index.ts'

export function emptyState(
  start: Pick<PlanState, 'repo' | 'plan' | 'settings' | 'integration' | 'registeredAt' | 'proposal'>,
): PlanState {
  const locks = new AreaLocks()
  const { budgets } = start.settings
  return {
    ...start,
    tasks: new TaskIndex(),
    baseline: null,
    baselineRounds: 0,
    checkChoices: [],
    currentSha: null,
    paused: null,
    pauseDue: null,
    cancelled: null,
    counts: Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>,
    left: { critical: 0, normal: 0, low: 0 },
    blocked: new Set(),
    ready: new ReadySet(isWidened(start.settings) ? longestChainFirst : inPlanOrder, locks),
    locks,
    dependents: new Dependents(),
    unsettled: new Set(),
    active: new Set(),
    holding: new Set(),
    serialHolding: 0,
    waitingForReview: 0,
    manned: 0,
    keptSlots: 0,
    turns: 0,
    landings: 0,
    failedProofs: 0,
    landedTree: null,
    spending: {
      total: NOTHING_SPENT,
      costs: NO_COSTS,
      limit: { usd: budgets.planUsd, tokens: budgets.planTokens },
      taskLimit: { usd: budgets.taskUsd, tokens: budgets.taskTokens },
    },
    reclassify: new Map(),
    thinking: NO_THINKING,
    rejected: new Set(),
    completedSinceLow: 0,
    inbox: new Map(),
    asked: new Set(),
    reask: new Set(),
    itemsOpened: 0,
    humanDecisions: [],
    permissions: [],
    risks: new Map(),
    checkpointTags: [],
    layers: new Map(),
    release: NOT_RELEASED,
    trouble: new Map(),
    agents: {},
    candidates: {},
    byCommand: {},
    parked: new Map(),
    failures: null,
    breaker: null,
    progress: { completedSince: 0, lastAt: start.registeredAt, due: null },
    clock: null,
    documentedAt: 2,
    version: 0,
    at: start.registeredAt,
  }
}

export const newLayer = (tests: LayerState['tests']): LayerState => ({
  tests,
  left: 0,
  status: 'open',
  runs: 0,
  diagnoses: 0,
  inconclusive: 0,
  results: [],
  tree: '',
  diagnosis: null,
})
