/** Draws the activity of a healthy worker: output, silence, tool calls and check-ins. */
import type { Random } from './random.ts'
import type { Doing } from './worker-life.ts'

const MINUTE = 60_000
/** The longest silence of a healthy worker outside a tool call. */
export const LONGEST_SILENCE_MS = 25 * MINUTE
/** The longest tool call of a healthy worker. */
export const LONGEST_BUILD_MS = 118 * MINUTE

export interface Habits {
  /** The probabilities of silence and of a long tool call; the rest is output. */
  readonly silent: number
  readonly building: number
  /** It shows no activity except check-ins. */
  readonly isUnseen: boolean
}

const CHECKIN_EVERY_MS = 4 * MINUTE

export function healthyDoings(random: Random, workMs: number, habits: Habits): readonly Doing[] {
  const doings: Doing[] = []
  const percentAt = (ms: number): number => Math.min(99, Math.floor((ms * 100) / workMs))
  const checkin = (afterMs: number): Doing => ({
    kind: 'checkin',
    status: 'in_progress',
    afterMs,
    percent: percentAt(afterMs),
  })
  let ms = random.between(1, MINUTE)
  doings.push(habits.isUnseen ? checkin(ms) : { kind: 'sign', of: ['output'], afterMs: ms })
  for (let stretch = 1; ms < workMs; stretch++) {
    const luck = random.next()
    if (luck < habits.silent) {
      ms += random.between(5 * MINUTE, LONGEST_SILENCE_MS)
    } else if (luck < habits.silent + habits.building) {
      const id = `b${stretch}`
      doings.push({ kind: 'tool_started', id, afterMs: ms })
      ms = Math.min(workMs - 1, ms + random.between(10 * MINUTE, LONGEST_BUILD_MS))
      doings.push({ kind: 'tool_ended', id, afterMs: ms })
      ms += 1000
    } else {
      ms += random.between(10_000, CHECKIN_EVERY_MS)
    }
    if (ms >= workMs) break
    doings.push(habits.isUnseen ? checkin(ms) : shown(random, ms, checkin))
  }
  return doings
}

function shown(random: Random, afterMs: number, checkin: (afterMs: number) => Doing): Doing {
  switch (random.between(0, 4)) {
    case 0:
      return { kind: 'sign', of: ['cpu'], afterMs }
    case 1:
      return { kind: 'sign', of: ['files'], afterMs }
    case 2:
      return { kind: 'speaks', afterMs }
    case 3:
      return checkin(afterMs)
    default:
      return { kind: 'sign', of: ['output', 'cpu'], afterMs }
  }
}
