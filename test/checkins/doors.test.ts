/** A worker's own ways to speak, against the real server and the real store. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { installWorkerTools } from '../../src/agents/command/checkin-script.ts'
import { workerToken } from '../../src/app/workers/live-workers.ts'
import type { HostedPlan } from '../../src/app/host/hosted-plan.ts'
import { MOST_AN_HOUR } from '../../src/core/watch/checkins/weigh-checkin.ts'
import { mayMount, SmallDisk } from '../delivery/small-disk.ts'
import { BIN } from '../cli/bosun.ts'
import { documentProblems } from '../helpers/json-documents.ts'
import { CheckinClient } from './client.ts'
import { openDoor, taskOf, workerOf, type CheckinDoor } from './door.ts'
import { stepIn } from './killed-door.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const PATIENCE = { timeout: 60_000, interval: 10 }
const WORKER = workerOf(0)
let folder: string
let root: string
let disk: SmallDisk | null
let door: CheckinDoor | null

beforeEach(() => {
  folder = tempFolder('doors')
  root = join(folder, 'state')
  disk = null
  door = null
  installWorkerTools(join(folder, 'tools'))
})
afterEach(async () => {
  await door?.serving.close()
  disk?.unmount()
})

async function open(): Promise<CheckinDoor> {
  door = await openDoor(root, 2)
  return door
}
const plan = ({ host }: CheckinDoor): HostedPlan => {
  const [only] = host.plans()
  if (only === undefined) throw new Error('there is no plan')
  return only
}
const kept = async ({ store }: CheckinDoor) =>
  (await store.notes.tail(0, 100)).flatMap(({ event, data }) =>
    event === 'checkin_received' ? [stepIn(data)] : [],
  )
const claimAt = (at: CheckinDoor) => plan(at).observed?.workers.get(WORKER)?.claim
const coordinationOf = (at: CheckinDoor): string =>
  join(root, 'repos', plan(at).home.repository.id, 'coordination')

/** What a worker finds in its environment. */
function around(at: CheckinDoor, worker = WORKER): Record<string, string> {
  const secret = readFileSync(join(root, 'token'), 'utf8').trim()
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    BOSUN_HOME: join(folder, 'elsewhere'),
    BOSUN_WORKER_ID: WORKER,
    BOSUN_URL: at.serving.facts.url,
    BOSUN_TOKEN: workerToken(secret, plan(at).home.stream, worker),
    BOSUN_COORDINATION: coordinationOf(at),
    BOSUN_REPORT: join(folder, 'report.json'),
  }
}

interface Ended {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
}

function run(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, stdio: 'pipe' })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (exit) => resolve({ exit, stdout, stderr }))
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}
const script = (): string => join(folder, 'tools/bosun-checkin')

async function tell(at: CheckinDoor, text: string): Promise<void> {
  const hosted = plan(at)
  const id = (hosted.state.tasks.get(taskOf(0))?.live?.watch.messages ?? 0) + 1
  const message = { id, kind: 'nudge', text, about: `nudge ${id}`, by: 'ann' } as const
  const about = { worker: WORKER, task: taskOf(0), attempt: 1 }
  const proposed = await hosted.propose({ type: 'worker.told', v: 1, ...about, message, why: 'it is silent' })
  expect(proposed).toEqual({ ok: true })
}
const waiting = (at: CheckinDoor): number =>
  plan(at).state.tasks.get(taskOf(0))?.live?.watch.waiting.length ?? 0

describe('bosun-checkin', () => {
  test('is heard, and prints what waits for its worker, once', async () => {
    const at = await open()
    await tell(at, 'Say where you are.')
    const file = join(coordinationOf(at), 'worker-messages', WORKER, '1.txt')
    await vi.waitUntil(() => existsSync(file), PATIENCE)
    const first = await run(script(), ['in_progress', '40', '--current-step', 'first'], around(at))
    expect(first).toEqual({ exit: 0, stdout: 'nudge: Say where you are.\n', stderr: '' })
    await vi.waitUntil(async () => (await kept(at)).length === 1, PATIENCE)
    await vi.waitUntil(() => waiting(at) === 0, PATIENCE)
    const second = await run(script(), ['in_progress', '50', '--current-step', 'second'], around(at))
    expect(second.stdout).toBe('')
    await vi.waitUntil(async () => (await kept(at)).length === 2, PATIENCE)
    expect(await kept(at)).toEqual(['first', 'second'])
  })

  test('is heard by the next daemon when there is none', async () => {
    const before = await open()
    const env = around(before)
    await before.serving.close()
    expect((await run(script(), ['blocked', '40', '--current-step', 'alone'], env)).exit).toBe(0)
    const at = await open()
    await vi.waitUntil(async () => (await kept(at)).length === 1, PATIENCE)
    expect(claimAt(at)).toMatchObject({ status: 'blocked', percent: 40 })
  })

  test('is ordered after one over HTTP within the same second', async () => {
    const at = await open()
    const env = around(at)
    for (let percent = 1; percent < 6; percent++) {
      await run(BIN, ['checkin', 'in_progress', String(percent)], env)
      await run(script(), ['blocked', String(percent + 10)], env)
      await vi.waitUntil(async () => (await kept(at)).length === 2 * percent, PATIENCE)
      expect(claimAt(at)).toMatchObject({ status: 'blocked', percent: percent + 10 })
    }
  })
})

test('a worker that says too much is heard when it asks, and when it says that it is done', async () => {
  const at = await open()
  const env = around(at)
  for (let percent = 1; percent <= MOST_AN_HOUR + 2; percent++)
    await run(script(), ['in_progress', String(percent)], env)
  await vi.waitUntil(async () => (await kept(at)).length === MOST_AN_HOUR, PATIENCE)
  await run(BIN, ['checkin', 'in_progress', '90', '--issue', 'which schema?', '--request', 'need_help'], env)
  expect(plan(at).state.tasks.get(taskOf(0))?.live?.watch.requests).toMatchObject([{ kind: 'need_help' }])
  await run(BIN, ['checkin', 'completed', '100'], env)
  expect(claimAt(at)).toMatchObject({ status: 'completed', percent: 100 })
})

describe('a tool call that a worker declared', () => {
  const tools = (at: CheckinDoor): string[] => [
    ...(plan(at).observed?.workers.get(WORKER)?.tools.keys() ?? []),
  ]
  const says = async (at: CheckinDoor, ...words: string[]): Promise<void> => {
    expect((await run(BIN, ['checkin', 'in_progress', '40', ...words], around(at))).exit).toBe(0)
  }
  async function again(at: CheckinDoor): Promise<CheckinDoor> {
    await at.serving.close()
    return open()
  }

  test('is in flight for the next daemon too, since when it began, until it ends', async () => {
    const before = await open()
    await says(before, '--tool-start', 'build')
    await says(before, '--current-step', 'waiting')
    const began = plan(before).observed?.workers.get(WORKER)?.tools.get('build')
    expect(began).toBeDefined()
    const at = await again(before)
    expect(plan(at).observed?.workers.get(WORKER)?.tools.get('build')).toEqual(began)
    await says(at, '--tool-end', 'build')
    expect(tools(await again(at))).toEqual([])
  })

  test('is so also where the check-in counts for nothing else', async () => {
    const before = await open()
    await says(before, '--tool-start', 'build')
    await says(before, '--tool-end', 'build')
    await says(before, '--tool-start', 'build')
    // A duplicate within the minute: only the tool call is kept.
    expect(await kept(before)).toHaveLength(2)
    expect(tools(await again(before))).toEqual(['build'])
  })
})

describe('bosun checkin, request and report', () => {
  test('speak to the daemon, and print what it answers', async () => {
    const at = await open()
    await tell(at, 'Go on.')
    const env = around(at)
    const args = [
      'checkin',
      'in_progress',
      '40',
      '--current-step',
      'over HTTP',
      '--issue',
      'a',
      '--issue',
      'b',
    ]
    expect(await run(BIN, args, env)).toEqual({ exit: 0, stdout: 'nudge: Go on.\n', stderr: '' })
    expect(plan(at).observed?.workers.get(WORKER)?.claim).toMatchObject({ percent: 40, issues: ['a', 'b'] })
    expect(waiting(at)).toBe(0)
    const said = await run(BIN, ['checkin', 'in_progress', '50', '--json'], env)
    expect(documentProblems(JSON.parse(said.stdout), ['checkin'])).toEqual([])
    const asked = await run(BIN, ['request', 'blocked', 'no schema', '--json'], env)
    expect(JSON.parse(asked.stdout)).toMatchObject({ schema: 'bosun.request/v1', accepted: true })
    expect(documentProblems(JSON.parse(asked.stdout), ['request'])).toEqual([])
    const report = await run(BIN, ['report', '--json'], env, '{"explanation":"done"}')
    expect(report.exit).toBe(0)
    expect(documentProblems(JSON.parse(report.stdout), ['report'])).toEqual([])
    expect(JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))).toEqual({ explanation: 'done' })
  })

  test('leave a file where no daemon answers', async () => {
    const before = await open()
    const env = around(before)
    const coordination = coordinationOf(before)
    await before.serving.close()
    const { exit, stdout } = await run(BIN, ['checkin', 'in_progress', '40', '--current-step', 'later'], env)
    expect([exit, stdout]).toEqual([0, expect.stringContaining('for later delivery')])
    const slow = await run(BIN, ['request', 'need_time', 'slow', '--minutes', '20', '--json'], env)
    expect(slow.exit).toBe(0)
    expect(documentProblems(JSON.parse(slow.stdout), ['request'])).toEqual([])
    const [request = ''] = readdirSync(join(coordination, 'pm-requests/pending'))
    expect(
      JSON.parse(readFileSync(join(coordination, 'pm-requests/pending', request), 'utf8')),
    ).toMatchObject({
      worker_id: WORKER,
      type: 'need_time',
      minutes: '20',
    })
    const at = await open()
    await vi.waitUntil(async () => (await kept(at)).length === 1, PATIENCE)
  })

  test.each([
    [2, ['checkin', 'asleep', '40'], /status: /],
    [2, ['checkin', 'in_progress', 'much'], /percentage must be a number, not "much"/],
    [2, ['checkin', 'in_progress', '101'], /progress_pct: /],
    [2, ['checkin', 'in_progress', '5', '--can-retry', 'yes'], /need --failure-reason/],
    [2, ['checkin', 'in_progress', '5', '--metric', 'x'], /invalid --metric "x" \(use NAME=NUMBER\)/],
    [2, ['request', 'need_sleep', 'x'], /invalid request/],
    [2, ['report'], /not a JSON object/],
  ])('end with %d for %j', async (code, args, message) => {
    const { exit, stderr } = await run(BIN, args, around(await open()))
    expect([exit, stderr]).toEqual([code, expect.stringMatching(message)])
  })

  test('are not for another attempt, and not for people', async () => {
    const at = await open()
    const stale = await run(BIN, ['checkin', 'in_progress', '5'], around(at, workerOf(1)))
    expect([stale.exit, stale.stderr]).toEqual([1, expect.stringContaining('expired')])
    const { BOSUN_WORKER_ID: _, ...person } = around(at)
    expect(await run(BIN, ['checkin', 'in_progress', '5'], person)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('this command is for workers'),
    })
    expect(await kept(at)).toEqual([])
  })
})

describe.skipIf(!mayMount())('on a full disk', () => {
  test('no check-in is acknowledged that is not kept, and those in files are heard when there is room', async () => {
    disk = new SmallDisk(root, 32)
    const at = await open()
    const client = new CheckinClient({ root, port: at.serving.facts.port, stream: plan(at).home.stream })
    const say = (step: string) =>
      client.post(WORKER, JSON.stringify({ status: 'in_progress', progress_pct: 4, current_step: step }))
    expect((await say('before')).status).toBe(202)
    disk.fill()
    const answers: number[] = []
    // What was set aside for the log takes a few before it is full as well.
    await vi.waitUntil(async () => {
      const { status, body } = await say(`full ${answers.length} ${'x'.repeat(1500)}`)
      answers.push(status)
      if (status === 202) return false
      expect(body).toContain('the disk is full')
      return true
    }, PATIENCE)
    expect(answers.at(-1)).toBe(503)
    const acknowledged = 1 + answers.filter((status) => status === 202).length
    disk.free()
    expect((await say('after')).status).toBe(202)
    expect((await run(script(), ['blocked', '40', '--current-step', 'file'], around(at))).exit).toBe(0)
    await vi.waitUntil(async () => (await kept(at)).includes('file'), PATIENCE)
    expect(await kept(at)).toHaveLength(acknowledged + 2)
    client.close()
  })
})
