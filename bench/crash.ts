/**
 * A real run of twelve tasks whose daemon is killed with -9, fifty times at moments drawn from a seed, and another, six
 * tasks at a time, killed after every write. Each has to end with the trees and messages of a calm run.
 */
import { isDeepStrictEqual } from 'node:util'
import { deliverThrough, deliverThroughEveryWrite, drawKills, type Crashed } from '../test/delivery/crash.ts'
import { TwelveTasks } from '../test/delivery/twelve-tasks.ts'
import { report, round, timeMs } from './lib/measure.ts'

const KILLS = 50
const seed = Number(process.env['BOSUN_TEST_SEED'] ?? Date.now() % 100_000)

interface Run {
  readonly killed: string
  /** How many tasks are worked on at a time. */
  readonly agents: number
  readonly leastKills: number
  /** Delivers through kills; `lines` is how many lines the calm run logged. */
  readonly deliver: (project: TwelveTasks, lines: number) => Promise<Crashed>
}

const RUNS: readonly Run[] = [
  {
    killed: `at ${KILLS} moments (seed ${seed})`,
    agents: 3,
    leastKills: KILLS,
    deliver: (project, lines) => deliverThrough(project, drawKills(seed, KILLS, lines)),
  },
  { killed: 'after every write', agents: 6, leastKills: KILLS, deliver: deliverThroughEveryWrite },
]

async function compare({ killed, agents, leastKills, deliver }: Run) {
  const calm = new TwelveTasks(agents)
  const crashed = new TwelveTasks(agents)
  try {
    const calmMs = await timeMs(async () => {
      const { exit } = await calm.lab.deliver()
      if (exit !== 0) throw new Error(`the calm run ended with ${exit}`)
    })
    const start = performance.now()
    const { exit, kills } = await deliver(crashed, calm.lab.activity().length)
    const crashedMs = performance.now() - start
    const isSame = isDeepStrictEqual(crashed.delivered(), calm.delivered())
    const twice = crashed.ran().length - new Set(crashed.ran()).size
    await crashed.lab.bosun('stop')
    const left = crashed.lab.processes().length
    return {
      kept: exit === 0 && kills >= leastKills && isSame && twice === 0 && left === 0 ? 'yes' : 'no',
      killed,
      agents,
      kills,
      calm_s: round(calmMs / 1000, 1),
      crashed_s: round(crashedMs / 1000, 1),
      ms_per_kill: round((crashedMs - calmMs) / kills, 0),
      workers_run_twice: twice,
      processes_left: left,
      same: isSame ? 'yes' : 'no',
    }
  } finally {
    await Promise.all([calm.lab.dispose(), crashed.lab.dispose()])
  }
}

const rows: Awaited<ReturnType<typeof compare>>[] = []
for (const run of RUNS) rows.push(await compare(run))
const ok = rows.every(({ kept }) => kept === 'yes')
const kills = rows.map((row) => row.kills).join(' and ')
report('crash', rows, { seed, kills, same: rows.every(({ same }) => same === 'yes') ? 'yes' : 'no', ok })
if (!ok) process.exitCode = 1
