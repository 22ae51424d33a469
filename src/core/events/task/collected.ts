/** A worker's work was read from its clone and saved: it goes to the gates, or the next move is decided. */
import { z } from 'zod'
import { MAX_REPEATS } from '../../state/budgets.ts'
import { decided, moveTask, startOver, taskIn } from '../../fold/moves.ts'
import { formatGrowth } from '../../review/grown-scope.ts'
import { decisionsIn } from '../../state/decision-log.ts'
import type { Instant, PlanState, TaskState } from '../../state/state.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, scanSchema, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'
import { notShown } from '../rendering.ts'

const shape = eventShape('work.collected', 1, () => ({
  ...ofWorker,
  tree: text,
  changed: z.array(text),
  /** The ref that keeps the work when the workspace is gone. */
  salvage: text,
  /** Identifies the change itself: the same files, from the same bytes to the same bytes. */
  patch: text.optional(),
  /** Why it may not land, regardless of the gates. */
  refused: text.optional(),
  scan: scanSchema.optional(),
  /** The tree it was put on, the tasks in that tree that had not landed, and how many had. */
  onto: text,
  ahead: z.array(text),
  landings: z.int().nonnegative(),
  /** Refused because it conflicts with that tree. */
  conflicts: z.literal(true).optional(),
}))
type Collected = EventIn<typeof shape>

export const workCollected: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: (state, event) =>
    rejectUnlessCurrent(state, event, (task) => task.draft?.worker === event.worker),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { tree, changed, salvage, patch = null, scan, onto, ahead, landings } = event
    if (task.draft === null) throw new Error(`task ${event.task} has no work to collect`)
    task.repeats = isResubmitted(task, event) ? task.repeats + 1 : 0
    const { worker, report, agents, ended, people } = task.draft
    const base = { onto, ahead, landings }
    const read = scan === undefined ? {} : { scan }
    const draft = { worker, report, agents, ended, people, tree, changed, salvage, patch, base, ...read }
    task.draft = draft
    noteGrowth(state, task, at)
    if (task.cause?.kind === 'plan_edited') {
      startOver(state, task, { on: event.type, at })
      return
    }
    if (task.cause === null && event.conflicts === true && ahead.length > 0) {
      task.draft = { ...draft, waitsFor: ahead }
      task.turn = null
      moveTask(state, task, { to: 'collecting', on: event.type, at })
      return
    }
    if ((task.cause === null || task.cause.kind === 'unclear') && event.refused !== undefined) {
      task.cause = { kind: 'refused', reason: event.refused }
    }
    const isNothingDone = event.changed.length === 0 && mustChangeFiles(task)
    if (task.cause === null && isNothingDone) task.cause = nothingDone(task)
    task.takenOverBy = null
    if (task.cause === null && task.repeats >= MAX_REPEATS && hasAttemptsLeft(state, task)) {
      task.cause = { kind: 'looping', reason: `the same change was submitted ${task.repeats + 1} times` }
    }
    // Without new work to prove, the earlier gate failures still have to be fixed.
    if (task.cause === null) task.verdicts = null
    moveTask(state, task, { to: task.cause === null ? 'gating' : 'deciding', on: event.type, at })
  },
  render: notShown,
}

/** Once for each size: a later attempt often has the same. */
function noteGrowth({ settings }: PlanState, task: TaskState, at: Instant): void {
  const growth = formatGrowth(task)
  if (growth === null) return
  const deepened = settings.reviewByRules === true ? 'no agent reviews in this plan' : 'a reviewer reads it'
  const text = `${growth}: ${deepened}`
  if (!decisionsIn(task.decisions).some((decision) => decision.text === text)) decided(task, at, text)
}

/** A person who changed nothing uses no attempt: the agent goes on. */
const nothingDone = ({ lastWords, takenOverBy }: TaskState): TaskState['cause'] =>
  takenOverBy === null
    ? { kind: 'nothing_done', ...(lastWords === null ? {} : { lastWords }) }
    : { kind: 'restarted' }

/** The same tree is submitted again after gates or a reviewer rejected it. */
function isResubmitted(task: TaskState, event: Collected): boolean {
  const isRejected = task.recheck !== null || task.review?.verdict === 'changes_requested'
  // On another base it is collected again because of that, not because it was submitted again.
  const isSameBase = event.onto === task.draft?.base?.onto
  return isRejected && isSameBase && event.tree !== '' && event.tree === task.draft?.tree
}

/** Without attempts left, the escalation names the failures instead. */
function hasAttemptsLeft({ settings }: PlanState, { counters, recheck }: TaskState): boolean {
  return recheck === null ? counters.reworks < settings.reworks : counters.fixes < settings.fixAttempts
}

/** A task that names no files verifies the work of others: its gates decide, and it may change nothing. */
function mustChangeFiles({ spec, doneBefore }: TaskState): boolean {
  // Work from before an edit may still be sufficient after it.
  if (doneBefore !== null) return false
  const { create, modify, delete: deleted } = spec.files
  return create.length + modify.length + deleted.length + spec.testsToAdd.length > 0
}
