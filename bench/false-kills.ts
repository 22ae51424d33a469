/**
 * Healthy workers that are silent for up to 25 min, build for up to two hours, and a PM that is frozen for a minute again
 * and again: how many of them are killed. Beside it real stalls, crashes and overruns: how soon they are known. And what
 * three other detectors make of the same traces. `--seeds N` for fewer than 34.
 */
import { fixedTimer, givesUpAt, phiAccrual } from './lib/detectors.ts'
import { percentile } from './lib/fleet.ts'
import { report, round } from './lib/measure.ts'
import {
  beatsOf,
  healthyWork,
  runHealthy,
  runSick,
  SICK,
  sickWork,
  type Noticed,
} from './lib/watched-fleets.ts'

const given = process.argv.indexOf('--seeds')
const SEEDS = given === -1 ? 34 : Number(process.argv[given + 1])
const WORKERS = 40
const MINUTE = 60_000
const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1)
const tasks = Array.from({ length: WORKERS }, (_, at) => at + 1)
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const minutes = (ms: number): number => round(ms / MINUTE, 1)

const healthy = []
const noticed: Noticed[] = []
for (const seed of seeds) {
  healthy.push(await runHealthy(seed))
  noticed.push(...(await runSick(seed)))
}
const hours = Math.round(sum(healthy.map(({ workerHours }) => workerHours)))
const condemned = sum(healthy.map((one) => one.condemned))
const ended = sum(healthy.map((one) => one.ended))
const alerts = sum(healthy.map((one) => one.alerts))
const knownMs = (sick: (typeof SICK)[number]): number[] =>
  noticed.filter((one) => one.sick === sick).map((one) => one.knownMs)
const stalls = [...knownMs('stall'), ...knownMs('zombie')]
const p99 = {
  stall: percentile(stalls, 0.99),
  crash: percentile(knownMs('crash'), 0.99),
  overrun: percentile(knownMs('overrun'), 0.99),
}

/** What a detector does to the same workers, by the same traces. */
const others = [fixedTimer(5), fixedTimer(15), phiAccrual].map((detector) => {
  const killed = seeds.flatMap((seed) =>
    tasks.filter((task) => {
      const work = healthyWork(seed, task)
      return givesUpAt(detector, beatsOf(work), work.workMs) !== null
    }),
  )
  const found = seeds.flatMap((seed) =>
    tasks.flatMap((task) => {
      const { sick, atMs, ...work } = sickWork(seed, task)
      if (sick !== 'stall') return []
      const beats = beatsOf(work).filter((at) => at < atMs)
      const killedAt = givesUpAt(detector, beats, Infinity)
      const last = beats.at(-1) ?? 0
      // Killed while it was still at work is not found.
      return killedAt === null || killedAt <= last ? [] : [killedAt - last]
    }),
  )
  return { name: detector.name, killed: killed.length, found }
})

const row = (name: string, killed: number, found: readonly number[]): Record<string, string | number> => ({
  detector: name,
  'healthy killed': killed,
  'of them': seeds.length * WORKERS,
  'stalls found': found.filter(Number.isFinite).length,
  'of those': knownMs('stall').length,
  'p50 min': minutes(percentile(found, 0.5)),
  'p99 min': minutes(percentile(found, 0.99)),
})
const isKept =
  condemned === 0 &&
  ended === seeds.length * WORKERS &&
  p99.stall <= 6 * MINUTE &&
  p99.crash <= 1000 &&
  p99.overrun <= 1000 &&
  hours >= (given === -1 ? 10_000 : 0)
report(
  'false-kills',
  [
    row('Bosun', condemned, knownMs('stall')),
    ...others.map(({ name, killed, found }) => row(name, killed, found)),
  ],
  {
    ok: isKept,
    seeds: SEEDS,
    worker_hours: hours,
    killed: condemned,
    alerts_per_100_hours: round((alerts * 100) / hours),
    stall_p99_min: minutes(p99.stall),
    restart_p99_min: minutes(
      percentile(
        noticed.flatMap((one) => (one.sick === 'stall' && one.condemnedMs !== null ? [one.condemnedMs] : [])),
        0.99,
      ),
    ),
    crash_p99_ms: Math.round(p99.crash),
    overrun_p99_ms: Math.round(p99.overrun),
  },
)
console.log(
  `seeds 1 to ${SEEDS}: ${condemned} of ${seeds.length * WORKERS} healthy workers killed in ${hours} worker-hours (mark 0); ` +
    `${alerts} alerts about working workers, all withdrawn. Stalls known after ${minutes(p99.stall)} min at p99 ` +
    `(mark 6), crashes after ${Math.round(p99.crash)} ms, overruns after ${Math.round(p99.overrun)} ms (marks 1,000)`,
)
if (!isKept) process.exitCode = 1
