/** The start of the PM, and jumps of the wall clock. */
import { z } from 'zod'
import type { LiveWorker } from '../../state/state.ts'
import { planLine } from '../activity-lines.ts'
import { always, eventShape, type EventDefinition } from '../define.ts'
import { text } from '../../event-schemas/schemas.ts'
import { formatDuration } from '../../../lib/text/format-time.ts'

/**
 * Wall time minus monotonic time distinguishes clock jumps from elapsed time, as long as the machine did not reboot
 * (`boot`).
 */
const startedShape = eventShape('pm.started', 1, () => ({ boot: text, offsetMs: z.int() }))

/** The version of the first start, after plan.registered and plan.documented. */
const FIRST_START = 3

export const pmStarted: EventDefinition<typeof startedShape> = {
  shape: startedShape,
  rejectionReason: always,
  apply(state, { boot, offsetMs }) {
    state.clock = { boot, offsetMs }
  },
  activity: (_event, version) => [planLine(version <= FIRST_START ? 'pm_started' : 'pm_restarted', {})],
  timeline: () => ({ task: null, text: 'started' }),
}

const jumpedShape = eventShape('clock.jumped', 1, () => ({ byMs: z.int() }))

/** Wall time jumped: every stored moment from which a duration is measured moves along. */
export const clockJumped: EventDefinition<typeof jumpedShape> = {
  shape: jumpedShape,
  rejectionReason: always,
  apply(state, { byMs }) {
    if (state.clock !== null) state.clock = { ...state.clock, offsetMs: state.clock.offsetMs + byMs }
    for (const task of state.tasks.values()) {
      if (task.dispatchedAt !== null && task.step !== 'completed') task.dispatchedAt += byMs
    }
    for (const task of state.active) {
      task.stepSince += byMs
      if (task.live !== null) task.live = movedBy(task.live, byMs)
    }
    for (const [key, trouble] of state.trouble) {
      state.trouble.set(key, { ...trouble, notBefore: trouble.notBefore + byMs })
    }
    for (const [agent, parked] of state.parked) {
      // A reset is in the provider's time, which did not jump.
      const { since, probeAt } = parked
      state.parked.set(agent, { ...parked, since: since + byMs, probeAt: probeAt + byMs })
    }
    if (state.breaker !== null) state.breaker = { ...state.breaker, probeAt: state.breaker.probeAt + byMs }
    state.progress.lastAt += byMs
  },
  activity: ({ byMs }) => [planLine('clock_jumped', { by_ms: byMs })],
  timeline: ({ byMs }) => ({
    task: null,
    text: `the clock jumped ${byMs < 0 ? 'back' : 'forward'} by ${formatDuration(Math.abs(byMs))}`,
  }),
}

function movedBy(live: LiveWorker, byMs: number): LiveWorker {
  const { escalatedAt, armedAt, sentAt, requests, pause } = live.watch
  return {
    ...live,
    since: live.since + byMs,
    watch: {
      ...live.watch,
      escalatedAt: escalatedAt === null ? null : escalatedAt + byMs,
      armedAt: armedAt === null ? null : armedAt + byMs,
      pause: pause === null ? null : { ...pause, since: pause.since + byMs },
      sentAt: Object.fromEntries(Object.entries(sentAt).map(([about, at]) => [about, at + byMs])),
      requests: requests.map((request) => ({ ...request, at: request.at + byMs })),
    },
  }
}
