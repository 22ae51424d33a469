/** Short versions of the watch's bench tables; `npm run bench crisis false-kills` runs them in full. */
import { describe, expect, test } from 'vitest'
import {
  alone,
  CRISIS,
  HARSH,
  HEALTHY,
  runCrisis,
  slowdownMs,
  WORKERS,
  type FateName,
} from '../../bench/lib/crisis-fleets.ts'
import { fixedTimer, givesUpAt, phiAccrual } from '../../bench/lib/detectors.ts'
import { mean } from '../../bench/lib/fleet.ts'
import { beatsOf, healthyWork, runHealthy, runSick } from '../../bench/lib/watched-fleets.ts'

const MINUTE = 60_000

describe('a fleet of 41 workers in a crisis', () => {
  test.each([CRISIS, HARSH])('would complete 11 tasks by itself: $name', async (mix) => {
    const dealt = Object.values(mix.first).reduce((sum, times) => sum + times, 0)
    expect(dealt).toBe(WORKERS)
    for (let seed = 1; seed <= 5; seed++) expect(await alone(seed, mix), `seed ${seed}`).toBe(11)
  })

  test('completes nine tasks of ten when it is watched, without any answers', async () => {
    const shares: number[] = []
    for (let seed = 1; seed <= 8; seed++) shares.push((await runCrisis(seed, CRISIS)).completed / WORKERS)
    expect(mean(shares)).toBeGreaterThanOrEqual(0.9)
    expect(Math.min(...shares)).toBeGreaterThanOrEqual(0.8)
  })

  test('gains nothing from the watch where no worker can be helped', async () => {
    const first: Partial<Record<FateName, number>> = { blocked: WORKERS }
    const end = await runCrisis(1, { ...CRISIS, first })
    expect([end.completed, end.attempts]).toEqual([0, WORKERS])
  })

  test('is not disturbed while it is healthy: every task at the first attempt, and no worker slower', async () => {
    for (let seed = 1; seed <= 3; seed++) {
      const end = await runCrisis(seed, HEALTHY)
      expect([end.completed, end.attempts]).toEqual([WORKERS, WORKERS])
      expect(slowdownMs(seed, end)).toBe(0)
    }
  })
})

describe('healthy workers with long silences and builds, and a PM that is frozen again and again', () => {
  test('are never killed, and all end by themselves', async () => {
    const end = await runHealthy(1)
    expect([end.condemned, end.ended]).toEqual([0, 40])
    expect(end.workerHours).toBeGreaterThan(200)
    expect(end.alerts, 'they are hard to tell from stalled ones').toBeGreaterThan(0)
  })

  test('a bare timer and phi-accrual kill some of them', () => {
    for (const detector of [fixedTimer(5), fixedTimer(15), phiAccrual]) {
      const killed = Array.from({ length: 40 }, (_, at) => healthyWork(1, at + 1)).filter(
        (work) => givesUpAt(detector, beatsOf(work), work.workMs) !== null,
      )
      expect(killed.length, detector.name).toBeGreaterThan(0)
    }
  })
})

test('stalls are detected within 6 min, crashes and overruns within a second', async () => {
  const limits = { stall: 6 * MINUTE, zombie: 6 * MINUTE, crash: 1000, overrun: 1000 }
  const noticed = await runSick(1)
  expect(noticed).toHaveLength(40)
  for (const { sick, knownMs } of noticed) {
    expect(knownMs, sick).toBeGreaterThanOrEqual(0)
    expect(knownMs, sick).toBeLessThanOrEqual(limits[sick])
  }
})

describe('a detector', () => {
  const beats = [0, 60_000, 120_000, 180_000, 240_000, 300_000, 360_000]

  test('gives up on a worker that is silent for the length of its timer', () => {
    expect(givesUpAt(fixedTimer(5), beats, Infinity)).toBe(360_000 + 5 * MINUTE)
    expect(givesUpAt(fixedTimer(5), beats, 400_000)).toBeNull()
  })

  test('learns from regular beats that a gap is unlikely', () => {
    expect(givesUpAt(phiAccrual, beats, Infinity)).toBe(360_000 + 60_000 + 56_120)
  })
})
