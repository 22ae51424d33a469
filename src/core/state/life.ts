/**
 * A task's life as a table: every legal move is a row, what is absent is refused. Only an edit of the plan takes no row:
 * it makes the state anew (fold-edit.ts), and what it makes invalid begins again. The diagram in
 * docs/task-life.md is printed from it.
 */
import type { EventType } from '../events/plan-events.ts'

export const STEPS = {
  pending: 'pending',
  ready: 'ready',
  launching: 'in_progress',
  working: 'in_progress',
  stopping: 'in_progress',
  collecting: 'in_progress',
  gating: 'in_progress',
  reviewing: 'in_progress',
  awaiting_person: 'in_progress',
  committing: 'in_progress',
  deciding: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  escalated: 'escalated',
} as const

export type Step = keyof typeof STEPS
export type Status = (typeof STEPS)[Step]
export const STATUSES = ['pending', 'ready', 'in_progress', 'completed', 'failed', 'escalated'] as const

export const statusOf = (step: Step): Status => STEPS[step]

/** A dependency's completion is not an event of its own: the fold sees it. */
export type Trigger = EventType | 'dependency.completed'

export interface Move {
  readonly on: Trigger
  readonly from: readonly Step[]
  readonly to: readonly Step[]
  readonly means: string
}

export const MOVES: readonly Move[] = [
  { on: 'dependency.completed', from: ['pending'], to: ['ready'], means: 'its last dependency is completed' },
  {
    on: 'plan.baselined',
    from: ['pending', 'ready'],
    to: ['completed'],
    means: 'the audit found that the work is there already',
  },
  {
    on: 'task.dispatched',
    from: ['ready', 'deciding'],
    to: ['launching'],
    means: 'a worker was chosen for it: the first one, or one more within a budget',
  },
  { on: 'worker.started', from: ['launching'], to: ['working'], means: 'its worker runs' },
  {
    on: 'worker.condemned',
    from: ['launching', 'working'],
    to: ['stopping'],
    means: 'its worker is to be saved and stopped',
  },
  {
    on: 'worker.ended',
    from: ['launching', 'working', 'stopping'],
    to: ['collecting'],
    means: 'its worker ended, in whatever way',
  },
  {
    on: 'work.collected',
    from: ['collecting'],
    to: ['pending', 'ready', 'failed'],
    means: 'the plan was edited meanwhile',
  },
  {
    on: 'worker.ended',
    from: ['reviewing'],
    to: ['pending', 'ready', 'failed'],
    means: 'the plan was edited while it was reviewed',
  },
  { on: 'work.collected', from: ['collecting'], to: ['gating'], means: 'there is work to prove' },
  {
    on: 'work.collected',
    from: ['collecting'],
    to: ['collecting'],
    means: 'it conflicts with work that may not land: it is collected again once that is known',
  },
  {
    on: 'work.collected',
    from: ['collecting'],
    to: ['deciding'],
    means: 'the worker was lost, blocked, limited or did nothing',
  },
  { on: 'task.gated', from: ['gating'], to: ['reviewing'], means: 'every gate passed on the whole tree' },
  {
    on: 'task.gated',
    from: ['gating'],
    to: ['committing'],
    means: 'every gate passed, and the same change was approved before something else landed',
  },
  {
    on: 'task.gated',
    from: ['gating'],
    to: ['gating'],
    means: 'only some gates were run, or one was inconclusive: run again',
  },
  { on: 'task.gated', from: ['gating'], to: ['deciding'], means: 'a gate failed' },
  {
    on: 'task.reviewed',
    from: ['reviewing'],
    to: ['committing', 'awaiting_person'],
    means: 'the review approved it',
  },
  { on: 'task.reviewed', from: ['reviewing'], to: ['deciding'], means: 'the review wants changes' },
  {
    on: 'inbox.opened',
    from: ['deciding', 'gating', 'reviewing'],
    to: ['escalated'],
    means: 'a budget is used up, or only a person can decide',
  },
  {
    on: 'inbox.answered',
    from: ['awaiting_person'],
    to: ['committing'],
    means: 'a person approved it',
  },
  {
    on: 'inbox.answered',
    from: ['escalated'],
    to: ['gating', 'reviewing', 'awaiting_person', 'committing'],
    means:
      'a person overrode what stood in the way, which is recorded as theirs, widened the contract, or has its gates run again',
  },
  {
    on: 'inbox.answered',
    from: ['awaiting_person', 'escalated', 'failed'],
    to: ['ready'],
    means: 'a person wants it revised, retried or re-scoped',
  },
  {
    on: 'inbox.answered',
    from: ['completed'],
    to: ['pending', 'ready'],
    means: 'nothing of the plan was built, and a person wants built what was found to exist',
  },
  {
    on: 'inbox.answered',
    from: ['awaiting_person', 'escalated'],
    to: ['failed'],
    means: 'a person rejected it',
  },
  {
    on: 'inbox.withdrawn',
    from: ['escalated'],
    to: ['ready'],
    means: 'other tasks fail alike: a person is asked once for all of them',
  },
  {
    on: 'task.proof_outdated',
    from: ['gating', 'committing'],
    to: ['collecting'],
    means: 'what it was proven on is not what it will land on: it is put on that and proven again',
  },
  {
    on: 'task.proof_outdated',
    from: ['reviewing'],
    to: ['reviewing'],
    means: 'others land before it: it joins the landing queue again once it is approved',
  },
  { on: 'task.committed', from: ['committing'], to: ['completed'], means: 'what was proven is committed' },
  {
    on: 'task.commit_refused',
    from: ['committing'],
    to: ['collecting'],
    means: 'something landed meanwhile: it is proven again on top of that',
  },
  {
    on: 'task.commit_refused',
    from: ['committing'],
    to: ['deciding'],
    means: 'it does not go on top of what landed meanwhile',
  },
  {
    on: 'inbox.answered',
    from: ['pending', 'failed'],
    to: ['failed'],
    means: 'a person dropped it, or what it depends on, or had it split',
  },
]

const legal = new Map<Trigger, Map<Step, Set<Step>>>()
for (const { on, from, to } of MOVES) {
  const moves = legal.get(on) ?? new Map<Step, Set<Step>>()
  legal.set(on, moves)
  for (const step of from) moves.set(step, new Set([...(moves.get(step) ?? []), ...to]))
}

export const mayMove = (on: Trigger, from: Step, to: Step): boolean =>
  legal.get(on)?.get(from)?.has(to) === true
/** Whether the trigger means anything to a task in this step. */
export const mayHappen = (on: Trigger, from: Step): boolean => legal.get(on)?.has(from) === true
