/** Bosun may die at any moment: its workers go on, and are taken up again, each once. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import { identify } from '../../src/lib/process/processes.ts'
import { AgentUnavailable, type AgentEvent } from '../../src/ports/agent.ts'
import { programPath } from '../helpers/program-path.ts'
import { labAgent, labJob, newTag, supervisorOf, withTag, type Lab } from './lab.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const SIDE = programPath('test/fixtures/agents/bosun-side.ts')
const WORKERS = Array.from({ length: 20 }, (_, at) => `w-lab-${at + 1}-1`)

let lab: Lab
const opened: SupervisedAgent[] = []
const open = async (): Promise<SupervisedAgent> => {
  const agent = await labAgent(lab)
  opened.push(agent)
  return agent
}

beforeEach(async () => {
  lab = { root: tempFolder('adoption'), tag: newTag() }
})
afterEach(async () => {
  const last = opened.at(-1) ?? (await open())
  await Promise.all(WORKERS.map((worker) => last.stop(worker, 'cancelled')))
  for (const agent of opened.splice(0)) await agent.close()
  expect(withTag(lab.tag)).toEqual([])
  // A killed Bosun may have started supervisors that find their worker taken only now.
  await expect.poll(() => withTag(lab.root), { timeout: 60_000, interval: 300 }).toEqual([])
})

function bosunSide(fixture: string): ChildProcess {
  const args = [SIDE, lab.root, fixture, lab.tag, String(WORKERS.length)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}
async function killed(side: ChildProcess): Promise<void> {
  side.kill('SIGKILL')
  await once(side, 'exit')
}
/** The agents themselves, not what holds them. */
const sleeping = async (): Promise<number> => {
  const lines = withTag(lab.tag).map((pid) => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => ''))
  return (await Promise.all(lines)).filter((line) => line === `sleep\0${lab.tag}\0`).length
}

test('twenty workers outlive a killed Bosun and are adopted or ended', async () => {
  const side = bosunSide('sleeps.sh')
  if (side.stdout !== null) await once(side.stdout, 'data')
  const supervisors = WORKERS.map((worker) => supervisorOf(lab, worker))
  await killed(side)
  const lost = supervisors.slice(0, 3)
  for (const pid of lost) process.kill(pid, 'SIGKILL')
  await expect.poll(sleeping, { timeout: 60_000 }).toBe(17)

  const agent = await open()
  const unacknowledged = await agent.unacknowledged()

  expect(unacknowledged.map(({ worker }) => worker).sort()).toEqual(WORKERS.slice(0, 3).sort())
  for (const { end } of unacknowledged)
    expect(end).toEqual({ kind: 'interrupted', reason: 'its supervisor died' })
  await Promise.all(WORKERS.map((worker) => agent.start(labJob(worker, 'sleeps.sh'))))
  expect(await sleeping()).toBe(17)
  expect(WORKERS.map((worker) => supervisorOf(lab, worker))).toEqual(supervisors)
})

test('a Bosun killed while it starts workers finds each started once, and starts the rest', async () => {
  const side = bosunSide('sleeps.sh')
  await expect.poll(() => withTag(lab.tag).length, { timeout: 60_000, interval: 5 }).toBeGreaterThan(4)
  await killed(side)
  const agent = await open()
  await Promise.all(WORKERS.map((worker) => agent.start(labJob(worker, 'sleeps.sh'))))
  await expect.poll(sleeping, { timeout: 60_000 }).toBe(WORKERS.length)
  expect(await agent.unacknowledged()).toEqual([])
})

test('an end without a listener is reported once to the next listener', async () => {
  const side = bosunSide('finishes.sh')
  if (side.stdout !== null) await once(side.stdout, 'data')
  await killed(side)
  await expect
    .poll(() => WORKERS.filter((worker) => identify(supervisorOf(lab, worker)) !== null))
    .toEqual([])
  const agent = await open()
  const unacknowledged = await agent.unacknowledged()
  expect(unacknowledged.map((event) => [event.end.kind, event.report?.explanation])).toEqual(
    WORKERS.map(() => ['done', 'did it']),
  )
  await Promise.all(WORKERS.map((worker) => agent.acknowledge(worker)))
  expect(await agent.unacknowledged()).toEqual([])
  expect(await (await open()).unacknowledged()).toEqual([])
})

test('two supervisors for one worker: the second finds it taken and does nothing', async () => {
  const agent = await open()
  const worker = 'w-lab-1-1'
  await agent.start(labJob(worker, 'sleeps.sh'))
  const owner = supervisorOf(lab, worker)
  const program = programPath('test/fixtures/agents/supervise.ts')
  const second = spawn(process.execPath, [program, join(lab.root, 'workers', worker)], { stdio: 'ignore' })
  expect(await once(second, 'exit')).toEqual([0, null])
  expect(supervisorOf(lab, worker)).toBe(owner)
  await expect.poll(sleeping).toBe(1)
})

test('an end is reported within fifty milliseconds', async () => {
  const agent = await open()
  const received = new Promise<number>((resolve) => {
    agent.listen((event) => event.kind === 'ended' && resolve(Date.now()))
  })
  await agent.start(labJob('w-lab-1-1', 'closes-stdout.sh'))
  const receivedAt = await received
  const result = await readFile(join(lab.root, 'workers/w-lab-1-1/result.json'), 'utf8')
  const { endedAt } = JSON.parse(result) as { endedAt: number }
  // The rest is what a busy machine may take to write the end to its disk.
  expect(receivedAt - endedAt).toBeLessThan(50 + 200)
})

test('a worker that only changes files shows that it lives', async () => {
  const agent = await open()
  const sign = new Promise<AgentEvent>((resolve) => {
    agent.listen((event) => event.kind === 'sign' && resolve(event))
  })
  await agent.start(labJob('w-lab-1-1', 'works-silently.sh'))
  expect(await sign).toEqual({ kind: 'sign', seq: expect.any(Number), worker: 'w-lab-1-1', of: ['files'] })
})

test('a later listener learns that a worker has lived, not a new sign of life', async () => {
  const agent = await open()
  const seen = new Promise<AgentEvent>((resolve) => {
    agent.listen((event) => event.kind === 'sign' && resolve(event))
  })
  await agent.start(labJob('w-lab-1-1', 'works-silently.sh'))
  await seen
  await agent.close()
  const later = await open()
  const first = new Promise<AgentEvent>((resolve) => later.listen(resolve))
  expect(await first).toEqual({ kind: 'lived', worker: 'w-lab-1-1' })
})

test('a supervisor that does not react is killed', async () => {
  const agent = await open()
  await agent.start(labJob('w-lab-1-1', 'sleeps.sh'))
  process.kill(supervisorOf(lab, 'w-lab-1-1'), 'SIGSTOP')
  await agent.stop('w-lab-1-1', 'stalled')
  expect((await agent.unacknowledged())[0]?.end).toEqual({ kind: 'stopped', cause: 'stalled' })
}, 60_000)

test('a plan sees only its own workers', async () => {
  const agent = await open()
  const [shop, blog] = [agent.forPlan('shop'), agent.forPlan('blog')]
  const received: string[] = []
  blog.listen((event) => received.push(event.worker))
  await shop.start(labJob('w-lab-1-1', 'finishes.sh', { plan: 'shop' }))
  await blog.start(labJob('w-lab-2-1', 'finishes.sh', { plan: 'blog' }))
  await shop.stop('w-lab-3-1', 'cancelled')
  await expect.poll(async () => (await agent.unacknowledged()).length).toBe(3)
  const again = await open()
  const workers = async (plan: string) =>
    (await again.forPlan(plan).unacknowledged()).map(({ worker }) => worker).sort()
  expect(await workers('shop')).toEqual(['w-lab-1-1', 'w-lab-3-1'])
  expect(await workers('blog')).toEqual(['w-lab-2-1'])
  await expect.poll(() => received).toEqual(['w-lab-2-1'])
})

test('a supervisor that cannot start makes the agent unavailable', async () => {
  lab = { ...lab, supervise: ['/bin/sh', '-c', 'echo "error: no room" >&2; exit 1'] }
  const agent = await open()
  const message = 'the supervisor exited at once: error: no room'
  await expect(agent.start(labJob('w-lab-1-1', 'sleeps.sh'))).rejects.toThrow(new AgentUnavailable(message))
  expect(await agent.unacknowledged()).toEqual([])
})

test('the pid of a worker is known while it runs, also after adoption, and not afterwards', async () => {
  const worker = WORKERS[0] ?? ''
  const first = await open()
  expect(first.pidOf(worker)).toBeNull()
  await first.start(labJob(worker, 'sleeps.sh'))
  const pid = first.pidOf(worker)
  expect(pid).toBeGreaterThan(0)
  expect(identify(pid ?? 0)).not.toBeNull()
  await first.close()
  const second = await open()
  await second.unacknowledged()
  expect(second.pidOf(worker)).toBe(pid)
  await second.stop(worker, 'cancelled')
  expect(second.pidOf(worker)).toBeNull()
})
