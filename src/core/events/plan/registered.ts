/** The first two events of a plan: its tasks, and the text and settings it was made from. */
import { z } from 'zod'
import { addTasks } from '../../state/add-tasks.ts'
import { emptyState } from '../../state/empty-state.ts'
import { newLayer } from '../../state/new-task.ts'
import { integrationTestSchema, planHeaderSchema, taskSpecSchema } from '../../planning/task-schema.ts'
import { layersOf } from '../../scheduling/ranks.ts'
import type { Instant, PlanState } from '../../state/state.ts'
import { planLine } from '../activity-lines.ts'
import {
  changesNothing,
  eventShape,
  noActivity,
  notInTimeline,
  type EventDefinition,
  type EventIn,
} from '../define.ts'
import { sha256, text } from '../../event-schemas/schemas.ts'
import { planSettingsSchema } from '../../event-schemas/plan-settings.ts'

const registeredShape = eventShape('plan.registered', 1, () => ({
  repo: text,
  plan: planHeaderSchema,
  settings: planSettingsSchema,
  tasks: z.array(taskSpecSchema).min(1),
  integration: z.array(integrationTestSchema),
  /** A person sees the plan before its first worker starts; absent where they wrote it. */
  proposal: z.strictObject({ estimate: text }).optional(),
}))
type Registered = EventIn<typeof registeredShape>

const rejectAfterTheFirst = (): string => 'the plan is already registered'

/** The first event of every plan. `createState` creates the state; the event is never applied to one. */
export const planRegistered: EventDefinition<typeof registeredShape> = {
  shape: registeredShape,
  rejectionReason: rejectAfterTheFirst,
  apply() {
    throw new Error('a plan cannot be registered twice')
  },
  activity({ plan: { title, source }, tasks }) {
    return [planLine('plan_registered', { title, source, tasks: tasks.length })]
  },
  timeline: notInTimeline,
}

export function createState(event: Registered, at: Instant): PlanState {
  const state = emptyState({
    repo: event.repo,
    plan: event.plan,
    settings: event.settings,
    integration: event.integration,
    registeredAt: at,
    proposal: event.proposal ?? null,
  })
  for (const [layer, tests] of layersOf(event.integration)) state.layers.set(layer, newLayer(tests))
  addTasks(state, event.tasks, at)
  for (const layer of state.layers.values()) if (layer.left === 0) layer.status = 'due'
  return state
}

const documentedShape = eventShape('plan.documented', 1, () => ({
  text,
  sha256,
  settings: z.record(z.string(), z.unknown()),
  environment: z.record(z.string(), z.unknown()),
}))

/** The plan's text as it was read, and the settings at its start. */
export const planDocumented: EventDefinition<typeof documentedShape> = {
  shape: documentedShape,
  rejectionReason: rejectAfterTheFirst,
  apply: changesNothing,
  activity: noActivity,
  timeline: notInTimeline,
}
