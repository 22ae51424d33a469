/** A worker that ends or loses its supervisor is noticed within a second, whatever the cause. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import { identify } from '../../src/lib/process/processes.ts'
import type { WorkerEnded } from '../../src/ports/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag, supervisorOf, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SIDE = programPath('test/fixtures/agents/bosun-side.ts')
const WORKER = 'w-lab-1-1'
let lab: Lab
const opened: SupervisedAgent[] = []
const open = async (): Promise<SupervisedAgent> => {
  const agent = await labAgent(lab)
  opened.push(agent)
  return agent
}

beforeEach(async () => {
  lab = { root: tempFolder('missing'), tag: newTag() }
})
afterEach(async () => {
  await opened.at(-1)?.stop(WORKER, 'cancelled')
  for (const agent of opened.splice(0)) await agent.close()
  expect(withTag(lab.tag)).toEqual([])
})

/** The end of the worker, and how long after the action it was reported. */
async function endAfter(agent: SupervisedAgent, action: () => void) {
  const received = new Promise<WorkerEnded>((resolve) => {
    agent.listen((event) => event.kind === 'ended' && resolve(event))
  })
  action()
  const { end } = await received
  return { end }
}

/** Starts the worker from a Bosun that is then killed, so that it is not our child. */
async function startedByAnother(fixture: string): Promise<void> {
  const side = spawn(process.execPath, [SIDE, lab.root, fixture, lab.tag, '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(side.stdout, 'data')
  side.kill('SIGKILL')
  await once(side, 'exit')
}

test('a worker ends when its folder is deleted without a daemon', async () => {
  await startedByAnother('sleeps.sh')
  expect(withTag(lab.tag)).not.toEqual([])
  rmSync(lab.root, { recursive: true })
  await expect.poll(() => withTag(lab.tag), { timeout: 60_000, interval: 300 }).toEqual([])
}, 60_000)

test('a killed worker process is noticed', async () => {
  const agent = await open()
  await agent.start(labJob(WORKER, 'is-silent.sh'))
  const { end } = await endAfter(agent, () => process.kill(agent.pidOf(WORKER) ?? 0, 'SIGKILL'))
  expect(end).toEqual({ kind: 'failed', reason: 'it was killed by SIGKILL' })
})

test('a killed supervisor is noticed', async () => {
  const agent = await open()
  await agent.start(labJob(WORKER, 'is-silent.sh'))
  const { end } = await endAfter(agent, () => process.kill(supervisorOf(lab, WORKER), 'SIGKILL'))
  expect(end).toEqual({ kind: 'interrupted', reason: 'its supervisor died' })
})

test.each([
  ['its process', 'failed', (agent: SupervisedAgent) => agent.pidOf(WORKER) ?? 0],
  ['its supervisor', 'interrupted', () => supervisorOf(lab, WORKER)],
] as const)('%s is killed after its Bosun was, and another took it up', async (_, kind, whom) => {
  await startedByAnother('is-silent.sh')
  const agent = await open()
  expect(await agent.standing(WORKER)).toBe('running')
  const { end } = await endAfter(agent, () => process.kill(whom(agent), 'SIGKILL'))
  expect(end.kind).toBe(kind)
})

test('an end without a running Bosun is noticed', async () => {
  await startedByAnother('finishes.sh')
  await expect.poll(() => identify(supervisorOf(lab, WORKER)), { timeout: 60_000 }).toBeNull()
  const unacknowledged = await (await open()).unacknowledged()
  expect(unacknowledged).toMatchObject([{ end: { kind: 'done' }, report: { explanation: 'did it' } }])
})

test('a process that reuses the supervisor’s pid is left alone', async () => {
  const stranger = spawn('sleep', [lab.tag])
  const number = stranger.pid ?? 0
  const before = { ...identify(number), start: '1' }
  const folder = join(lab.root, 'workers', WORKER)
  mkdirSync(folder, { recursive: true })
  const mark = 'of-one-that-is-gone'
  const job = {
    plan: 'lab',
    role: 'developer',
    protocol: 'command',
    agent: 'lab',
    mark,
    workspace: lab.root,
    containment: {},
    choice: { model: null, effort: null, why: null, candidates: null },
  }
  writeFileSync(join(folder, 'journal.jsonl'), '')
  writeFileSync(join(folder, 'job.json'), JSON.stringify(job))
  const tree = { leader: before, mark, kind: 'group' }
  writeFileSync(join(folder, 'identity.json'), JSON.stringify({ supervisor: before, agent: tree }))
  const unacknowledged = await (await open()).unacknowledged()
  expect(unacknowledged).toMatchObject([{ end: { kind: 'interrupted', reason: 'its supervisor died' } }])
  expect(identify(number)).not.toBeNull()
  stranger.kill('SIGKILL')
  await once(stranger, 'exit')
})
