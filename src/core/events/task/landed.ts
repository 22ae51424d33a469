/** Proven work lands, or is refused: then it is proven again on the new tip, or the next move is decided. */
import { z } from 'zod'
import { completeTask, decided, moveTask, taskIn } from '../../fold/moves.ts'
import { rememberApproval } from '../../fold/proof.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { ofAttempt, reportedRiskSchema, text, type Report } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'
import { cut, fact, aboutTask } from '../rendering.ts'

const committedShape = eventShape('task.committed', 1, () => ({
  ...ofAttempt,
  tree: text,
  sha: text,
  branch: text,
  tag: text.nullable(),
  artifacts: z.array(text),
  /** The risks its worker reported. */
  risks: z.array(reportedRiskSchema),
}))

export const taskCommitted: EventDefinition<typeof committedShape> = {
  shape: committedShape,
  rejectionReason: rejectUnlessCurrent,
  apply(state, event, at) {
    const { sha, tree, branch, artifacts, tag } = event
    const task = taskIn(state, event.task)
    task.commit = { sha, tree, branch, artifacts }
    state.currentSha = sha
    state.landings++
    state.landedTree = tree
    if (tag !== null) state.checkpointTags.push(tag)
    addRisks(state, task, event.risks)
    completeTask(state, task, { on: event.type, at })
  },
  render: ({ task, sha, branch, tag, attempt }) =>
    aboutTask(
      task,
      `committed ${sha.slice(0, 10)}${tag === null ? '' : `, tagged ${tag}`}`,
      fact('task_committed', { sha, branch, tag, attempt }),
    ),
}

function addRisks(state: PlanState, task: TaskState, reported: readonly Report['risks'][number][]): void {
  for (const [place, risk] of reported.entries()) {
    const id = `risk-${task.spec.id}-${place + 1}`
    const open = { status: 'open', acceptedBy: null, acceptedAt: null, reason: null } as const
    state.risks.set(id, { id, ...risk, sourceTask: task.spec.id, ...open })
  }
}

const refusedShape = eventShape('task.commit_refused', 1, () => ({
  ...ofAttempt,
  reason: text,
  moved: z.boolean().optional(),
}))

/** Not committed: the work conflicts with what has landed since, or (`moved`) was not proven on top of it. */
export const taskCommitRefused: EventDefinition<typeof refusedShape> = {
  shape: refusedShape,
  rejectionReason: rejectUnlessCurrent,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    if (event.moved === true) rememberApproval(state, task)
    else task.cause = { kind: 'conflict', reason: event.reason }
    moveTask(state, task, { to: event.moved === true ? 'collecting' : 'deciding', on: event.type, at })
  },
  render: ({ task, reason, attempt }) =>
    aboutTask(task, `could not land: ${reason}`, fact('commit_refused', { reason: cut(reason), attempt })),
}

const outdatedShape = eventShape('task.proof_outdated', 1, () => ({ ...ofAttempt, why: text }))

/** The task will land on another tree than it was proven on: it is put on that tree and proven again. */
export const taskProofOutdated: EventDefinition<typeof outdatedShape> = {
  shape: outdatedShape,
  rejectionReason: rejectUnlessCurrent,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    decided(task, at, `proven again: ${event.why}`)
    if (task.step === 'reviewing') {
      // Its review continues; it only loses its place in the queue.
      const { stepSince } = task
      moveTask(state, task, { to: 'reviewing', on: event.type, at })
      Object.assign(task, { turn: null, stepSince })
      return
    }
    if (task.step === 'committing') rememberApproval(state, task)
    // A failure on another tree proves nothing.
    if (task.draft?.isHeld === true) {
      task.recheck = null
      task.draft = { ...task.draft, isHeld: false }
    }
    moveTask(state, task, { to: 'collecting', on: event.type, at })
  },
  render: ({ task, why, attempt }) =>
    aboutTask(task, `proving again: ${why}`, fact('proof_outdated', { why: cut(why), attempt })),
}
