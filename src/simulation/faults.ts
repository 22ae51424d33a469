/** The faults of a simulation, by name. */
import type { Random } from './random.ts'

export const FAULTS = {
  slow: 'workers that use almost all of their time limit',
  crashing: 'workers that crash',
  stalling: 'workers that stall midway; some continue after a message',
  zombie: 'workers that run without ever giving a sign of life',
  halting: 'workers that are stopped by a signal, for a while or for good',
  stuck: 'workers that check in without making progress',
  lingering: 'workers that report their end and then hang',
  silent: 'healthy workers that are silent for up to 25 minutes at a time',
  building: 'healthy workers with tool calls of up to two hours',
  unseen: 'healthy workers that show no activity except check-ins',
  endless: 'workers that never finish',
  lying: 'workers that report done and are not',
  idle: 'workers that end without changing anything',
  blocked: 'workers that are blocked until they get an answer',
  limited: "periods in which a provider's limit stops all workers, with a known reset",
  uncertain: 'workers that report to be uncertain',
  risky: 'workers that report risks',
  sensitive: 'workers that touch unplanned files such as migrations',
  unavailable: 'agents that cannot be started',
  gate_once: 'tasks whose gates fail the first time',
  gate_forever: 'tasks whose gates never pass',
  flaky_gates: 'gates that are inconclusive',
  repeating: 'workers whose end is reported twice',
  late: 'workers that report again long after their attempt has ended',
  interrupted: 'workers whose supervisor dies',
  reviews: 'reviewers that request changes, or get lost',
  conflicts: 'commits that conflict with newly landed work',
  integration: 'integration tests that fail',
  release: 'release gates that fail',
  people: 'people who revise, reject, pause, answer twice, or never answer',
  existing: 'tasks whose work already exists',
  pm_pause: 'the PM is frozen for a minute or more, while workers continue',
  pm_crash: 'the PM crashes at any write',
  log_error: 'writes to the log that fail, or whose outcome is unknown',
  port_error: 'commits, collections and gates that throw errors',
  clock_jump: 'wall time jumps',
  overtaken: 'commits that other work overtakes',
  asking: 'workers that request time, tokens, help or an answer, sometimes too often',
  outage: 'periods in which a provider fails, without a known end',
  common_failure: 'periods in which all workers crash with the same error',
  slow_gates: 'gates that take hours, so that finished work queues up',
} as const

export type Fault = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as Fault[]

/** The probability of each enabled fault. */
export type FaultRates = ReadonlyMap<Fault, number>

export const NO_FAULTS: FaultRates = new Map()

/** Every seed has some of the faults, each at its own rate, so that rare mixtures occur too. */
export function drawFaults(random: Random): FaultRates {
  const rates = new Map<Fault, number>()
  const density = random.pick([0.15, 0.4, 0.7])
  for (const fault of FAULT_NAMES) {
    if (random.chance(density)) rates.set(fault, random.pick([0.05, 0.15, 0.35]))
  }
  return rates
}

/** The faults that a user selected, all at the same rate. */
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
