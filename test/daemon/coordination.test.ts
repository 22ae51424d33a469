/** The file door of a real daemon: what is put into the coordination folder, and what is found there. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { workerToken } from '../../src/app/workers/live-workers.ts'
import {
  alertSchema,
  pmStateSchema,
  type Alert,
  type PmState,
} from '../../src/core/watch/checkins/coordination-files.ts'
import { Home, printed } from './program.ts'

const WORKER = 'w-shop-1-1'
const LOOP_MS = 200

let home: Home
beforeEach(async () => {
  home = new Home({ SCRIPT: 'endless', WATCH: JSON.stringify({ loopMs: LOOP_MS }) })
  const run = home.spawn(['run', 'shop-plan.md'])
  await printed(run, 'stdout', /dispatched/)
  await eventually(() => existsSync(at('worker-specs/active', `${WORKER}.json`)))
})
afterEach(() => home.dispose())

const eventually = (isSo: () => unknown): Promise<void> =>
  expect.poll(isSo, { timeout: 60_000, interval: 20 }).toBeTruthy()

const repository = (): string => readdirSync(join(home.root, 'repos'))[0] ?? ''
const at = (...path: string[]): string => join(home.root, 'repos', repository(), 'coordination', ...path)
const read = (...path: string[]): unknown => JSON.parse(readFileSync(at(...path), 'utf8'))
const readAlert = (...path: string[]): Alert => alertSchema.parse(read(...path))
const readState = (): PmState => pmStateSchema.parse(read('pm-state.json'))
const tokenOf = (worker: string): string => workerToken(home.token(), `${repository()}/shop`, worker)
const activity = (event: string): { worker_id?: string; data: Record<string, unknown> }[] =>
  readFileSync(at('pm-activity.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { event: string; data: Record<string, unknown> })
    .filter((line) => line.event === event)

/** Moved into place atomically. */
function put(folder: string, name: string, value: unknown): void {
  const draft = join(home.folder, name)
  writeFileSync(draft, typeof value === 'string' ? value : JSON.stringify(value))
  renameSync(draft, at(folder, name))
}
const ask = (name: string, more: Record<string, unknown> = {}): void =>
  put('pm-requests/pending', `${name}.json`, {
    worker_id: WORKER,
    token: tokenOf(WORKER),
    type: 'need_time',
    text: 'the build is slow',
    ...more,
  })
const outcome = async (name: string): Promise<Record<string, unknown>> => {
  await eventually(() => existsSync(at('pm-requests/processed', `${name}.json`)))
  return (read('pm-requests/processed', `${name}.json`) as { outcome: Record<string, unknown> }).outcome
}
const alertNames = (): string[] =>
  readdirSync(at('pm-alerts/pending')).filter((name) => name.startsWith('alert-'))
const alertName = async (): Promise<string> => {
  await eventually(() => alertNames().length > 0)
  return alertNames()[0] ?? ''
}

test('the folders are there before the first worker is sent', async () => {
  const fresh = new Home({ SCRIPT: 'endless' })
  try {
    await printed(fresh.spawn(['run', 'shop-plan.md']), 'stdout', /baseline taken/)
    const folder = join(fresh.root, 'repos', readdirSync(join(fresh.root, 'repos'))[0] ?? '', 'coordination')
    expect(readdirSync(join(folder, 'pm-requests')).toSorted()).toEqual(['malformed', 'pending', 'processed'])
    expect(readdirSync(join(folder, 'pm-alerts')).toSorted()).toEqual(['malformed', 'pending', 'resolved'])
  } finally {
    await fresh.dispose()
  }
})

describe('a request as a file', () => {
  test('is taken, answered, and moved with its answer and without its token', async () => {
    ask('req-1', { minutes: 20 })
    expect(await outcome('req-1')).toMatchObject({ outcome: 'granted', request: `${WORKER}-r1`, by: 'bosun' })
    expect(readFileSync(at('pm-requests/processed/req-1.json'), 'utf8')).not.toContain(tokenOf(WORKER))
    await eventually(() => readdirSync(at('pm-requests/pending')).length === 0)
    expect(activity('request_received')).toMatchObject([{ worker_id: WORKER, data: { type: 'need_time' } }])
  })

  test.each([
    ['none', {}, 'it has no token'],
    ['of another attempt', { token: 'w-shop-1-2' }, 'of another worker or attempt'],
  ])('asks for nothing with a token: %s', async (_which, { token }: { token?: string }, why) => {
    ask('req-1', { token: token === undefined ? undefined : tokenOf(token) })
    expect(await outcome('req-1')).toMatchObject({
      outcome: 'refused',
      text: expect.stringContaining(why) as string,
    })
    expect(activity('request_received')).toEqual([])
  })

  test('of a worker that is not there is refused', async () => {
    ask('req-1', { worker_id: 'w-shop-9-1' })
    expect(await outcome('req-1')).toMatchObject({ outcome: 'refused', text: 'w-shop-9-1 is not running' })
  })

  test('waits where it was put until a person answers, also when the daemon is killed, and is asked once', async () => {
    ask('req-7', { type: 'need_clarification', text: 'which schema?' })
    const name = await alertName()
    process.kill(home.daemon().pid, 'SIGKILL')
    await home.run(['resume'])
    const { item } = readAlert('pm-alerts/pending', name)
    expect((await home.run(['answer', item, 'answer', '--feedback', 'the second'])).exit).toBe(0)
    expect(await outcome('req-7')).toMatchObject({
      outcome: 'answered',
      text: expect.stringContaining('the second') as string,
    })
    expect(activity('request_received')).toHaveLength(1)
    await eventually(() => existsSync(at('pm-alerts/resolved', name)))
    expect(readAlert('pm-alerts/resolved', name).resolution).toMatchObject({
      outcome: 'answered',
      choice: 'answer',
    })
  })
})

test('an answer waits for its worker as a file, at once', async () => {
  ask('req-1', { minutes: 20 })
  await outcome('req-1')
  const messages = at('worker-messages', WORKER)
  await eventually(() => existsSync(messages) && readdirSync(messages).includes('1.txt'))
  expect(readFileSync(join(messages, '1.txt'), 'utf8')).toContain('granted: 20 min more')
})

describe('what is put there and is no request', () => {
  const aside = async (name: string): Promise<string> => {
    const reason = at('pm-requests/malformed', `${name}.reason.txt`)
    await eventually(() => existsSync(reason))
    expect(existsSync(at('pm-requests/pending', name))).toBe(false)
    return readFileSync(reason, 'utf8')
  }

  test.each([
    ['minutes: ', { minutes: -5 }],
    ['type: ', { type: 'need_coffee' }],
    ['worker_id: ', { worker_id: '../../etc/passwd' }],
    ['colour', { colour: 'red' }],
  ])('is set aside with the reason: %s', async (why, more) => {
    ask('req-1', more)
    expect(await aside('req-1.json')).toContain(why)
  })

  test('is not followed, waited for or read without end', async () => {
    const secret = join(home.folder, 'secret.json')
    writeFileSync(secret, JSON.stringify({ worker_id: WORKER, type: 'blocked', text: 'x' }))
    symlinkSync(secret, at('pm-requests/pending/req-link.json'))
    execFileSync('mkfifo', [at('pm-requests/pending/req-pipe.json')])
    mkdirSync(at('pm-requests/pending/req-folder.json'))
    put('pm-requests/pending', 'req-large.json', 'x'.repeat(1024 * 1024))
    expect(await aside('req-link.json')).toContain('it is a link')
    expect(await aside('req-pipe.json')).toContain('not a regular file')
    expect(await aside('req-folder.json')).toContain('not a regular file')
    expect(await aside('req-large.json')).toContain('larger than')
    expect(existsSync(secret)).toBe(true)
    ask('req-1', { minutes: 5 })
    expect(await outcome('req-1')).toMatchObject({ outcome: 'granted' })
  })

  test('a folder that is a link is ignored and reported once, and the rest goes on', async () => {
    const elsewhere = join(home.folder, 'elsewhere')
    mkdirSync(elsewhere)
    // A daemon that runs on would make the folders again in between.
    process.kill(home.daemon().pid, 'SIGSTOP')
    rmSync(at('pm-requests'), { recursive: true })
    symlinkSync(elsewhere, at('pm-requests'))
    process.kill(home.daemon().pid, 'SIGCONT')
    const log = (): string => readFileSync(join(home.root, 'daemon.log'), 'utf8')
    // The rest of that loop may still be to come, the state among it.
    await eventually(() => log().includes('is a symbolic link') && existsSync(at('pm-state.json')))
    const before = readState().pm_daemon.loops_completed
    await eventually(() => readState().pm_daemon.loops_completed > before + 3)
    expect([readdirSync(elsewhere), log().split('is a symbolic link').length - 1]).toEqual([[], 1])
  })
})

describe('an alert', () => {
  beforeEach(() => ask('req-1', { type: 'blocked', text: 'no access' }))

  test('takes no answer that needs the user, and says so in the file', async () => {
    const name = await alertName()
    put('pm-alerts/pending', name.replace('.json', '.answer.json'), {
      choice: 'answer',
      feedback: 'do it',
      by: 'eve',
    })
    await eventually(() => readAlert('pm-alerts/pending', name).refused !== undefined)
    const { refused, item } = readAlert('pm-alerts/pending', name)
    expect(refused).toMatchObject({
      choice: 'answer',
      why: "answer needs the user's token",
      remedy: `Answer it on the command line: bosun answer ${item} answer`,
    })
    expect(activity('request_answered')).toEqual([])
  })

  test('is answered with restart: the worker is replaced, and all files say what became of it', async () => {
    const name = await alertName()
    const alert = readAlert('pm-alerts/pending', name)
    expect(name).toBe(`alert-${WORKER}-blocked-r1.json`)
    expect(alert).toMatchObject({
      worker_id: WORKER,
      plan_id: 'shop',
      task_id: '1',
      about: 'request',
      kind: 'escalation',
    })
    put('pm-alerts/pending', name, { ...alert, answer: { choice: 'restart', by: 'ada' } })
    await eventually(() => existsSync(at('worker-specs/active/w-shop-1-2.json')))
    await eventually(() => existsSync(at(`worker-specs/failed/${WORKER}.json`)))
    expect(read(`worker-specs/failed/${WORKER}.json`)).toMatchObject({
      status: 'failed',
      reason: 'restarted',
    })
    expect(existsSync(at(`worker-specs/active/${WORKER}.json`))).toBe(false)
    await eventually(() => existsSync(at('pm-alerts/resolved', name)))
    expect(readAlert('pm-alerts/resolved', name).resolution).toMatchObject({
      choice: 'restart',
      by: 'ada (by file)',
    })
    expect(await outcome('req-1')).toMatchObject({ outcome: 'ended' })
  })

  test('is resolved when its worker ends', async () => {
    const name = await alertName()
    await home.run(['worker', 'kill', WORKER])
    await eventually(() => existsSync(at('pm-alerts/resolved', name)))
    expect(readAlert('pm-alerts/resolved', name).resolution).toMatchObject({ outcome: 'withdrawn' })
  })
})

test('pm-state.json is there whole at any moment, and says what the watch knows', async () => {
  await eventually(() => existsSync(at('pm-state.json')))
  const first = readState()
  const loops = new Set<number>()
  await eventually(() => {
    for (let look = 0; look < 50; look++) loops.add(readState().pm_daemon.loops_completed)
    return loops.size > 5
  })
  expect(first.pm_daemon).toMatchObject({ pid: home.daemon().pid, version: '0.0.1' })
  expect(readState().monitored_workers[WORKER]).toMatchObject({
    checkin_count: 0,
    health_state: 'healthy',
  })
  expect(lstatSync(at('pm-state.json')).mode & 0o777).toBe(0o600)
})

test('a person tells a worker something, and not one that has ended', async () => {
  const words = ['use the second schema', '--type', 'revise', '--by', 'Ann Lee']
  const sent = await home.run(['worker', 'instruct', WORKER, ...words])
  const note = 'delivered with its next check-in, so this does not interrupt its agent'
  expect([sent.exit, sent.stdout]).toEqual([0, `message queued for ${WORKER}; ${note}\n`])
  expect(activity('instruction_sent')).toMatchObject([
    { data: { text: 'revise: use the second schema', by: 'Ann Lee' } },
  ])
  await home.run(['worker', 'kill', WORKER])
  await eventually(() => existsSync(at(`worker-specs/failed/${WORKER}.json`)))
  const late = await home.run(['worker', 'instruct', WORKER, 'too late'])
  expect([late.exit, late.stderr]).toEqual([4, expect.stringContaining(`${WORKER} has already ended`)])
})
