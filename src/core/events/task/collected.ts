/** What a worker left was read from its clone and saved: there is work to prove, or a reason to decide anew. */
import { z } from 'zod'
import { MAX_REPEATS } from '../../state/budgets.ts'
import type { Draft } from '../../state/draft.ts'
import { moveTask, startOver, taskIn } from '../../fold/moves.ts'
import { stands } from '../../scheduling/landing-queue.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { eventShape, noActivity, notInTimeline, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, scanSchema, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'

const shape = eventShape('work.collected', 1, {
  ...ofWorker,
  tree: text,
  changed: z.array(text),
  /** Where the bytes are kept, whatever becomes of the workspace. */
  salvage: text,
  /** Names the change itself: the same files, from the same bytes to the same bytes. */
  patch: text.optional(),
  /** Why it may not land, whatever the gates would say. */
  refused: text.optional(),
  scan: scanSchema.optional(),
  /** The tree it was put on, and what of it had not landed then. Absent in logs from before the landing queue. */
  onto: text.optional(),
  ahead: z.array(text).optional(),
  /** It is refused because it conflicts with that tree. */
  conflicts: z.literal(true).optional(),
  landings: z.int().nonnegative().optional(),
})
type Collected = EventIn<typeof shape>

export const workCollected: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: (state, event) =>
    rejectUnlessCurrent(state, event, (task) => task.draft?.worker === event.worker),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    task.repeats = isTheSameAgain(task, event) ? task.repeats + 1 : 0
    task.draft = {
      worker: event.worker,
      tree: event.tree,
      changed: event.changed,
      salvage: event.salvage,
      report: task.draft?.report ?? null,
      patch: event.patch ?? null,
      agents: task.draft?.agents ?? [],
      ...(event.scan === undefined ? {} : { scan: event.scan }),
      ...groundOf(event),
      lostProofs: task.draft?.worker === event.worker ? (task.draft.lostProofs ?? 0) : 0,
    }
    if (task.cause?.kind === 'plan_edited') {
      startOver(state, task, { on: event.type, at })
      return
    }
    if (task.cause === null && event.conflicts === true && stands(task).ahead.length > 0) {
      task.draft = { ...task.draft, waitsFor: stands(task).ahead }
      task.turn = null
      moveTask(state, task, { to: 'collecting', on: event.type, at })
      return
    }
    if ((task.cause === null || task.cause.kind === 'unclear') && event.refused !== undefined) {
      task.cause = { kind: 'refused', reason: event.refused }
    }
    const isNothingDone = event.changed.length === 0 && isToChangeSomething(task)
    if (task.cause === null && isNothingDone) task.cause = { kind: 'nothing_done' }
    if (task.cause === null && task.repeats >= MAX_REPEATS && hasTriesLeft(state, task)) {
      task.cause = { kind: 'looping', reason: `the same change was handed in ${task.repeats + 1} times` }
    }
    // Where nothing new is to be proven, what the gates found before still has to be fixed.
    if (task.cause === null) task.verdicts = null
    moveTask(state, task, { to: task.cause === null ? 'gating' : 'deciding', on: event.type, at })
  },
  activity: noActivity,
  timeline: notInTimeline,
}

/** Logs from before the landing queue have none of it. */
function groundOf({ onto, ahead = [], landings = 0 }: Collected): Partial<Draft> {
  return onto === undefined ? {} : { onto, ahead, landings }
}

/** The same tree comes in again after gates or a reviewer turned it down. */
function isTheSameAgain(task: TaskState, event: Collected): boolean {
  const isTurnedDown = task.recheck !== null || task.review?.verdict === 'changes_requested'
  // On top of something else it is looked at again because of that, not because it was handed in again.
  const isSameGround = event.onto === undefined || event.onto === task.draft?.onto
  return isTurnedDown && isSameGround && event.tree !== '' && event.tree === task.draft?.tree
}

/** Where all tries are used up, the escalation says what they failed for instead. */
function hasTriesLeft({ settings }: PlanState, { counters, recheck }: TaskState): boolean {
  return recheck === null ? counters.reworks < settings.reworks : counters.fixes < settings.fixAttempts
}

/** A task that names no files verifies what others made: its gates decide, and there may be nothing to change. */
function isToChangeSomething({ spec, doneBefore }: TaskState): boolean {
  // What was done before an edit may do after it.
  if (doneBefore !== null) return false
  const { create, modify, delete: deleted } = spec.files
  return create.length + modify.length + deleted.length + spec.testsToAdd.length > 0
}
