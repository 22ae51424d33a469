/** What is judged about a task: a failed attempt, a rejected task, its review, its tier. */
import { z } from 'zod'
import { decided, taskIn, moveTask } from '../../fold/moves.ts'
import { NOT_ASKED } from '../../state/draft.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { by, ofAttempt, text, taskId, ordinal, reviewIssueSchema } from '../../event-schemas/schemas.ts'
import { fact, aboutTask, cut } from '../rendering.ts'
import { TIERS, type TaskSpec } from '../../planning/plan.ts'
import { taskSpecSchema, tierSchema } from '../../planning/task-schema.ts'
import type { PlanState } from '../../state/state.ts'
import { afterReview } from '../../fold/proof.ts'
import { isReadByBrain, isUnread, reviewTier } from '../../review/review-need.ts'
import { rejectUnlessCurrent } from '../rejections.ts'
import { index, unindex } from '../../state/indexes.ts'

/** What the brain proposes after a failed attempt. The rules decide: no proposal goes beyond a budget or skips a gate. */
const assessedShape = eventShape('task.failure_assessed', 1, () => ({
  ...ofAttempt,
  proposal: z.enum(['retry', 'reduce_scope', 'escalate']),
  /** For the person who may be asked. */
  note: text,
  /** For the next worker; it changes nothing in the contract. */
  advice: text.nullable(),
  by,
}))

export const taskFailureAssessed: EventDefinition<typeof assessedShape> = {
  shape: assessedShape,
  rejectionReason(state, event) {
    const task = state.tasks.get(event.task)
    if (task === undefined) return `task ${event.task} does not exist`
    if (task.step !== 'deciding' || task.attempt !== event.attempt)
      return `attempt ${event.attempt} of task ${event.task} is not what is decided about`
    return task.thinking?.assessment?.attempt === event.attempt ? 'this failure is assessed' : null
  },
  apply(state, event, at) {
    const { attempt: number, proposal, note, advice, by: who } = event
    const task = taskIn(state, event.task)
    const { spent } = task.thinking ?? NOT_ASKED
    task.thinking = { spent, assessment: { attempt: number, proposal, note, advice, by: who } }
    decided(task, at, proposalText(event))
  },
  render: (event) => {
    const { task, attempt: number, proposal, by: who } = event
    return aboutTask(
      task,
      proposalText(event),
      fact('failure_assessed', { attempt: number, proposal, by: who }),
    )
  },
}

const proposalText = ({ by: who, proposal, note }: EventIn<typeof assessedShape>): string =>
  `${who} proposes to ${proposal.replace('_', ' ')}: ${note}`

/** How to continue with a rejected task: the brain proposes, a person decides. */
const replannedShape = eventShape('task.replanned', 1, () => ({
  task: taskId,
  recommend: z.enum(['rescope', 'split', 'drop']),
  note: text,
  by,
  /** The tasks that could replace it, in order: each depends on the one before. */
  parts: z.array(taskSpecSchema).optional(),
}))

export const taskReplanned: EventDefinition<typeof replannedShape> = {
  shape: replannedShape,
  rejectionReason: ({ rejected }, { task }) => (rejected.has(task) ? null : `task ${task} was not rejected`),
  /** Parts that do not fit the plan are dropped from the proposal; the other options remain. */
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const why = rejectParts(state, event.parts ?? [])
    const parts = why === null ? (event.parts ?? []) : []
    const recommend = event.recommend === 'split' && parts.length < 2 ? 'rescope' : event.recommend
    task.proposal = { recommend, note: event.note, parts }
    decided(task, at, `${event.by} proposes to ${recommend} it: ${event.note}`)
    if (why !== null) decided(task, at, `cannot split as ${event.by} proposes: ${why}`)
  },
  render: ({ task, recommend, by }) =>
    aboutTask(task, `back to planning: proposed to ${recommend}`, fact('task_replanned', { recommend, by })),
}

function rejectParts(state: PlanState, parts: readonly TaskSpec[]): string | null {
  const ids = new Set(parts.map(({ id }) => id))
  if (ids.size < parts.length) return 'a part is listed twice'
  const known = [...ids].find((id) => state.tasks.has(id))
  if (known !== undefined) return `task ${known} already exists`
  const needs = parts.flatMap(({ dependsOn }) => dependsOn)
  const unknown = needs.find((id) => !ids.has(id) && !state.tasks.has(id))
  return unknown === undefined ? null : `it depends on ${unknown}, which does not exist`
}

/** A reviewer, or the rules in its place, reviewed a task's work. */
const reviewedShape = eventShape('task.reviewed', 1, () => ({
  ...ofAttempt,
  round: ordinal,
  by,
  verdict: z.enum(['approved', 'changes_requested']),
  summary: text,
  issues: z.array(reviewIssueSchema),
  /** The reviewer's agent. */
  agent: text.optional(),
  /** Why the rules changed its verdict, where they did. */
  remark: text.optional(),
}))

export const taskReviewed: EventDefinition<typeof reviewedShape> = {
  shape: reviewedShape,
  rejectionReason: rejectUnlessCurrent,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { round, attempt, by, verdict, summary, issues, agent = null, remark = null } = event
    if (task.review !== null) task.pastReviews = [...task.pastReviews, task.review]
    const isOwnAgent = agent !== null && task.draft?.agents.includes(agent) === true
    task.review = { round, attempt, by, agent, isOwnAgent, verdict, summary, remark, issues }
    task.reviewRound = round
    decided(task, at, `review ${round} by ${by}: ${verdict}`)
    if (verdict === 'approved') {
      task.cause = null
      // What only a reader can confirm is read by an agent where the brain could not.
      const isLeft =
        isUnread(task) && isReadByBrain(state.settings) && reviewTier(task, state.settings) !== 'low'
      const to = isLeft ? 'reviewing' : afterReview(state, task)
      moveTask(state, task, { to, on: event.type, at })
      return
    }
    task.cause = { kind: 'changes_requested', issues }
    moveTask(state, task, { to: 'deciding', on: event.type, at })
  },
  render: ({ task, verdict, by, round, summary, issues }) =>
    aboutTask(
      task,
      `review ${round} by ${by}: ${verdict.replaceAll('_', ' ')}${summary === '' ? '' : ` (${summary})`}`,
      fact(`review_${verdict}`, { by, round, summary: cut(summary), issues: issues.length }),
    ),
}

/** A task's tier is raised above the planned one. */
const raisedShape = eventShape('task.tier_raised', 1, () => ({
  task: taskId,
  tier: tierSchema,
  reasons: z.array(text).min(1),
}))

export const taskTierRaised: EventDefinition<typeof raisedShape> = {
  shape: raisedShape,
  rejectionReason(state, event) {
    const task = state.tasks.get(event.task)
    if (task === undefined) return `no task ${event.task}`
    const isRaise = TIERS.indexOf(event.tier) < TIERS.indexOf(task.tier)
    return isRaise ? null : `task ${event.task} is already ${task.tier}; a tier can only be raised`
  },
  apply(state, { task: id, tier, reasons }, at) {
    const task = taskIn(state, id)
    state.reclassify.delete(task)
    unindex(state, task)
    task.tier = tier
    index(state, task)
    decided(task, at, `tier raised to ${tier}: ${reasons.join('; ')}`)
  },
  render: ({ task, tier, reasons }) =>
    aboutTask(task, `raised to ${tier}: ${reasons.join('; ')}`, fact('tier_raised', { tier, reasons })),
}
