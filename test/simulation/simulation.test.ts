import { describe, expect, test } from 'vitest'
import { eventCodec } from '../../src/core/events/codec.ts'
import type { PlanState } from '../../src/core/state/state.ts'
import { MemoryEventLog } from '../../src/store/memory-event-log.ts'
import { drawFaults, faultRates, NO_FAULTS, type FaultRates } from '../../src/simulation/faults.ts'
import { Random } from '../../src/simulation/random.ts'
import { samplePlan } from '../../src/simulation/sample-plans.ts'
import { simulate, type SimulationOptions, type SimulationResult } from '../../src/simulation/simulation.ts'

function run(seed: number, options: Partial<SimulationOptions> = {}): Promise<SimulationResult> {
  const registered = samplePlan(new Random(seed, 'plan'), 10)
  return simulate({ registered, seed, rates: NO_FAULTS, log: new MemoryEventLog(eventCodec), ...options })
}

/** What a plan came to, without when. */
const endOf = (state: PlanState): unknown =>
  [...state.tasks.values()].map(({ spec, step, attempt, counters, tier, commit, verdicts, overrides }) => ({
    id: spec.id,
    step,
    attempt,
    counters,
    tier,
    tree: commit?.tree,
    verdicts,
    overrides,
  }))

describe('a simulation', () => {
  test('is the same, to the last event, for the same seed', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const rates = drawFaults(new Random(seed, 'faults'))
      const [first, second] = [await run(seed, { rates }), await run(seed, { rates })]
      expect(second.hash, `seed ${seed}`).toBe(first.hash)
    }
  })

  test('is another one for another seed', async () => {
    expect((await run(2)).hash).not.toBe((await run(1)).hash)
  })

  test('of a calm world completes every task with one worker each, unless a person has to approve', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { outcome, state, violation } = await run(seed)
      expect(violation, `seed ${seed}`).toBeNull()
      if (state.settings.approval !== 'release' && outcome.state === 'waiting') continue
      expect(outcome.state, `seed ${seed}`).toBe('done')
      for (const task of state.tasks.values()) expect([task.step, task.attempt]).toEqual(['completed', 1])
    }
  })

  // That faults break no rule is shown on more seeds where the bugs are planted.
  test('with any mixture of faults breaks no rule and ends in done, waiting, deadlocked or paused', async () => {
    const ends = new Set<string>()
    for (let seed = 1; seed <= 50; seed++) {
      const { outcome, violation } = await run(seed, { rates: drawFaults(new Random(seed, 'faults')) })
      expect(violation, `seed ${seed}`).toBeNull()
      expect(outcome.why, `seed ${seed} says why`).not.toBe('')
      ends.add(outcome.state)
    }
    expect([...ends].toSorted()).toEqual(['deadlocked', 'done', 'paused', 'waiting'])
  })

  test('of a plan with open points works on none before a person has decided them', async () => {
    const ends = new Set<string>()
    let answered = 0
    for (let seed = 1; seed <= 80; seed++) {
      const registered = samplePlan(new Random(seed, 'plan'), 10, { hasOpenPoints: true })
      const rates = faultRates(['people', 'crashing', 'pm_crash', 'existing', 'gate_once'])
      const { outcome, violation, state } = await run(seed, { registered, rates })
      expect(violation, `seed ${seed}`).toBeNull()
      ends.add(outcome.state)
      answered += [...state.tasks.values()].filter(({ planAnswers }) => planAnswers.length > 0).length
    }
    expect(ends).toContain('done')
    expect(answered).toBeGreaterThan(50)
  })
})

/** Faults that depend on nothing but the seed and the worker, so that a crash changes none of them; and how many tasks. */
const CRASH_RATES: readonly (readonly [string, number, FaultRates])[] = [
  ['a calm run', 10, NO_FAULTS],
  [
    'a run in which workers crash, stall, lie and gates and reviews fail',
    5,
    faultRates(['crashing', 'stalling', 'lying', 'gate_once', 'reviews', 'conflicts', 'repeating', 'late']),
  ],
]

describe.each(CRASH_RATES)('%s, killed at every single write,', (_, tasks, rates) => {
  const registered = samplePlan(new Random(5, 'plan'), tasks)

  test.each([
    ['before', 'odd', 1],
    ['before', 'even', 2],
    ['after', 'odd', 1],
    ['after', 'even', 2],
  ] as const)(
    'comes to the same end when killed %s it is durable, at writes with an %s number',
    async (when, _number, first) => {
      const calm = await run(5, { registered, rates })
      expect(calm.violation).toBeNull()
      const writes = calm.entries.length
      for (let append = first; append <= writes; append += 2) {
        const killed = await run(5, { registered, rates, crashAt: { append, when } })
        expect(killed.violation, `killed ${when} write ${append}`).toBeNull()
        expect(endOf(killed.state), `killed ${when} write ${append}`).toEqual(endOf(calm.state))
        expect(killed.outcome.state, `killed ${when} write ${append}`).toBe(calm.outcome.state)
      }
    },
  )
})
