import { expect } from 'vitest'
import type { Job } from '../../src/ports/agent.ts'
import { ScriptedAgent, type WorkerScript } from '../../src/simulation/scripted-agent.ts'
import { VirtualClock } from '../../src/simulation/virtual-clock.ts'
import { describeAgent, type AgentLab, type Behaviour } from '../conformance/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const FOREVER_MS = 1e9

const SCRIPTS: Readonly<Record<Behaviour, Partial<WorkerScript>>> = {
  finishes: { workMs: 1000, end: { kind: 'done' } },
  fails: { workMs: 1000, end: { kind: 'failed', reason: 'exit code 1' } },
  works_on: { workMs: null, signEveryMs: null },
  is_missing: { unavailable: 'no such agent' },
}
const scriptFor = (job: Job): WorkerScript => ({
  startMs: 10,
  workMs: null,
  signEveryMs: 100,
  end: { kind: 'done' },
  report: null,
  review: null,
  writes: { changed: [], isSound: true },
  echoes: [],
  ...SCRIPTS[job.spec.title as Behaviour],
})

describeAgent('the simulated agent', async () => {
  const clock = new VirtualClock(0, () => 0)
  const agent = new ScriptedAgent(clock, scriptFor)
  return {
    agent,
    job: (worker, behaviour) => labJob(worker, behaviour),
    settle: async (promise) => {
      let isSettled = false
      const mark = (): void => {
        isSettled = true
      }
      promise.then(mark, mark)
      await clock.run(FOREVER_MS, () => isSettled)
      return promise
    },
    until: async (holds) => {
      await clock.run(FOREVER_MS, holds)
    },
    reopen: null,
    dispose: async () => undefined,
  }
})

const FIXTURES: Readonly<Record<Behaviour, string>> = {
  finishes: 'finishes.sh',
  fails: 'fails.sh',
  works_on: 'sleeps.sh',
  is_missing: 'absent.sh',
}

const ACP_AGENT = programPath('test/agents/misbehaving-acp-agent.ts')

describeSupervised('the supervised agent', FIXTURES, {})
describeSupervised(
  'the supervised agent, by the Agent Client Protocol',
  { finishes: 'works', fails: 'fails', works_on: 'works_on', is_missing: 'is_missing' },
  {
    acp: {},
    commandFor: (behaviour) =>
      behaviour === 'is_missing' ? ['./absent.sh'] : [process.execPath, ACP_AGENT, behaviour],
  },
)

function describeSupervised(
  name: string,
  titles: Readonly<Record<Behaviour, string>>,
  how: Partial<Lab>,
): void {
  describeAgent(name, () => openSupervised(titles, how))
}

async function openSupervised(
  titles: Readonly<Record<Behaviour, string>>,
  how: Partial<Lab>,
): Promise<AgentLab> {
  const lab = { root: tempFolder('conformance'), tag: newTag(), ...how }
  const agents = [await labAgent(lab)]
  return {
    agent: agents[0] ?? (await labAgent(lab)),
    job: (worker, behaviour) => labJob(worker, titles[behaviour]),
    settle: (promise) => promise,
    until: (holds) => expect.poll(holds, { timeout: 60_000 }).toBe(true),
    reopen: async () => {
      for (const agent of agents) await agent.close()
      const agent = await labAgent(lab)
      agents.push(agent)
      return agent
    },
    dispose: async () => {
      await Promise.all(
        ['w-a', 'w-b'].map((worker) => agents.at(-1)?.stop(worker, 'cancelled') ?? Promise.resolve()),
      )
      for (const agent of agents) await agent.close()
      expect(withTag(lab.tag)).toEqual([])
    },
  }
}
