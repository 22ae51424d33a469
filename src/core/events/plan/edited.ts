/** A person edited the plan's text while it runs. Invalidated tasks are re-run; the rest stays as it was. */
import { z } from 'zod'
import { foldEdited } from '../../fold/edit.ts'
import { integrationTestSchema, planHeaderSchema, taskSpecSchema } from '../../planning/task-schema.ts'
import { counted } from '../../../lib/text/counted.ts'
import { planLine } from '../activity-lines.ts'
import { eventShape, type EventDefinition } from '../define.ts'
import { by, sha256, taskId, text } from '../../event-schemas/schemas.ts'

const shape = eventShape('plan.edited', 1, () => ({
  by,
  plan: planHeaderSchema,
  text,
  sha256,
  settings: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.unknown()),
  /** New and changed tasks. */
  specs: z.array(taskSpecSchema),
  removed: z.array(taskId),
  affected: z.array(taskId),
  /** Why each affected task is invalid, for its next worker. */
  why: z.record(z.string(), text),
  integration: z.array(integrationTestSchema),
}))

export const planEdited: EventDefinition<typeof shape> = {
  shape,
  /** A commit in progress cannot be undone: the edit can be retried once it has landed. */
  rejectionReason(state, event) {
    if (state.cancelled !== null) return 'the plan is cancelled'
    if (state.release.step === 'prepared' || state.release.step === 'signed') return 'the plan is released'
    const known = [...event.removed, ...event.affected]
    const unknown = known.find((id) => !state.tasks.has(id))
    if (unknown !== undefined) return `no task ${unknown}`
    const landing = known.find((id) => state.tasks.get(id)?.step === 'committing')
    if (landing !== undefined) return `task ${landing} is being committed`
    const ids = new Set([...state.tasks.keys(), ...event.specs.map(({ id }) => id)])
    const missing = event.specs.flatMap(({ dependsOn }) => dependsOn).find((id) => !ids.has(id))
    return missing === undefined ? null : `it depends on ${missing}, which does not exist`
  },
  replace: foldEdited,
  activity(event) {
    const specs = event.specs.map(({ id }) => id)
    const { removed, affected } = event
    return [planLine('plan_edited', { by: event.by, said_anew: specs, removed, done_again: affected })]
  },
  timeline: (event) => ({
    task: null,
    text: `${event.by} edited the plan: ${counted(event.affected.length, 'task')} re-run`,
  }),
}
