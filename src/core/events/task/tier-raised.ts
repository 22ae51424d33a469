/** A task's tier is raised above the planned one. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { index, unindex } from '../../state/indexes.ts'
import { TIERS } from '../../planning/plan.ts'
import { tierSchema } from '../../planning/task-schema.ts'
import { taskLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { taskId, text } from '../../event-schemas/schemas.ts'

const shape = eventShape('task.tier_raised', 1, () => ({
  task: taskId,
  tier: tierSchema,
  reasons: z.array(text).min(1),
}))

export const taskTierRaised: EventDefinition<typeof shape> = {
  shape,
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
  activity: ({ task, tier, reasons }) => [taskLine(task, 'tier_raised', { tier, reasons })],
  timeline: ({ task, tier, reasons }) => ({ task, text: `raised to ${tier}: ${reasons.join('; ')}` }),
}
