import { describe, expect, test } from 'vitest'
import { aReport } from '../../test/helpers/plan-builder.ts'
import { aJob } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import type { AgentEvent } from '../ports/agent.ts'
import { describeAgent } from '../../test/conformance/agent.conformance.ts'
import { ScriptedAgent, type WorkerScript } from './scripted-agent.ts'

const HONEST: WorkerScript = {
  startMs: 100,
  workMs: 1000,
  signEveryMs: 300,
  end: { kind: 'done' },
  report: aReport(),
  review: null,
  writes: { changed: ['src/a.ts'], isSound: true },
  echoes: [],
}

describeAgent('the scripted agent', () => {
  const { clock, until, quiet } = virtualWorld()
  const does = new Map<string, 'end' | 'run on' | 'be missing'>()
  const agent = new ScriptedAgent(clock, ({ worker }) => {
    const what = does.get(worker)
    if (what === 'be missing') return { ...HONEST, unavailable: 'no such agent' }
    return { ...HONEST, workMs: what === 'run on' ? null : HONEST.workMs }
  })
  return {
    agent,
    job: (worker, what) => {
      does.set(worker, what)
      return aJob(worker)
    },
    until,
    quiet,
  }
})

describe('a scripted worker', () => {
  async function heardOf(script: WorkerScript): Promise<AgentEvent[]> {
    const { clock, during, quiet } = virtualWorld()
    const agent = new ScriptedAgent(clock, () => script)
    const heard: AgentEvent[] = []
    agent.listen((event) => heard.push(event))
    await during(agent.start(aJob('w-1')))
    await quiet()
    return heard
  }

  test('gives its signs of life, then its end and its report', async () => {
    expect((await heardOf(HONEST)).map(({ kind }) => kind)).toEqual(['sign', 'sign', 'sign', 'ended'])
    expect((await heardOf(HONEST)).at(-1)).toMatchObject({ end: { kind: 'done' }, report: HONEST.report })
  })

  test('may be heard again after its end, if its script says so', async () => {
    const echoes = [{ afterMs: 50, end: { kind: 'failed', reason: 'late' } as const }]
    const ends = (await heardOf({ ...HONEST, echoes })).filter(({ kind }) => kind === 'ended')
    expect(ends).toMatchObject([{ end: { kind: 'done' } }, { end: { kind: 'failed' } }])
  })

  test('leaves what its script says it writes', async () => {
    const { clock, during } = virtualWorld()
    const agent = new ScriptedAgent(clock, () => HONEST)
    await during(agent.start(aJob('w-1')))
    expect(agent.writtenBy('w-1')).toEqual(HONEST.writes)
    expect(agent.writtenBy('w-2')).toBeNull()
  })
})
