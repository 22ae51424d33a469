/** How many seeds a second the simulator runs: ten tasks, faults drawn from the seed, every event checked. */
import { eventCodec } from '../src/core/events/codec.ts'
import { drawFaults } from '../src/simulation/faults.ts'
import { Random } from '../src/simulation/random.ts'
import { samplePlan } from '../src/simulation/sample-plans.ts'
import { simulate } from '../src/simulation/simulation.ts'
import { MemoryEventLog } from '../src/store/memory-event-log.ts'
import { median, report, round, timeMs } from './lib/measure.ts'

const MARK = 50
const ROUNDS = 5
const SEEDS = 100

interface Round {
  readonly ms: number
  readonly events: number
  readonly simulatedHours: number
}

async function run(from: number): Promise<Round> {
  let events = 0
  let simulatedMs = 0
  const ms = await timeMs(async () => {
    for (let seed = from; seed < from + SEEDS; seed++) {
      const registered = samplePlan(new Random(seed, 'plan'), 10)
      const rates = drawFaults(new Random(seed, 'faults'))
      const done = await simulate({ registered, seed, rates, log: new MemoryEventLog(eventCodec) })
      if (done.violation !== null) throw new Error(`seed ${seed}: ${done.violation.what}`)
      events += done.entries.length
      simulatedMs += done.elapsedMs
    }
  })
  return { ms, events, simulatedHours: simulatedMs / 3_600_000 }
}

/** The machine's own floor: as many turns of the event loop as there were events, with nothing in them. */
function floor(turns: number): Promise<number> {
  return timeMs(async () => {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
  })
}

await run(1)
const rounds: Round[] = []
for (let turn = 0; turn < ROUNDS; turn++) rounds.push(await run(1 + turn * SEEDS))
const perSecond = rounds.map((one) => (SEEDS / one.ms) * 1000)
const floorMs = await floor(rounds[0]?.events ?? 0)
report(
  'simulation',
  rounds.map((one, turn) => ({
    seeds: SEEDS,
    'seeds/s': Math.round(perSecond[turn] ?? 0),
    events: one.events,
    'simulated hours': Math.round(one.simulatedHours),
  })),
  {
    mark: MARK,
    ok: median(perSecond) >= MARK,
    seeds_per_second: Math.round(median(perSecond)),
    worst: Math.round(Math.min(...perSecond)),
    empty_turns_ms_per_seed: round(floorMs / SEEDS, 3),
  },
)
console.log(
  `${Math.round(median(perSecond))} seeds a second (mark ${MARK}), every event checked, no rule broken`,
)
if (median(perSecond) < MARK) process.exitCode = 1
