/** What every agent must do: one test per sentence of the port. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { AgentUnavailable, type Agent, type AgentEvent, type Job } from '../../src/ports/agent.ts'

export type Behaviour = 'finishes' | 'fails' | 'works_on' | 'is_missing'

export interface AgentLab {
  readonly agent: Agent
  readonly job: (worker: string, behaviour: Behaviour) => Job
  /** Lets time pass until this has settled. */
  readonly settle: <T>(promise: Promise<T>) => Promise<T>
  /** Lets time pass until this holds. */
  readonly until: (holds: () => boolean) => Promise<void>
  /** Ends this Bosun and begins another one on what it left; null where nothing outlives the process. */
  readonly reopen: (() => Promise<Agent>) | null
  readonly dispose: () => Promise<void>
}

export function describeAgent(name: string, open: () => Promise<AgentLab>): void {
  describe(name, () => {
    let lab: AgentLab
    let agent: Agent
    let events: AgentEvent[]

    beforeEach(async () => {
      lab = await open()
      agent = lab.agent
      events = []
      agent.listen((event) => events.push(event))
    })
    afterEach(() => lab.dispose())

    const start = (worker: string, behaviour: Behaviour) =>
      lab.settle(agent.start(lab.job(worker, behaviour)))
    const stop = (worker: string) => lab.settle(agent.stop(worker, 'stalled'))
    const ends = () =>
      events.filter((event) => event.kind === 'ended').map(({ worker, end }) => [worker, end.kind] as const)
    const unacknowledged = async () =>
      (await lab.settle(agent.unacknowledged())).map(({ worker, end }) => [worker, end.kind])
    const heard = (count: number) => lab.until(() => ends().length >= count)

    test('rejects with AgentUnavailable when it cannot be had, and nothing was started', async () => {
      await expect(start('w-a', 'is_missing')).rejects.toBeInstanceOf(AgentUnavailable)
      expect(await unacknowledged()).toEqual([])
    })

    test('a worker has exactly one end, and it is its last event', async () => {
      await start('w-a', 'finishes')
      await start('w-b', 'fails')
      await heard(2)
      expect(ends()).toHaveLength(2)
      expect(Object.fromEntries(ends())).toEqual({ 'w-a': 'done', 'w-b': 'failed' })
      for (const worker of ['w-a', 'w-b']) {
        expect(events.findLast((event) => event.worker === worker)?.kind).toBe('ended')
      }
    })

    test('starting a worker again changes nothing, whether it runs or has ended', async () => {
      await Promise.all([start('w-a', 'works_on'), start('w-a', 'works_on')])
      await start('w-a', 'finishes')
      await stop('w-a')
      await start('w-a', 'finishes')
      await start('w-b', 'finishes')
      await heard(2)
      expect(ends()).toEqual([
        ['w-a', 'stopped'],
        ['w-b', 'done'],
      ])
    })

    test('answers with the ends that were not acknowledged, in the order they came', async () => {
      await start('w-b', 'finishes')
      await heard(1)
      await start('w-a', 'works_on')
      await stop('w-a')
      expect(await unacknowledged()).toEqual([
        ['w-b', 'done'],
        ['w-a', 'stopped'],
      ])
      await agent.acknowledge('w-b')
      expect(await unacknowledged()).toEqual([['w-a', 'stopped']])
    })

    test('a worker that is stopped ends with the cause it was stopped for, and stopping it again changes nothing', async () => {
      await start('w-a', 'works_on')
      await lab.settle(agent.stop('w-a', 'time_limit'))
      await lab.settle(agent.stop('w-a', 'cancelled'))
      const [ended] = await lab.settle(agent.unacknowledged())
      expect(ended?.end).toEqual({ kind: 'stopped', cause: 'time_limit' })
    })

    test('stopping changes nothing for a worker that has ended', async () => {
      await start('w-a', 'finishes')
      await heard(1)
      await stop('w-a')
      await agent.acknowledge('w-a')
      await stop('w-a')
      expect(ends()).toEqual([['w-a', 'done']])
      expect(await unacknowledged()).toEqual([])
    })

    test('one that was never started ends as stopped, and can no longer be started', async () => {
      await stop('w-a')
      await start('w-a', 'finishes')
      await heard(1)
      expect(ends()).toEqual([['w-a', 'stopped']])
      await agent.acknowledge('w-a')
      await start('w-a', 'finishes')
      expect(await unacknowledged()).toEqual([])
    })

    test('listeners are never called while start or stop has not returned', async () => {
      const calls: string[] = []
      agent.listen(() => calls.push('listener'))
      const stopping = agent.stop('w-a', 'stalled')
      calls.push('returned')
      await lab.settle(stopping)
      await heard(1)
      expect(calls).toEqual(['returned', 'listener'])
    })

    test('a listener that left hears nothing more', async () => {
      const heardByOther: AgentEvent[] = []
      agent.listen((event) => heardByOther.push(event))()
      await start('w-a', 'finishes')
      await heard(1)
      expect(heardByOther).toEqual([])
    })

    test('messages for an ended or unknown worker are rejected', async () => {
      await start('w-a', 'finishes')
      await heard(1)
      const message = { id: 1, kind: 'nudge', text: 'hello', about: 'nudge', by: 'ada' } as const
      const words = { kind: 'prompt', message } as const
      expect([await agent.send('w-a', words), await agent.send('w-none', words)]).toEqual([false, false])
    })

    test('more time is of no effect for a worker that has ended or never was', async () => {
      await start('w-a', 'finishes')
      await heard(1)
      await lab.settle(agent.extend('w-a', 1000))
      await lab.settle(agent.extend('w-b', 1000))
      await lab.settle(agent.hold('w-a', true))
      await lab.settle(agent.hold('w-b', true))
      await start('w-b', 'finishes')
      await heard(2)
      expect(ends()).toEqual([
        ['w-a', 'done'],
        ['w-b', 'done'],
      ])
    })

    test('workers outlive the process that started them', async ({ skip }) => {
      if (lab.reopen === null) return skip()
      await start('w-a', 'works_on')
      await start('w-b', 'finishes')
      await heard(1)
      agent = await lab.reopen()
      expect(await unacknowledged()).toEqual([['w-b', 'done']])
      await start('w-a', 'finishes')
      await stop('w-a')
      expect(await unacknowledged()).toEqual([
        ['w-b', 'done'],
        ['w-a', 'stopped'],
      ])
    })
  })
}
