import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../test/helpers/plan-builder.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { WorkerLife, type Halt, type LifeScript } from './worker-life.ts'

const SCRIPT: LifeScript = { workMs: 10 * MINUTE, signEveryMs: 3 * MINUTE }
const TOOL_END_MS = 120 * MINUTE

function lives(script: LifeScript) {
  const { clock } = virtualWorld()
  const shown: string[] = []
  const minute = (): number => clock.monotonic() / MINUTE
  const life = new WorkerLife(clock, script, {
    tell: ({ kind }) => shown.push(`${minute()} ${kind}`),
    done: () => {
      shown.push(`${minute()} done`)
      life.over()
    },
  })
  life.begin()
  const pass = async (minutes: number): Promise<void> => {
    await clock.run(minutes * MINUTE, () => false)
    const rest = minutes * MINUTE - clock.monotonic()
    clock.wake(rest, () => undefined)
    await clock.run(minutes * MINUTE, () => false)
  }
  return { life, shown, pass }
}

const halt = (parts: Partial<Halt> = {}): Halt => ({
  afterMs: 4 * MINUTE,
  how: 'silent',
  forMs: null,
  wakes: () => false,
  ...parts,
})

test('shows what its script says, by how long it has worked, and is done', async () => {
  const doings = [
    { kind: 'tool_started', id: 'b', afterMs: 4 * MINUTE },
    { kind: 'tool_ended', id: 'b', afterMs: 5 * MINUTE },
  ] as const
  const { shown, pass } = lives({ ...SCRIPT, doings })
  await pass(20)
  expect(shown).toEqual(['3 sign', '4 tool_started', '5 tool_ended', '6 sign', '9 sign', '10 done'])
})

describe('a worker that halts', () => {
  test('shows nothing more, and is never done', async () => {
    const { life, shown, pass } = lives({ ...SCRIPT, halts: [halt()] })
    await pass(60)
    expect(shown).toEqual(['3 sign'])
    expect(life.quietMs(TOOL_END_MS)).toBe(57 * MINUTE)
    expect(life.endsWithin(1000 * MINUTE)).toBe(false)
  })

  test('goes on with its script when what it hears wakes it', async () => {
    const { life, shown, pass } = lives({ ...SCRIPT, halts: [halt({ wakes: (nth) => nth === 2 })] })
    await pass(20)
    life.hear()
    expect(life.endsWithin(1000 * MINUTE)).toBe(false)
    life.hear()
    await pass(40)
    expect(shown).toEqual(['3 sign', '20 sign', '22 sign', '25 sign', '26 done'])
  })

  test('goes on by itself where it halts for a while, and says when a signal stopped it', async () => {
    const { life, shown, pass } = lives({ ...SCRIPT, halts: [halt({ how: 'stopped', forMs: 5 * MINUTE })] })
    expect([life.endsWithin(15 * MINUTE), life.endsWithin(16 * MINUTE)]).toEqual([false, true])
    await pass(20)
    expect(shown.at(1)).toBe('4 halted')
    expect(shown.slice(2, 4)).toEqual(['9 halted', '9 sign'])
    expect(shown.at(-1)).toBe('15 done')
  })

  test('checks in again and again where it is stuck', async () => {
    const { shown, pass } = lives({ ...SCRIPT, halts: [halt({ how: 'stuck' })] })
    await pass(13)
    expect(shown).toEqual(['3 sign', '4 checkin', '8 checkin', '12 checkin'])
  })
})

test('a worker that hangs hands in its report and does nothing more', async () => {
  const { life, shown, pass } = lives({ ...SCRIPT, lingers: 'reported' })
  await pass(60)
  expect(shown.at(-1)).toBe('10 reported')
  expect([life.isLingering, life.endsWithin(1000 * MINUTE)]).toEqual([true, false])
})

test('a tool call that runs counts as life until it is too old', async () => {
  const doings = [{ kind: 'tool_started', id: 'b', afterMs: MINUTE }] as const
  const { life, pass } = lives({ workMs: null, signEveryMs: null, doings })
  await pass(30)
  expect(life.quietMs(TOOL_END_MS)).toBe(0)
  await pass(130)
  expect(life.quietMs(TOOL_END_MS)).toBe(9 * MINUTE)
})
