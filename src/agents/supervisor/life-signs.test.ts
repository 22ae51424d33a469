import { describe, expect, test } from 'vitest'
import type { ProcessRow } from '../../lib/process/processes.ts'
import { CpuMeter } from './life-signs.ts'

const row = (pid: number, cpuMs: number, start = '1'): ProcessRow => ({
  pid,
  parent: 1,
  group: 1,
  session: 1,
  isZombie: false,
  isHalted: false,
  start,
  cpuMs,
})

/** What it says at each look, two seconds apart; the first only begins. */
function looks(...seen: readonly (readonly ProcessRow[])[]): readonly boolean[] {
  const [first = [], ...later] = seen
  const meter = new CpuMeter(first, 0)
  return later.map((rows, at) => meter.hasWorked(rows, (at + 1) * 2000))
}

describe('a tree works', () => {
  test('when it used a tenth of a second in six', () => {
    expect(looks([row(1, 0)], [row(1, 100)], [row(1, 110)])).toEqual([true, false])
    expect(looks([row(1, 0)], [row(1, 40)], [row(1, 80)], [row(1, 120)])).toEqual([false, false, true])
  })

  test('not when it only wakes now and then, for however long', () => {
    const drowsy = Array.from({ length: 30 }, (_, at) => [row(1, at * 20)])
    expect(looks(...drowsy)).not.toContain(true)
  })

  test('when a child works that is new, or whose number another one had', () => {
    expect(looks([row(1, 0)], [row(1, 0), row(2, 100)])).toEqual([true])
    expect(looks([row(1, 0), row(2, 500, '1')], [row(1, 0), row(2, 100, '2')])).toEqual([true])
  })

  test('when children come and go, and their parent has their time', () => {
    expect(looks([row(1, 0), row(2, 90)], [row(1, 90), row(3, 60)], [row(1, 150), row(4, 50)])).toEqual([
      true,
      true,
    ])
  })

  test('not because something that worked has ended', () => {
    expect(looks([row(1, 0), row(2, 5000)], [row(1, 0)], [row(1, 0)])).toEqual([false, false])
  })
})
