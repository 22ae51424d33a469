/** A reviewer, or the rules in its place, reviewed a task's work. */
import { z } from 'zod'
import { decided, moveTask, taskIn } from '../../fold/moves.ts'
import { afterReview } from '../../fold/proof.ts'
import { cut, taskLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, ofAttempt, ordinal, reviewIssueSchema, text } from '../../event-schemas/schemas.ts'
import { rejectUnlessCurrent } from '../rejections.ts'

const shape = eventShape('task.reviewed', 1, () => ({
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

export const taskReviewed: EventDefinition<typeof shape> = {
  shape,
  rejectionReason: rejectUnlessCurrent,
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const { round, attempt, by, verdict, summary, issues, agent = null, remark = null } = event
    if (task.review !== null) task.pastReviews = [...task.pastReviews, task.review]
    const isOwnAgent = agent !== null && task.draft?.agents?.includes(agent) === true
    task.review = { round, attempt, by, agent, isOwnAgent, verdict, summary, remark, issues }
    task.reviewRound = round
    decided(task, at, `review ${round} by ${by}: ${verdict}`)
    if (verdict === 'approved') {
      task.cause = null
      moveTask(state, task, { to: afterReview(state, task), on: event.type, at })
      return
    }
    task.cause = { kind: 'changes_requested', issues }
    moveTask(state, task, { to: 'deciding', on: event.type, at })
  },
  activity({ task, verdict, by, round, summary, issues }) {
    const data = { by, round, summary: cut(summary), issues: issues.length }
    return [taskLine(task, `review_${verdict}`, data)]
  },
  timeline: ({ task, round, by, verdict }) => ({
    task,
    text: `review ${round} by ${by}: ${verdict.replaceAll('_', ' ')}`,
  }),
}
