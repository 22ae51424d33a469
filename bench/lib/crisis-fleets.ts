/**
 * The crisis: 41 workers of which 11 would succeed unattended. What the other 30 do, and how often being
 * spoken to helps, are assumptions; all of them are here.
 */
import type { Report } from '../../src/core/event-schemas/schemas.ts'
import { faultRates } from '../../src/simulation/faults.ts'
import { Random } from '../../src/simulation/random.ts'
import { ScriptedAgent, type WorkerScript } from '../../src/simulation/scripted-agent.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import type { Halt } from '../../src/simulation/worker-life.ts'
import { aReport } from '../../test/helpers/plan-builder.ts'
import { aJob } from '../../test/helpers/requests.ts'
import { eventsOf, runFleet, type Fleet, type FleetEnd } from './fleet.ts'

export const WORKERS = 41
export const ALONE = 11
const MINUTE = 60_000
const LIMIT_MS = 60 * MINUTE
/** How long an unattended worker may run. */
const FORGOTTEN_MS = 23 * 60 * MINUTE

export const FATES = {
  clean: 'does what it was asked for and ends',
  zombie: 'runs and never gives a sign of life',
  stall: 'falls silent midway',
  hang: 'hands in its report and does not end',
  crash: 'dies midway',
  nothing: 'ends with exit code 0 and has changed nothing',
  wrong: 'says that it is done; its work does not pass the gates',
  endless: 'works on for ever',
  stuck: 'checks in and gets no further',
  blocked: 'says that it cannot go on without an answer',
} as const
export type FateName = keyof typeof FATES

export interface Mix {
  readonly name: string
  /** How many of the 41 first attempts. A later attempt draws one anew, as likely as here: nothing was learned. */
  readonly first: Readonly<Partial<Record<FateName, number>>>
  /** How likely one message wakes a worker that halted so; each message anew. */
  readonly wakes: Readonly<Record<'zombie' | 'stall' | 'stuck', number>>
  /** How likely a worker has a session that hears words while it is silent; others hear nothing then. */
  readonly listens: number
  /** Tasks that no attempt gets right. */
  readonly hopeless: number
  /** The PM itself crashes and is frozen. */
  readonly isPmMortal: boolean
}

export const CRISIS: Mix = {
  name: 'crisis',
  first: {
    clean: 11,
    zombie: 8,
    stall: 7,
    hang: 4,
    crash: 3,
    nothing: 3,
    wrong: 2,
    endless: 1,
    stuck: 1,
    blocked: 1,
  },
  wakes: { zombie: 0.3, stall: 0.5, stuck: 0.5 },
  listens: 1,
  hopeless: 0,
  isPmMortal: false,
}

export const HALVED: Mix = {
  ...CRISIS,
  name: 'crisis, half the odds',
  wakes: { zombie: 0.15, stall: 0.25, stuck: 0.25 },
}

export const HARSH: Mix = {
  name: 'harsher',
  first: { clean: 11, zombie: 9, stall: 6, crash: 5, nothing: 4, wrong: 3, endless: 1, blocked: 2 },
  wakes: HALVED.wakes,
  listens: 0.5,
  hopeless: 3,
  isPmMortal: true,
}

export const HEALTHY: Mix = { ...CRISIS, name: 'healthy', first: { clean: WORKERS } }

/** What the worker of each task does, by attempt; the first attempts are dealt from a shuffled deck. */
export function fatesOf({ seed, mix }: { readonly seed: number; readonly mix: Mix }): Fleet['fate'] {
  const deck = Object.entries(mix.first).flatMap(([name, times]) =>
    Array.from({ length: times }, () => name as FateName),
  )
  const shuffle = new Random(seed, 'deck')
  const dealt = deck
    .map((name) => ({ name, luck: shuffle.next() }))
    .sort((a, b) => a.luck - b.luck)
    .map(({ name }) => name)
  // Hopeless are tasks whose first attempt failed: what succeeds alone is never one of them.
  const hopeless = new Set(
    dealt.flatMap((name, at) => (name === 'clean' ? [] : [at + 1])).slice(0, mix.hopeless),
  )
  return ({ task, attempt }) => {
    const random = new Random(seed, `task ${task} attempt ${attempt}`)
    const name = attempt === 1 ? (dealt[task - 1] ?? 'clean') : random.pick(deck)
    const script = scriptOf(name, random, mix)
    const isWrong = hopeless.has(task) && script.writes?.isSound === true
    return isWrong ? { ...script, writes: { changed: ['src/a.ts'], isSound: false } } : script
  }
}

function scriptOf(name: FateName, random: Random, { wakes, listens }: Mix): Partial<WorkerScript> {
  const workMs = Math.round(LIMIT_MS * (0.1 + random.next() * 0.5))
  const midway = Math.round(workMs * (0.1 + random.next() * 0.8))
  const luck = random.between(1, 1e9)
  const halts = (how: Halt['how'], afterMs: number, odds: number): Partial<WorkerScript> => ({
    halts: [{ how, afterMs, forMs: null, wakes: (nth) => new Random(luck, `message ${nth}`).chance(odds) }],
  })
  const report: Report = aReport()
  const clean: Partial<WorkerScript> = {
    workMs,
    signEveryMs: 3 * MINUTE,
    end: { kind: 'done' },
    report,
    writes: { changed: ['src/a.ts'], isSound: true },
    listens: random.chance(listens),
  }
  switch (name) {
    case 'clean':
      return clean
    case 'zombie':
      return { ...clean, ...halts('silent', 0, wakes.zombie) }
    case 'stall':
      return { ...clean, ...halts('silent', midway, wakes.stall) }
    case 'stuck':
      return { ...clean, ...halts('stuck', midway, wakes.stuck) }
    case 'hang':
      return { ...clean, lingers: 'reported' }
    case 'crash':
      return { ...clean, workMs: midway, end: { kind: 'failed', reason: 'exit code 1' }, report: null }
    case 'nothing':
      return { ...clean, writes: { changed: [], isSound: false } }
    case 'wrong':
      return { ...clean, writes: { changed: ['src/a.ts'], isSound: false } }
    case 'endless':
      return { ...clean, workMs: null }
    case 'blocked':
      return { ...clean, workMs: midway, end: { kind: 'blocked', reason: 'which schema?' }, report: null }
  }
}

export function runCrisis(seed: number, mix: Mix): Promise<FleetEnd> {
  const rates = faultRates(mix.isPmMortal ? ['pm_crash', 'pm_pause'] : [], 0.05)
  return runFleet({ seed, workers: WORKERS, limitMs: LIMIT_MS, fate: fatesOf({ seed, mix }), rates })
}

/** How much longer the slowest worker took than it would have by itself. */
export function slowdownMs(seed: number, { entries }: FleetEnd): number {
  const fate = fatesOf({ seed, mix: HEALTHY })
  const begun = new Map(eventsOf(entries, 'worker.started').map(({ at, event }) => [event.worker, at]))
  const slower = eventsOf(entries, 'worker.ended').map(({ at, event }) => {
    const { workMs } = fate({ task: Number(event.task), attempt: event.attempt })
    return at - (begun.get(event.worker) ?? 0) - (workMs ?? 0)
  })
  return Math.max(...slower)
}

/** The same first attempts unattended: how many do their work and end, within 23 hours. */
export async function alone(seed: number, mix: Mix): Promise<number> {
  const ties = new Random(seed, 'ties')
  const clock = new VirtualClock(0, () => ties.next())
  const fate = fatesOf({ seed, mix })
  const base = { startMs: 0, workMs: null, signEveryMs: null, review: null, echoes: [] }
  const nothing = { end: { kind: 'done' }, report: null, writes: { changed: [], isSound: false } } as const
  const agent = new ScriptedAgent(clock, ({ worker }) => {
    const task = Number(worker.slice(2))
    return { ...base, ...nothing, ...fate({ task, attempt: 1 }) }
  })
  let done = 0
  agent.listen((event) => {
    if (
      event.kind === 'ended' &&
      event.end.kind === 'done' &&
      agent.writtenBy(event.worker)?.isSound === true
    )
      done++
  })
  for (let task = 1; task <= WORKERS; task++) await agent.start(aJob(`w-${task}`))
  await clock.run(FORGOTTEN_MS, () => false)
  return done
}
