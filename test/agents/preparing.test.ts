/** A workspace may take long to be made ready: meanwhile its worker can be stopped, and Bosun can let go. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { AgentEvent } from '../../src/ports/agent.ts'
import { NeedsPerson, WorkspaceNotReady } from '../../src/ports/workspace.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const WORKER = 'w-lab-1-1'
let lab: Lab
let agent: SupervisedAgent
let prepare: (signal: AbortSignal) => Promise<void>
let prepared: number
let received: AgentEvent[]

beforeEach(async () => {
  prepared = 0
  received = []
  prepare = async () => undefined
  lab = {
    root: tempFolder('preparing'),
    tag: newTag(),
    onPrepare: (_, signal) => {
      prepared++
      return prepare(signal)
    },
  }
  agent = await labAgent(lab)
  agent.listen((event) => received.push(event))
})
afterEach(async () => {
  await agent.stop(WORKER, 'cancelled')
  await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

/** Goes on until it is cut short. */
const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new WorkspaceNotReady('cut short')), { once: true })
  })

test.each([new WorkspaceNotReady('the set-up failed'), new NeedsPerson('there is no npm')])(
  'an unprepared workspace rejects the start, and nothing runs: %s',
  async (reason) => {
    prepare = async () => {
      throw reason
    }
    await expect(agent.start(labJob(WORKER, 'sleeps.sh'))).rejects.toBe(reason)
    expect(await agent.standing(WORKER)).toBe('unknown')
    expect(await agent.unacknowledged()).toEqual([])
    prepare = async () => undefined
    await agent.start(labJob(WORKER, 'sleeps.sh'))
    expect(await agent.standing(WORKER)).toBe('running')
  },
)

test('a worker that is stopped during preparation ends as stopped, after the preparation has ended', async () => {
  let isOver = false
  prepare = (signal) => untilAborted(signal).finally(() => (isOver = true))
  const starting = agent.start(labJob(WORKER, 'sleeps.sh'))
  starting.catch(() => undefined)
  await expect.poll(() => prepared, { timeout: 60_000 }).toBe(1)
  await agent.stop(WORKER, 'paused')
  expect(isOver).toBe(true)
  await expect(starting).rejects.toThrow(WorkspaceNotReady)
  await expect.poll(() => received.map((event) => event.kind), { timeout: 60_000 }).toEqual(['ended'])
  expect(received).toMatchObject([{ end: { kind: 'stopped', cause: 'paused' } }])
  expect(await agent.standing(WORKER)).toBe('ended')
})

test('an abandoned start can be requested again, and begins when the first has ended', async () => {
  const first = new AbortController()
  const order: string[] = []
  prepare = async (signal) => {
    order.push('begun')
    if (prepared === 1) await untilAborted(signal).finally(() => order.push('over'))
  }
  const letGo = agent.start(labJob(WORKER, 'sleeps.sh'), first.signal)
  letGo.catch(() => undefined)
  await expect.poll(() => prepared, { timeout: 60_000 }).toBe(1)
  first.abort()
  await agent.start(labJob(WORKER, 'sleeps.sh'), new AbortController().signal)
  await expect(letGo).rejects.toThrow(WorkspaceNotReady)
  expect(order).toEqual(['begun', 'over', 'begun'])
  expect(await agent.standing(WORKER)).toBe('running')
})

test('a signal that comes when the worker runs changes nothing', async () => {
  const signal = new AbortController()
  await agent.start(labJob(WORKER, 'sleeps.sh'), signal.signal)
  signal.abort()
  await agent.start(labJob(WORKER, 'sleeps.sh'), new AbortController().signal)
  expect(await agent.standing(WORKER)).toBe('running')
  expect(prepared).toBe(1)
})

test('a start that is on its way when Bosun lets go launches nothing, and the next Bosun launches it', async () => {
  const { promise: ready, resolve } = Promise.withResolvers<void>()
  prepare = () => ready
  const starting = agent.start(labJob(WORKER, 'sleeps.sh'))
  const refused = expect(starting).rejects.toThrow('Bosun is stopping')
  await expect.poll(() => prepared).toBe(1)
  await agent.close()
  resolve()
  await refused
  expect(withTag(lab.tag)).toEqual([])
  agent = await labAgent(lab)
  await agent.start(labJob(WORKER, 'sleeps.sh'))
  expect([prepared, await agent.standing(WORKER)]).toEqual([1, 'running'])
})
