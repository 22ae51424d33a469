/** Healthy workers that are hard to tell from stalled ones, and real stalls, crashes and overruns. */
import { healthyDoings } from '../../src/simulation/healthy-doings.ts'
import { Random } from '../../src/simulation/random.ts'
import type { WorkerScript } from '../../src/simulation/scripted-agent.ts'
import type { Doing } from '../../src/simulation/worker-life.ts'
import { eventsOf, runFleet, type FleetEnd } from './fleet.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const FLEET = 40
const LIMIT_MS = 12 * HOUR
const PAUSE_EVERY_MS = 17 * MINUTE
const PAUSE_MS = MINUTE

export interface Worked {
  readonly workMs: number
  readonly doings: readonly Doing[]
}

/** Of every stretch of its work 1 in 10 is a silence of 5 to 25 min, 1 in 25 a tool call of 10 to 118 min. */
export function healthyWork(seed: number, task: number): Worked {
  const random = new Random(seed, `healthy ${task}`)
  const workMs = random.between(6 * HOUR, 10 * HOUR)
  const habits = { silent: 0.1, building: 0.04, isUnseen: random.chance(0.25) }
  return { workMs, doings: healthyDoings(random, workMs, habits) }
}

export interface HealthyEnd {
  readonly workerHours: number
  readonly condemned: number
  readonly ended: number
  /** Alerts about workers that were at work, each taken back when they showed life. */
  readonly alerts: number
  readonly nudges: number
}

/** Healthy workers only, and a PM that is frozen for a minute every 17 minutes. */
export async function runHealthy(seed: number): Promise<HealthyEnd> {
  const pauses = Array.from({ length: 60 }, (_, at) => ({ atMs: (at + 1) * PAUSE_EVERY_MS, forMs: PAUSE_MS }))
  const end = await runFleet({
    seed,
    workers: FLEET,
    limitMs: LIMIT_MS,
    pauses,
    fate: ({ task }) => ({ ...healthyWork(seed, task), signEveryMs: null, listens: task % 2 === 0 }),
  })
  const workerMs = Array.from({ length: FLEET }, (_, at) => healthyWork(seed, at + 1).workMs)
  const messages = eventsOf(end.entries, 'worker.told')
  return {
    workerHours: workerMs.reduce((sum, ms) => sum + ms, 0) / HOUR,
    condemned: eventsOf(end.entries, 'worker.condemned').length,
    ended: eventsOf(end.entries, 'worker.ended').filter(({ event }) => event.end.kind === 'done').length,
    alerts: alertsOf(end).length,
    nudges: messages.filter(({ event }) => event.message.kind === 'nudge').length,
  }
}

const alertsOf = ({ entries }: FleetEnd) =>
  eventsOf(entries, 'inbox.opened').filter(({ event }) => event.item.subject === 'worker')

/** The times at which a detector without leases sees such a worker: every sign and check-in counts. */
export const beatsOf = ({ doings }: Worked): readonly number[] => [0, ...doings.map(({ afterMs }) => afterMs)]

export const SICK = ['stall', 'zombie', 'crash', 'overrun'] as const
type Sick = (typeof SICK)[number]

/** A worker that works as healthy ones do until something happens to it, in the middle of plain talk. */
export function sickWork(
  seed: number,
  task: number,
): Worked & { readonly sick: Sick; readonly atMs: number } {
  const random = new Random(seed, `sick ${task}`)
  const sick = SICK[task % SICK.length] ?? 'stall'
  const workMs = 2 * HOUR
  const doings = healthyDoings(random, workMs, { silent: 0, building: 0, isUnseen: false })
  // Early enough that its time limit has no part in it.
  const last = doings[random.between(1, Math.floor(doings.length * 0.6))]
  return { sick, workMs, doings, atMs: sick === 'zombie' ? 0 : (last?.afterMs ?? 0) + 1 }
}

const SICK_LIMIT_MS = 2 * HOUR

/** How long after the truth the watch knew it. */
export interface Noticed {
  readonly sick: Sick
  /** Until a person was alerted to a worker that does not answer, or until its end was recorded. */
  readonly knownMs: number
  /** Until it was condemned; null where there was nothing left to condemn. */
  readonly condemnedMs: number | null
}

export async function runSick(seed: number): Promise<readonly Noticed[]> {
  const { entries } = await runFleet({
    seed,
    workers: FLEET,
    limitMs: SICK_LIMIT_MS,
    fate: ({ task, attempt }) => (attempt === 1 ? sickScript(seed, task) : {}),
  })
  const isFirst = ({ event }: { readonly event: { readonly attempt: number } }): boolean =>
    event.attempt === 1
  const atOf = (found: readonly { readonly at: number; readonly event: { readonly worker: string } }[]) =>
    new Map(found.toReversed().map(({ at, event }) => [event.worker, at]))
  const begun = eventsOf(entries, 'worker.started').filter(isFirst)
  const ended = atOf(eventsOf(entries, 'worker.ended').filter(isFirst))
  const condemned = atOf(eventsOf(entries, 'worker.condemned').filter(isFirst))
  const alerts = eventsOf(entries, 'inbox.opened').filter(({ event }) =>
    event.item.problem.includes('had no effect'),
  )
  const alerted = new Map(alerts.toReversed().map(({ at, event }) => [event.item.about ?? '', at]))
  return begun.map(({ at: begunAt, event: { worker, task } }): Noticed => {
    const { sick, atMs, doings } = sickWork(seed, Number(task))
    // A stall is silent since the last that was seen of it.
    const lastMs = sick === 'stall' ? (doings.findLast(({ afterMs }) => afterMs < atMs)?.afterMs ?? 0) : atMs
    const since = begunAt + (sick === 'overrun' ? SICK_LIMIT_MS * 1.1 : lastMs)
    const condemnedAt = condemned.get(worker) ?? null
    const condemnedMs = condemnedAt === null ? null : condemnedAt - since
    const known = { stall: alerted, zombie: alerted, crash: ended, overrun: condemned }[sick].get(worker)
    return { sick, knownMs: (known ?? Infinity) - since, condemnedMs }
  })
}

function sickScript(seed: number, task: number): Partial<WorkerScript> {
  const { sick, doings, atMs, workMs } = sickWork(seed, task)
  const script: Partial<WorkerScript> = { doings, signEveryMs: null, workMs, listens: true }
  const deaf = { how: 'silent', afterMs: atMs, forMs: null, wakes: () => false } as const
  switch (sick) {
    case 'stall':
    case 'zombie':
      return { ...script, halts: [deaf] }
    case 'crash':
      return { ...script, workMs: atMs, end: { kind: 'failed', reason: 'exit code 1' }, report: null }
    case 'overrun':
      return { ...script, workMs: null, signEveryMs: 2 * MINUTE }
  }
}
