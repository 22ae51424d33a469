/** A supervisor and its agent that are frozen together, as a container or a machine freezes them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { AgentEvent } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, supervisorOf, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SOON = { timeout: 60_000 }
const WORKER = 'w-lab-1-1'
const LIMIT_MS = 3000
let lab: Lab
let agent: SupervisedAgent
const received: AgentEvent[] = []

beforeAll(async () => {
  lab = {
    root: tempFolder('paused'),
    tag: newTag(),
    containment: { kind: 'group' },
  }
  agent = await labAgent(lab)
  agent.listen((event) => received.push(event))
})
afterAll(async () => {
  await agent.stop(WORKER, 'cancelled')
  await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

test('a worker frozen with its supervisor past its limit continues, and ends when it has used its own time', async () => {
  await agent.start(labJob(WORKER, 'is-silent.sh', { timeLimitMs: LIMIT_MS }))
  const frozen = [supervisorOf(lab, WORKER), ...withTag(lab.tag)]
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  const until = performance.now() + LIMIT_MS + 1500
  await expect.poll(() => performance.now(), SOON).toBeGreaterThan(until)
  for (const pid of frozen) process.kill(pid, 'SIGCONT')
  await expect.poll(() => received.map(({ kind }) => kind), SOON).toContain('ended')
  const kinds = received.map(({ kind }) => kind).filter((kind) => kind === 'paused' || kind === 'ended')
  expect(kinds, 'the pause is known before the worker ends').toEqual(['paused', 'ended'])
  const paused = received.find((event) => event.kind === 'paused')
  expect(paused?.totalMs).toBeGreaterThan(LIMIT_MS - 1000)
  expect(received.at(-1)).toMatchObject({ end: { kind: 'stopped', cause: 'time_limit' } })
})
