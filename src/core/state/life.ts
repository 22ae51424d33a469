/**
 * A task's life as a table: every legal move is a row, and any other move throws. Only an edit of the plan has no row:
 * it replaces the state (fold/edit.ts). docs/task-life.md is printed from this table.
 */
import type { EventType } from '../events/plan-events.ts'

export const STATUSES = ['pending', 'ready', 'in_progress', 'completed', 'failed', 'escalated'] as const

/**
 * What happens to a task, step by step: the effects that are owed in each, and what the task waits for. Which of
 * several is owed, and the decisions between them, stand in decide/owed-task.ts.
 */
export const STEPS = {
  pending: { status: 'pending', owes: [], waitsFor: 'its dependencies, and the answers to its open points' },
  ready: { status: 'ready', owes: [], waitsFor: 'a free slot and a free area; then it is dispatched' },
  launching: { status: 'in_progress', owes: ['start_worker'], waitsFor: 'its worker to start' },
  working: {
    status: 'in_progress',
    owes: ['tell_worker', 'hold_worker', 'extend_worker', 'ask_specialist'],
    waitsFor: 'its worker to end, which the watch supervises',
  },
  stopping: { status: 'in_progress', owes: ['stop_worker'], waitsFor: 'its worker, saved and stopped' },
  taken_over: { status: 'in_progress', owes: [], waitsFor: 'a person to hand the work back' },
  collecting: { status: 'in_progress', owes: ['collect_work'], waitsFor: 'the work as a tree to land on' },
  gating: { status: 'in_progress', owes: ['run_gates'], waitsFor: 'the verdict of every gate' },
  reviewing: {
    status: 'in_progress',
    owes: ['review_artifact', 'start_worker', 'stop_worker'],
    waitsFor: 'the verdict of the brain on low work, of a reviewer on all other',
  },
  awaiting_person: { status: 'in_progress', owes: [], waitsFor: 'a person to approve, revise or reject it' },
  committing: { status: 'in_progress', owes: ['commit_task'], waitsFor: 'its turn to land, and its commit' },
  deciding: {
    status: 'in_progress',
    owes: ['assess_failure'],
    waitsFor: 'another worker within a budget, or a question to a person',
  },
  completed: { status: 'completed', owes: [], waitsFor: 'nothing' },
  failed: {
    status: 'failed',
    owes: ['replan'],
    waitsFor: 'a person to drop it, split it or want it after all',
  },
  escalated: { status: 'escalated', owes: [], waitsFor: 'a person to decide its inbox item' },
} as const satisfies Readonly<
  Record<
    string,
    {
      readonly status: (typeof STATUSES)[number]
      readonly owes: readonly string[]
      readonly waitsFor: string
    }
  >
>

export type Step = keyof typeof STEPS
export type Status = (typeof STATUSES)[number]

export const statusOf = (step: Step): Status => STEPS[step].status

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
    means: 'the audit found that the work already exists',
  },
  {
    on: 'task.dispatched',
    from: ['ready', 'deciding'],
    to: ['launching'],
    means: 'a worker is dispatched: the first one, or another within a budget',
  },
  { on: 'worker.started', from: ['launching'], to: ['working'], means: 'its worker started' },
  {
    on: 'worker.condemned',
    from: ['launching', 'working'],
    to: ['stopping'],
    means: 'its worker will be saved and stopped',
  },
  {
    on: 'worker.ended',
    from: ['launching', 'working', 'stopping'],
    to: ['collecting'],
    means: 'its worker ended, for any reason',
  },
  {
    on: 'worker.ended',
    from: ['stopping'],
    to: ['taken_over'],
    means: 'a person took its worker over and works in its place',
  },
  {
    on: 'inbox.answered',
    from: ['taken_over'],
    to: ['collecting'],
    means: 'the person handed the work back, to the gates or to the agent',
  },
  {
    on: 'inbox.withdrawn',
    from: ['taken_over'],
    to: ['collecting'],
    means: 'the plan was cancelled while a person worked on it',
  },
  {
    on: 'work.collected',
    from: ['collecting'],
    to: ['pending', 'ready', 'failed'],
    means: 'the plan was edited while it was worked on',
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
    means: 'it conflicts with work that may not land; it is collected again once that is known',
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
    means: 'every gate passed, and the same change was already approved',
  },
  {
    on: 'task.gated',
    from: ['gating'],
    to: ['gating'],
    means: 'only some gates ran, or one was inconclusive; they run again',
  },
  { on: 'task.gated', from: ['gating'], to: ['deciding'], means: 'a gate failed' },
  {
    on: 'task.reviewed',
    from: ['reviewing'],
    to: ['committing', 'awaiting_person'],
    means: 'the review approved it',
  },
  {
    on: 'task.reviewed',
    from: ['reviewing'],
    to: ['reviewing'],
    means: 'the brain could not read it, so an agent does',
  },
  { on: 'task.reviewed', from: ['reviewing'], to: ['deciding'], means: 'the review requested changes' },
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
      'a person overrode the failure (recorded in their name), widened the contract, or had the gates run again',
  },
  {
    on: 'inbox.answered',
    from: ['awaiting_person', 'escalated', 'failed'],
    to: ['ready'],
    means: 'a person has it revised, retried or re-scoped',
  },
  {
    on: 'inbox.answered',
    from: ['completed'],
    to: ['pending', 'ready'],
    means: 'the plan built nothing, and a person has the existing work built after all',
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
    means: 'other tasks fail the same way; one question covers all of them',
  },
  {
    on: 'task.proof_outdated',
    from: ['gating', 'committing'],
    to: ['collecting'],
    means: 'it will land on another tree than it was proven on; it is proven again on that tree',
  },
  {
    on: 'task.proof_outdated',
    from: ['reviewing'],
    to: ['reviewing'],
    means: 'others land before it; it rejoins the landing queue once it is approved',
  },
  { on: 'task.committed', from: ['committing'], to: ['completed'], means: 'the proven work is committed' },
  {
    on: 'task.commit_refused',
    from: ['committing'],
    to: ['collecting'],
    means: 'other work landed first; it is proven again on top of that',
  },
  {
    on: 'task.commit_refused',
    from: ['committing'],
    to: ['deciding'],
    means: 'it conflicts with work that landed first',
  },
  {
    on: 'inbox.answered',
    from: ['pending'],
    to: ['ready'],
    means: 'a person decided its last open point',
  },
  {
    on: 'inbox.answered',
    from: ['pending', 'failed'],
    to: ['failed'],
    means: 'a person dropped it or a task it depends on, or split it',
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
/** Whether the trigger can happen to a task in this step. */
export const mayHappen = (on: Trigger, from: Step): boolean => legal.get(on)?.has(from) === true
