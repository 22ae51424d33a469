/** What every agent must do: one test per sentence of the port. */
import { beforeEach, describe, expect, test } from 'vitest'
import {
  AgentUnavailable,
  type Agent,
  type AgentEvent,
  type Job,
  type Started,
  type WorkerEnded,
} from '../../src/ports/agent.ts'

export interface AgentUnderTest {
  readonly agent: Agent
  /** A job whose worker ends by itself soon, never ends by itself, or cannot be had. */
  readonly job: (worker: string, does: 'end' | 'run on' | 'be missing') => Job
  /** Lets the world go on until this is so. */
  readonly until: (isSo: () => boolean) => Promise<void>
  /** Lets the world go on long enough for anything that is still to come by itself. */
  readonly quiet: () => Promise<void>
}

export function describeAgent(name: string, make: () => AgentUnderTest): void {
  describe(name, () => {
    let made: AgentUnderTest
    let agent: Agent
    let heard: AgentEvent[]
    beforeEach(() => {
      made = make()
      agent = made.agent
      heard = []
      agent.listen((event) => heard.push(event))
    })

    const endsOf = (worker: string): WorkerEnded[] =>
      heard.filter((event): event is WorkerEnded => event.kind === 'ended' && event.worker === worker)
    const ended = async (worker: string): Promise<WorkerEnded> => {
      await made.until(() => endsOf(worker).length > 0)
      const [first] = endsOf(worker)
      if (first === undefined) throw new Error(`${worker} never ended`)
      return first
    }
    /** Does something that takes time. */
    const during = async <T>(work: Promise<T>): Promise<T> => {
      let isDone = false
      const done = work.finally(() => {
        isDone = true
      })
      done.catch(() => undefined)
      await made.until(() => isDone)
      return done
    }
    const start = (worker: string, does: Parameters<AgentUnderTest['job']>[1]): Promise<Started> =>
      during(agent.start(made.job(worker, does)))

    describe('start', () => {
      test('resolves once the worker runs', async () => {
        await start('w-1', 'run on')
        expect(endsOf('w-1')).toEqual([])
        await during(agent.stop('w-1', 'cancelled'))
        expect(await ended('w-1')).toMatchObject({ end: { kind: 'stopped' } })
      })

      test('rejects with AgentUnavailable where the agent cannot be had, and nothing was started', async () => {
        await expect(start('w-1', 'be missing')).rejects.toThrow(AgentUnavailable)
        await made.quiet()
        expect([heard, await agent.unacknowledged()]).toEqual([[], []])
      })

      test('names the agent that the end names', async () => {
        const { agent: name } = await start('w-1', 'end')
        expect((await ended('w-1')).agent ?? null).toBe(name)
      })

      test('of a worker that runs changes nothing and resolves', async () => {
        await start('w-1', 'run on')
        await start('w-1', 'run on')
        await during(agent.stop('w-1', 'stalled'))
        await made.quiet()
        expect(endsOf('w-1')).toHaveLength(1)
      })

      test('of a worker that has ended changes nothing and resolves', async () => {
        await start('w-1', 'end')
        await ended('w-1')
        await start('w-1', 'end')
        await made.quiet()
        expect(endsOf('w-1')).toHaveLength(1)
      })
    })

    describe('an end', () => {
      test('comes exactly once, and is the last that is heard of the worker', async () => {
        await start('w-1', 'end')
        await ended('w-1')
        await made.quiet()
        const own = heard.filter(({ worker }) => worker === 'w-1')
        expect(own.map(({ kind }) => kind).indexOf('ended')).toBe(own.length - 1)
      })

      test('is kept as unacknowledged until it is acknowledged, in the order they came', async () => {
        await start('w-1', 'end')
        await ended('w-1')
        await start('w-2', 'end')
        const second = await ended('w-2')
        expect((await agent.unacknowledged()).map(({ worker }) => worker)).toEqual(['w-1', 'w-2'])
        await agent.acknowledge('w-1')
        expect(await agent.unacknowledged()).toEqual([second])
      })

      test('reaches current listeners, and no longer those that stopped', async () => {
        const others: AgentEvent[] = []
        const unlisten = agent.listen((event) => others.push(event))
        unlisten()
        unlisten()
        await start('w-1', 'end')
        await ended('w-1')
        expect(others).toEqual([])
      })
    })

    describe('stop', () => {
      test('ends a worker that runs as stopped, for the cause it was stopped for', async () => {
        await start('w-1', 'run on')
        await during(agent.stop('w-1', 'time_limit'))
        expect((await ended('w-1')).end).toEqual({ kind: 'stopped', cause: 'time_limit' })
      })

      test('is idempotent', async () => {
        await start('w-1', 'run on')
        await during(agent.stop('w-1', 'stalled'))
        await during(agent.stop('w-1', 'cancelled'))
        await made.quiet()
        expect(endsOf('w-1').map(({ end }) => end)).toEqual([{ kind: 'stopped', cause: 'stalled' }])
      })

      test('changes nothing for a worker that has ended', async () => {
        await start('w-1', 'end')
        const own = await ended('w-1')
        await during(agent.stop('w-1', 'stalled'))
        await made.quiet()
        expect(endsOf('w-1')).toEqual([own])
      })

      test('of a worker that was never started ends it so too, and it can no longer be started', async () => {
        await during(agent.stop('w-1', 'paused'))
        expect((await ended('w-1')).end).toEqual({ kind: 'stopped', cause: 'paused' })
        await start('w-1', 'end')
        await made.quiet()
        expect(endsOf('w-1')).toHaveLength(1)
      })
    })

    test('listeners are never called from within start or stop', async () => {
      const starting = agent.start(made.job('w-1', 'end'))
      expect(heard).toEqual([])
      await during(starting)
      const before = heard.length
      const stopping = agent.stop('w-2', 'cancelled')
      expect(heard).toHaveLength(before)
      await during(stopping)
    })
  })
}
