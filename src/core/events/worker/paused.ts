/** A worker waits because a person paused it, and goes on. */
import { z } from 'zod'
import { decided, taskIn } from '../../fold/moves.ts'
import { change } from '../../fold/watch.ts'
import { pausedWatch, resumedWatch } from '../../watch/pausing.ts'
import { cut, workerLine } from '../activity-lines.ts'
import { eventShape, noActivity, notInTimeline, type EventDefinition, type EventIn } from '../define.ts'
import { ofWorker, text } from '../../event-schemas/schemas.ts'
import { rejectStopping, rejectUnlessLive, rejectUnlessRunning } from '../rejections.ts'

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
  activity: (event) => [workerLine(event, 'worker_paused', { by: event.by, why: cut(event.why) })],
  timeline: (event) => ({ task: event.task, text: pausedText(event) }),
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
  activity: (event) => [workerLine(event, 'worker_resumed', { by: event.by })],
  timeline: (event) => ({ task: event.task, text: resumedText(event) }),
}

const resumedText = ({ worker, by }: Resumed): string => `${worker} resumed by ${by}`

const clockShape = eventShape('worker.clock_set', 1, () => ({ ...ofWorker, isHeld: z.boolean() }))

/** Its supervisor holds the clock of its time limit, or lets it run again. */
export const workerClockSet: EventDefinition<typeof clockShape> = {
  shape: clockShape,
  rejectionReason: rejectUnlessRunning,
  apply: (state, event) => change(state, event, () => ({ isClockHeld: event.isHeld })),
  activity: noActivity,
  timeline: notInTimeline,
}
