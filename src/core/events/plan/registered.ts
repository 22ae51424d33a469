/** A plan is registered with its text, edited, extended, paused, resumed and cancelled. */
import { z } from 'zod'
import { addTasks } from '../../state/add-tasks.ts'
import { emptyState } from '../../state/empty-state.ts'
import { newLayer } from '../../state/empty-state.ts'
import { integrationTestSchema, planHeaderSchema, taskSpecSchema } from '../../planning/task-schema.ts'
import { layersOf } from '../../scheduling/ranks.ts'
import type { Instant, PlanState } from '../../state/state.ts'
import { changesNothing, eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { sha256, text, by, taskId } from '../../event-schemas/schemas.ts'
import { planSettingsSchema } from '../../event-schemas/plan-settings.ts'
import { counted } from '../../../lib/text/counted.ts'
import { fact, notShown, aboutPlan, cut } from '../rendering.ts'
import { foldEdited } from '../../fold/edit.ts'
import { probeNow } from '../../fold/providers.ts'
import { layerIn } from '../../fold/moves.ts'

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
  render: ({ plan: { title, source }, tasks: { length: tasks } }) =>
    aboutPlan(
      null,
      fact(
        'plan_registered',
        { title, source, tasks },
        `registered with ${counted(tasks, 'task')}: ${title}`,
      ),
    ),
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
  render: notShown,
}

/** A person edited the plan's text while it runs. Invalidated tasks are re-run; the rest stays as it was. */
const editedShape = eventShape('plan.edited', 1, () => ({
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
  /** What a plan takes now that waits to be started; absent for others. */
  estimate: text.optional(),
}))

export const planEdited: EventDefinition<typeof editedShape> = {
  shape: editedShape,
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
  render({ by, specs, removed, affected }) {
    const data = { by, said_anew: specs.map(({ id }) => id), removed, done_again: affected }
    return aboutPlan(
      `${by} edited the plan: ${counted(affected.length, 'task')} re-run`,
      fact('plan_edited', data),
    )
  },
}

/** A person or a rule pauses, resumes or cancels the plan. */
const pausedShape = eventShape('plan.paused', 1, () => ({ by, reason: text, stopWorkers: z.boolean() }))

export const planPaused: EventDefinition<typeof pausedShape> = {
  shape: pausedShape,
  rejectionReason: ({ paused }) => (paused === null ? null : 'the plan is already paused'),
  apply(state, { by, reason, stopWorkers }) {
    state.paused = { by, reason, stopWorkers }
    state.pauseDue = null
  },
  render: ({ by, reason, stopWorkers }) =>
    aboutPlan(
      `paused by ${by}: ${reason}`,
      fact('plan_paused', { by, reason: cut(reason), stop_workers: stopWorkers }),
    ),
}

const resumedShape = eventShape('plan.resumed', 1, () => ({ by }))

export const planResumed: EventDefinition<typeof resumedShape> = {
  shape: resumedShape,
  rejectionReason: ({ paused }) => (paused === null ? 'the plan is not paused' : null),
  apply(state, _event, at) {
    state.paused = null
    for (const layer of state.layers.values()) if (layer.status === 'failed') layer.status = 'due'
    // Resuming retries everything at once: the person has fixed the cause.
    for (const [key, trouble] of state.trouble) state.trouble.set(key, { ...trouble, notBefore: at })
    for (const agent of state.parked.keys()) probeNow(state, agent, at)
    if (state.breaker !== null) state.breaker = { ...state.breaker, probeAt: at }
  },
  render: ({ by }) => aboutPlan(`resumed by ${by}`, fact('plan_resumed', { by })),
}

const cancelledShape = eventShape('plan.cancelled', 1, () => ({ by, reason: text }))

export const planCancelled: EventDefinition<typeof cancelledShape> = {
  shape: cancelledShape,
  rejectionReason: ({ cancelled }) => (cancelled === null ? null : 'the plan is already cancelled'),
  apply(state, { by, reason }) {
    state.cancelled = { by, reason }
  },
  render: ({ by, reason }) =>
    aboutPlan(`cancelled by ${by}: ${reason}`, fact('plan_cancelled', { by, reason: cut(reason) })),
}

/** Tasks that are not in the plan's text: diagnosis and remediation. */
const extendedShape = eventShape('plan.extended', 1, () => ({
  because: z.enum(['integration', 'release']),
  about: text,
  tasks: z.array(taskSpecSchema).min(1),
}))

export const planExtended: EventDefinition<typeof extendedShape> = {
  shape: extendedShape,
  rejectionReason(state, { because, about, tasks }) {
    const ids = new Set(tasks.map((task) => task.id))
    if (ids.size < tasks.length) return 'a task is added twice'
    if (tasks.some((task) => state.tasks.has(task.id))) return 'a task to add already exists'
    const needs = tasks.flatMap((task) => task.dependsOn)
    const unknown = needs.find((id) => !ids.has(id) && !state.tasks.has(id))
    if (unknown !== undefined) return `it depends on ${unknown}, which does not exist`
    const isForLayer = because !== 'integration' || state.layers.has(about)
    return isForLayer ? null : `no layer ${about} with integration tests`
  },
  apply(state, { because, about, tasks }, at) {
    addTasks(state, tasks, at)
    switch (because) {
      case 'integration': {
        const layer = layerIn(state, about)
        layer.status = 'open'
        layer.diagnoses++
        return
      }
      case 'release': {
        const { remediations, remediationTasks } = state.release
        state.release = {
          ...state.release,
          step: 'open',
          remediations: remediations + 1,
          remediationTasks: remediationTasks + tasks.length,
        }
      }
    }
  },
  render({ because, tasks }) {
    const ids = tasks.map(({ id }) => id)
    return aboutPlan(
      `added ${ids.join(', ')} because of ${because}`,
      fact('plan_extended', { because, tasks: ids }),
    )
  },
}
