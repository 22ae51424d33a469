/** What can go wrong in a simulation, by name. */
import type { Random } from './random.ts'

export const FAULTS = {
  slow: 'workers that take almost all of their time',
  crashing: 'workers that die',
  stalling: 'workers that stop giving signs of life, midway; some go on when they are spoken to',
  zombie: 'workers that run and never give a sign of life',
  halting: 'workers that a signal stops, for a while or for good',
  stuck: 'workers that check in and get no further',
  lingering: 'workers that say how they ended, and hang',
  silent: 'healthy workers of which nothing is seen for up to 25 minutes at a time',
  building: 'healthy workers with tool calls of up to two hours',
  unseen: 'healthy workers of which nothing is seen, only their check-ins are heard',
  endless: 'workers that never finish',
  lying: 'workers that say they are done and are not',
  idle: 'workers that end and change nothing',
  blocked: 'workers that cannot go on without an answer',
  limited: "times in which a provider's limit stops everybody, and says until when",
  uncertain: 'workers that are not sure',
  risky: 'workers that report risks',
  sensitive: 'workers that touch files nobody planned for, like migrations',
  unavailable: 'agents that cannot be started',
  gate_once: 'tasks whose gates fail the first time',
  gate_forever: 'tasks whose gates never pass',
  flaky_gates: 'gates that cannot decide',
  repeating: 'workers that are heard twice',
  late: 'workers that are heard again long after their attempt is over',
  interrupted: 'workers whose supervisor dies',
  reviews: 'reviewers that want changes, or get lost',
  conflicts: 'commits that do not go on top of what landed meanwhile',
  integration: 'integration tests that fail',
  release: 'release gates that fail',
  people: 'people who revise, reject, pause, answer twice, or never answer',
  existing: 'tasks whose work is there already',
  pm_pause: 'the PM is frozen for a minute or more, while the world goes on',
  pm_crash: 'the PM dies, at any write',
  log_error: 'the log cannot be written, or cannot say whether it was',
  port_error: 'commits, collections and gates that throw',
  clock_jump: 'wall time jumps',
  overtaken: 'commits before which something else lands',
  asking: 'workers that ask for time, tokens, help or an answer, also too often',
  outage: 'times in which a provider does not work, and nobody says for how long',
  common_failure: 'times in which all workers die of the same',
  slow_gates: 'gates that take hours, so that finished work queues up',
} as const

export type Fault = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[]

/** How likely each enabled fault is where it could happen. */
export type FaultRates = ReadonlyMap<Fault, number>

export const NO_FAULTS: FaultRates = new Map()

/** Every seed has some of the faults, each at a rate of its own: rare mixtures get their turn too. */
export function drawFaults(random: Random): FaultRates {
  const rates = new Map<Fault, number>()
  const density = random.pick([0.15, 0.4, 0.7])
  for (const fault of FAULT_NAMES) {
    if (random.chance(density)) rates.set(fault, random.pick([0.05, 0.15, 0.35]))
  }
  return rates
}

/** The faults a user asked for, each at the same middling rate. */
export const faultRates = (faults: readonly Fault[], rate = 0.2): FaultRates =>
  new Map(faults.map((fault) => [fault, rate]))

export type ParsedFaults =
  | { readonly ok: true; readonly faults: readonly Fault[] }
  | { readonly ok: false; readonly unknown: readonly string[] }

/** `none`, `all`, or names separated by commas. */
export function parseFaults(text: string): ParsedFaults {
  if (text === 'none' || text === '') return { ok: true, faults: [] }
  if (text === 'all') return { ok: true, faults: FAULT_NAMES }
  const names = text.split(',').map((name) => name.trim().replaceAll('-', '_'))
  const unknown = names.filter((name) => !Object.hasOwn(FAULTS, name))
  return unknown.length > 0
    ? { ok: false, unknown }
    : { ok: true, faults: [...new Set(names)].map((name) => name as Fault) }
}
