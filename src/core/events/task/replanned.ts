/** How to continue with a rejected task: the brain proposes, a person decides. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { taskSpecSchema } from '../../planning/task-schema.ts'
import type { PlanState } from '../../state/state.ts'
import { taskLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, taskId, text } from '../../event-schemas/schemas.ts'

const shape = eventShape('task.replanned', 1, () => ({
  task: taskId,
  recommend: z.enum(['rescope', 'split', 'drop']),
  note: text,
  by,
  /** The tasks that could replace it, in order: each depends on the one before. */
  parts: z.array(taskSpecSchema).optional(),
}))

export const taskReplanned: EventDefinition<typeof shape> = {
  shape,
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
  activity: ({ task, recommend, by }) => [taskLine(task, 'task_replanned', { recommend, by })],
  timeline: ({ task, recommend }) => ({ task, text: `back to planning: proposed to ${recommend}` }),
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
