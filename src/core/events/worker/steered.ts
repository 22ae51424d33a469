/** What people do to a running worker: pause it, give it time, change its contract, stop it; rules stop workers too. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { change, withMessage, condemn } from '../../fold/watch.ts'
import { pausedWatch, resumedWatch } from '../../watch/pausing.ts'
import { eventShape, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text, by } from '../../event-schemas/schemas.ts'
import { STOP_CAUSES, type StopCause } from '../../event-schemas/stop-causes.ts'
import { rejectStopping, rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'
import { cut, fact, notShown, aboutWorker } from '../rendering.ts'
import { isExtension, MOST_EXTENSION_MINUTES } from '../../watch/requests/extension.ts'
import { extensionMessage } from '../../watch/requests/written-messages.ts'
import { changedContract } from '../../planning/compare-plans.ts'

/** A worker waits because a person paused it, and goes on. */
const pausedShape = eventShape('worker.paused', 1, () => ({ ...ofWorker, by: text, why: text }))
type Paused = EventIn<typeof pausedShape>

/** From here neither its silence nor its time counts, until it is resumed. */
export const workerPaused: EventDefinition<typeof pausedShape> = {
  shape: pausedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) => {
      if (live.step === 'launching') return `${live.worker} has not started yet`
      return live.watch.pause === null ? rejectStopping(live) : `${live.worker} is already paused`
    }),
  apply(state, event, at) {
    const { by, why } = event
    change(state, event, () => pausedWatch({ since: at, by, why }))
    decided(taskIn(state, event.task), at, pausedText(event))
  },
  render: (event) =>
    aboutWorker(event, pausedText(event), fact('worker_paused', { by: event.by, why: cut(event.why) })),
}

const pausedText = ({ worker, by, why }: Paused): string => `${worker} paused by ${by}: ${why}`

const resumedShape = eventShape('worker.resumed', 1, () => ({ ...ofWorker, by: text }))
type Resumed = EventIn<typeof resumedShape>

export const workerResumed: EventDefinition<typeof resumedShape> = {
  shape: resumedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) =>
      live.watch.pause === null ? `${live.worker} is not paused` : rejectStopping(live),
    ),
  apply(state, event, at) {
    change(state, event, (watch) => resumedWatch(watch, at))
    decided(taskIn(state, event.task), at, resumedText(event))
  },
  render: (event) => aboutWorker(event, resumedText(event), fact('worker_resumed', { by: event.by })),
}

const resumedText = ({ worker, by }: Resumed): string => `${worker} resumed by ${by}`

const clockShape = eventShape('worker.clock_set', 1, () => ({ ...ofWorker, isHeld: z.boolean() }))

/** Its supervisor holds the clock of its time limit, or lets it run again. */
export const workerClockSet: EventDefinition<typeof clockShape> = {
  shape: clockShape,
  rejectionReason: rejectUnlessRunning,
  apply: (state, event) => change(state, event, () => ({ isClockHeld: event.isHeld })),
  render: notShown,
}

/** A person gives a worker more time without being asked. */
const grantedShape = eventShape('time.granted', 1, () => ({ ...ofWorker, minutes: z.int().min(1), by }))
type Granted = EventIn<typeof grantedShape>

/** `worker.extended` follows when its supervisor has applied it. */
export const timeGranted: EventDefinition<typeof grantedShape> = {
  shape: grantedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) =>
      isExtension(event.minutes)
        ? rejectStopping(live)
        : `${event.minutes} min is not between 1 and ${MOST_EXTENSION_MINUTES}`,
    ),
  apply(state, event, at) {
    change(state, event, (watch) => ({
      ...withMessage(watch, extensionMessage(event), at),
      extraMs: watch.extraMs + event.minutes * 60_000,
      // As with an extension that answers an alert.
      armedAt: at,
    }))
    decided(taskIn(state, event.task), at, grantedText(event))
  },
  render: (event) =>
    aboutWorker(event, grantedText(event), fact('time_granted', { minutes: event.minutes, by: event.by })),
}

const grantedText = ({ worker, minutes, by }: Granted): string => `${by} gave ${worker} ${minutes} min more`

/** A person changed the contract that a running worker has to keep. */
const changedShape = eventShape('contract.changed', 1, () => ({
  ...ofWorker,
  way: z.enum(['expand', 'reduce']),
  files: z.array(z.string().min(1)),
  criteria: z.array(z.string().min(1)),
  by,
}))
type Changed = EventIn<typeof changedShape>

/** The gates read the contract as it is from here on; `worker.told` follows. */
export const contractChanged: EventDefinition<typeof changedShape> = {
  shape: changedShape,
  rejectionReason: (state, event) =>
    rejectUnlessLive(state, event, (live) => {
      if (live.role === 'reviewer') return `${live.worker} reviews, and has no contract to change`
      const changed = changedContract(taskIn(state, event.task).spec, event)
      return changed.ok ? rejectStopping(live) : changed.why
    }),
  apply(state, event, at) {
    const task = taskIn(state, event.task)
    const changed = changedContract(task.spec, event)
    if (changed.ok) task.spec = changed.spec
    decided(task, at, changeText(event))
  },
  render: (event) => {
    const { way, files, criteria, by } = event
    return aboutWorker(event, changeText(event), fact('contract_changed', { way, files, criteria, by }))
  },
}

function changeText({ way, files, criteria, by: who }: Changed): string {
  const parts = [
    ...(files.length === 0 ? [] : [`files ${files.join(', ')}`]),
    ...(criteria.length === 0 ? [] : [`criteria ${criteria.map((text) => `"${text}"`).join(', ')}`]),
  ]
  return `${who} ${way === 'expand' ? 'expanded the contract by' : 'took out of the contract'} ${parts.join(' and ')}`
}

/** A worker is about to be stopped. */
const condemnedShape = eventShape('worker.condemned', 1, () => ({
  ...ofWorker,
  cause: z.enum(STOP_CAUSES),
  why: text,
  /** Its last reported progress, for the worker that continues. */
  checkpoint: text.optional(),
  /** The person who kills it or takes it over; absent in older logs of kills. */
  by: by.optional(),
}))

export const workerCondemned: EventDefinition<typeof condemnedShape> = {
  shape: condemnedShape,
  rejectionReason: rejectUnlessRunning,
  apply: (state, event, at) => condemn(state, taskIn(state, event.task), { ...event, at }),
  render: (event) => {
    const { worker, cause, why } = event
    return aboutWorker(event, `stopping ${worker}: ${why}`, fact(CONDEMNED[cause], { cause, why: cut(why) }))
  },
}

const CONDEMNED = {
  stalled: 'restart_decided',
  zombie: 'kill_decided',
  finished: 'worker_finished',
  gave_up: 'worker_gave_up',
  cannot_go_on: 'worker_gave_up',
  restarted: 'restart_decided',
  time_limit: 'timeout_exceeded',
  disk_limit: 'worker_condemned',
  budget: 'budget_exceeded',
  looping: 'worker_looping',
  plan_edited: 'worker_condemned',
  killed: 'worker_condemned',
  taken_over: 'worker_taken_over',
  paused: 'worker_condemned',
  cancelled: 'worker_condemned',
} as const satisfies Record<StopCause, string>
