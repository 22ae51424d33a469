/** The initial state of a task and of a layer. */
import { NO_COUNTS } from './budgets.ts'
import type { Area } from './area.ts'
import { NOTHING_SPENT } from './spending.ts'
import type { Instant, LayerState, TaskState } from './state.ts'

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

const NONE: readonly never[] = Object.freeze([])

export function newTask(
  spec: TaskState['spec'],
  place: { readonly rank: number; readonly chain: number; readonly at: Instant; readonly area: Area },
): TaskState {
  // The fields that scheduling reads come first, so that they share cache lines.
  return {
    tier: spec.tier,
    step: 'pending',
    spec,
    isQueued: false,
    place: place.area,
    rank: place.rank,
    chain: place.chain,
    stepSince: place.at,
    turn: null,
    keepsSlot: false,
    attempt: 0,
    live: null,
    counters: NO_COUNTS,
    dispatchedAt: null,
    requeued: null,
    decisions: null,
    dropped: false,
    splitInto: null,
    draft: null,
    commit: null,
    earlier: NONE,
    doneBefore: null,
    spent: NOTHING_SPENT,
    forgiven: NOTHING_SPENT,
    repeats: 0,
    cause: null,
    feedback: null,
    settledQuestions: NONE,
    planAnswers: NONE,
    help: NONE,
    tests: null,
    checkpoint: null,
    area: spec.ownership,
    takenOverBy: null,
    lastWords: null,
    session: null,
    reviewSession: null,
    proposal: null,
    thinking: null,
    verdicts: null,
    recheck: null,
    refusal: null,
    review: null,
    pastReviews: NONE,
    approved: null,
    confirmedBy: null,
    reviewRound: 0,
    overrides: NONE,
    audit: null,
    durationMs: null,
  }
}
