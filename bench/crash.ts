/** Fifty kills with -9 in one real run of twelve tasks: it has to end with the trees and messages of a calm run. */
import { isDeepStrictEqual } from 'node:util'
import { deliverThrough, drawKills } from '../test/delivery/crash.ts'
import { TwelveTasks } from '../test/delivery/twelve-tasks.ts'
import { report, round, timeMs } from './lib/measure.ts'

const KILLS = 50
const seed = Number(process.env['BOSUN_TEST_SEED'] ?? Date.now() % 100_000)
const calm = new TwelveTasks()
const crashed = new TwelveTasks()
try {
  const calmMs = await timeMs(async () => {
    const { exit } = await calm.lab.deliver()
    if (exit !== 0) throw new Error(`the calm run ended with ${exit}`)
  })
  const kills = drawKills(seed, KILLS, calm.lab.activity().length)
  const done: Awaited<ReturnType<typeof deliverThrough>>[] = []
  const crashedMs = await timeMs(async () => {
    done.push(await deliverThrough(crashed, kills))
  })
  const [result] = done
  const isSame = isDeepStrictEqual(crashed.delivered(), calm.delivered())
  const twice = crashed.ran().length - new Set(crashed.ran()).size
  await crashed.lab.bosun('stop')
  const left = crashed.lab.processes().length
  const ok = result?.exit === 0 && result.kills === KILLS && isSame && twice === 0 && left === 0
  const row = {
    seed,
    kills: result?.kills ?? 0,
    calm_s: round(calmMs / 1000, 1),
    crashed_s: round(crashedMs / 1000, 1),
    ms_per_kill: round((crashedMs - calmMs) / KILLS, 0),
    workers_run_twice: twice,
    processes_left: left,
    same: isSame ? 'yes' : 'no',
  }
  report('crash', [row], { ...row, ok })
  if (!ok) process.exitCode = 1
} finally {
  await Promise.all([calm.lab.dispose(), crashed.lab.dispose()])
}
