/**
 * 41 workers of which 11 would succeed alone, under the real rules on a virtual clock: how many tasks are completed with
 * watch, gates and rework, while no person answers anything. `--seeds N` for fewer than 1,000.
 */
import {
  ALONE,
  alone,
  CRISIS,
  HALVED,
  HARSH,
  HEALTHY,
  runCrisis,
  slowdownMs,
  WORKERS,
  type Mix,
} from './lib/crisis-fleets.ts'
import { mean, percentile } from './lib/fleet.ts'
import { report, round } from './lib/measure.ts'

const given = process.argv.indexOf('--seeds')
const SEEDS = given === -1 ? 1000 : Number(process.argv[given + 1])
const percent = (share: number): number => round(share * 100, 1)

interface Measured {
  readonly mix: string
  /** How many succeed unattended, over all seeds. */
  readonly alone: readonly number[]
  readonly shares: readonly number[]
  readonly attempts: readonly number[]
  readonly slowerMs: number
}

async function measure(mix: Mix): Promise<Measured> {
  const byThemselves = new Set<number>()
  const shares: number[] = []
  const attempts: number[] = []
  let slowerMs = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    byThemselves.add(await alone(seed, mix))
    const end = await runCrisis(seed, mix)
    shares.push(end.completed / WORKERS)
    attempts.push(end.attempts / WORKERS)
    if (mix === HEALTHY) slowerMs = Math.max(slowerMs, slowdownMs(seed, end))
  }
  return { mix: mix.name, alone: [...byThemselves], shares, attempts, slowerMs }
}

const [crisis, halved, harsh, healthy] = [
  await measure(CRISIS),
  await measure(HALVED),
  await measure(HARSH),
  await measure(HEALTHY),
]
const all = [crisis, halved, harsh, healthy]
const isExact = [crisis, halved, harsh].every(({ alone }) => alone.length === 1 && alone[0] === ALONE)
const isHarmless = Math.min(...healthy.shares) === 1 && mean(healthy.attempts) === 1 && healthy.slowerMs <= 0
const isKept =
  isExact &&
  isHarmless &&
  mean(crisis.shares) >= 0.9 &&
  percentile(crisis.shares, 0.05) >= 0.8 &&
  mean(halved.shares) >= 0.75
report(
  'crisis',
  all.map(({ mix, alone, shares, attempts }) => ({
    mix,
    'alone, of 41': alone.join(', '),
    'mean %': percent(mean(shares)),
    'p5 %': percent(percentile(shares, 0.05)),
    'worst %': percent(Math.min(...shares)),
    'attempts a task': round(mean(attempts)),
  })),
  {
    ok: isKept,
    seeds: SEEDS,
    mean: percent(mean(crisis.shares)),
    p5: percent(percentile(crisis.shares, 0.05)),
    half_odds: percent(mean(halved.shares)),
    harsher: percent(mean(harsh.shares)),
    healthy_worst: percent(Math.min(...healthy.shares)),
    healthy_slower_ms: healthy.slowerMs,
  },
)
console.log(
  `seeds 1 to ${SEEDS}, no answers from a person: ${percent(ALONE / WORKERS)} % alone, ${percent(mean(crisis.shares))} % with the watch ` +
    `(mark 90), ${percent(percentile(crisis.shares, 0.05))} % at the 5th percentile (mark 80), ` +
    `${percent(mean(halved.shares))} % with half the odds (mark 75); no rule broken`,
)
if (!isKept) process.exitCode = 1
