import { describe, expect, test } from 'vitest'
import { aRegistration, HOUR, low, MINUTE } from '../helpers/plan-builder.ts'
import { eventCodec } from '../../src/core/events/codec.ts'
import type { PlanEvent } from '../../src/core/events/plan-events.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { drawFaults, faultRates, NO_FAULTS } from '../../src/simulation/faults.ts'
import { Random } from '../../src/simulation/random.ts'
import { samplePlan } from '../../src/simulation/sample-plans.ts'
import { simulate, type SimulationOptions, type SimulationResult } from '../../src/simulation/simulation.ts'

const START = Date.UTC(2026, 0, 5, 9)
const TWENTY = Array.from({ length: 20 }, (_, place) => low(`${place + 1}`))

function twentyWorkers(spell: NonNullable<SimulationOptions['outages']>[number]): Promise<SimulationResult> {
  const settings = { maxParallelAgents: 20, reviewByRules: true }
  const registered = aRegistration(TWENTY, { settings })
  return simulate({
    registered,
    seed: 1,
    rates: NO_FAULTS,
    log: new MemoryEventLog(eventCodec),
    outages: [spell],
  })
}

/** When workers were sent, in ms since the start. */
function sendings({ entries }: SimulationResult): readonly number[] {
  const isSending = (event: PlanEvent): boolean => event.type === 'task.dispatched'
  return entries.filter(({ event }) => isSending(event)).map(({ at }) => at - START)
}

const counted = ({ state }: SimulationResult): number[] =>
  [...state.tasks.values()].flatMap(({ counters }) => Object.values(counters))

const itemsOf = ({ entries }: SimulationResult, type: PlanEvent['type']): number =>
  entries.filter(({ event }) => event.type === type).length

describe('twenty workers at once', () => {
  test('that meet a limit of five hours use no attempt, and all go on within two minutes of its reset', async () => {
    const done = await twentyWorkers({ kind: 'limited', fromMs: MINUTE, toMs: 5 * HOUR })
    const [during, after] = [1, 0].map((isDuring) =>
      sendings(done).filter((at) => at > MINUTE && Number(at < 5 * HOUR) === isDuring),
    )
    expect([done.violation, done.outcome.state]).toEqual([null, 'done'])
    expect(during).toEqual([])
    expect(after).toHaveLength(20)
    expect(Math.max(...(after ?? []))).toBeLessThanOrEqual(5 * HOUR + 2 * MINUTE)
    expect(Math.max(...counted(done))).toBe(0)
    expect(itemsOf(done, 'inbox.opened')).toBe(1)
  })

  test('that meet an outage of five hours send one in five minutes at most, tell a person once, and all go on', async () => {
    const done = await twentyWorkers({ kind: 'outage', fromMs: MINUTE, toMs: 5 * HOUR })
    const probes = sendings(done).filter((at) => at > MINUTE && at < 5 * HOUR)
    expect([done.violation, done.outcome.state]).toEqual([null, 'done'])
    expect(probes.length).toBeGreaterThan(50)
    for (const [place, at] of probes.entries())
      expect(at - (probes[place - 1] ?? -Infinity)).toBeGreaterThanOrEqual(5 * MINUTE)
    // The next one to find out is sent within five minutes, and has found out after two.
    expect(Math.max(...sendings(done))).toBeLessThanOrEqual(5 * HOUR + 7 * MINUTE + 30_000)
    expect(Math.max(...counted(done))).toBe(0)
    // The alert, and the sign-off at the end.
    expect([itemsOf(done, 'inbox.opened'), itemsOf(done, 'inbox.withdrawn')]).toEqual([2, 1])
  })

  test('that all die of the same are one question, and go on by themselves when that is over', async () => {
    const done = await twentyWorkers({ kind: 'common_failure', fromMs: MINUTE, toMs: 5 * HOUR })
    expect([done.violation, done.outcome.state]).toEqual([null, 'done'])
    const probes = sendings(done).filter((at) => at > MINUTE && at < 5 * HOUR)
    expect(probes.length).toBeLessThanOrEqual(8)
    expect([itemsOf(done, 'inbox.opened'), itemsOf(done, 'inbox.withdrawn')]).toEqual([2, 1])
  })
})

test('an agent that always dies of the same makes five attempts at most before the one question', async () => {
  const settings = { reviewByRules: true }
  const registered = aRegistration(TWENTY, { settings })
  const outages = [{ kind: 'common_failure' as const, fromMs: 0, toMs: 10 * HOUR }]
  const log = new MemoryEventLog<PlanEvent>(eventCodec)
  const done = await simulate({ registered, seed: 1, rates: NO_FAULTS, log, outages })
  const asked = done.entries.findIndex(({ event }) => event.type === 'inbox.opened')
  const before = done.entries.slice(0, asked).filter(({ event }) => event.type === 'task.dispatched')
  expect(before.length).toBeLessThanOrEqual(5)
  const open = done.entries.filter(({ event, at }) => event.type === 'inbox.opened' && at < START + 10 * HOUR)
  expect(open).toHaveLength(1)
})

test('outages, together with any mixture of other faults, break no rule', async () => {
  for (let seed = 1; seed <= 80; seed++) {
    const registered = samplePlan(new Random(seed, 'plan'), 10)
    const outages = faultRates(['limited', 'outage', 'common_failure'], 0.35)
    const rates = new Map([...drawFaults(new Random(seed, 'faults')), ...outages])
    const { violation } = await simulate({ registered, seed, rates, log: new MemoryEventLog(eventCodec) })
    expect(violation, `seed ${seed}`).toBeNull()
  }
})
