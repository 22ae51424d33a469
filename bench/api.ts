/**
 * Lists of 50 over HTTP from a real daemon whose open plans have 100,000 tasks, one of them 20,000, each plan with an open
 * question, beside 100,000 notes of check-ins: how long each answer takes, page after page. Beside it a
 * bare server that answers a text of the same length: what the machine takes for nothing at all. Then one worker whose plan has
 * 100,000 events: the first look at it after a start, and the looks after that.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { availableParallelism, loadavg } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { performance } from 'node:perf_hooks'
import { Lab } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'
import { chainEvents } from '../test/helpers/chained-events.ts'

const MARK_MS = 25
const LARGE = 20_000
const PLANS = 80
const TASKS = 1000
const LIMIT = 50
const PAGES = 400
const EVENTS = 100_000
const WORKER = 'w-busy-1-1'
const NOTES = 100_000

/** Its tests cannot run: a person is asked before any work begins, and no worker starts. */
const ENVIRONMENT =
  'environment: { setup: null, test: "no-such-program-here", lint: null, typecheck: null, build: null }'

function planText(id: string, tasks: number): string {
  const rows = Array.from(
    { length: tasks },
    (_, nth) =>
      `  - { id: "${nth + 1}", title: Add value ${nth + 1}, tier: low, ownership: src/v${nth + 1}, acceptance_criteria: ["v${nth + 1} is 1"], files: { create: [src/v${nth + 1}] }${nth % 10 === 0 ? '' : `, depends_on: ["${nth}"]`} }`,
  )
  return [`plan: ${id}`, `title: ${id}`, ENVIRONMENT, 'tasks:', ...rows, ''].join('\n')
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const lab = new Lab({ 'README.md': '# Values\n' })
lab.write({
  'tools/agent.sh': '#!/bin/sh\nsleep 1000\n',
  'bosun.yaml': 'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }\n',
})

interface Answered {
  readonly ms: number
  readonly answer: Readonly<Record<string, unknown>>
}

function call(path: string, body?: object, port = lab.daemon().port): Promise<Answered> {
  const token = readFileSync(join(lab.home, 'token'), 'utf8').trim()
  const text = body === undefined ? '' : JSON.stringify(body)
  const more =
    body === undefined
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const asked = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { Authorization: `Bearer ${token}`, ...more },
      },
      (response) => {
        let received = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (received += chunk))
        response.on('error', reject)
        response.on('end', () => {
          const ms = performance.now() - start
          if (response.statusCode !== 200) reject(new Error(`${path}: ${received.slice(0, 300)}`))
          else resolve({ ms, answer: JSON.parse(received) as Answered['answer'] })
        })
      },
    )
    asked.on('error', reject)
    asked.end(text)
  })
}

/** On a busy machine a start may take longer than a command waits for it. */
async function startDaemon(): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { exit, stderr } = await lab.bosun('resume')
    if (exit === 0) return
    if (tries === 5) throw new Error(stderr)
  }
}

/** Older check-ins of workers: as many notes as are kept. */
async function writeOldActivity(): Promise<void> {
  await lab.bosun('stop')
  const db = new DatabaseSync(join(lab.home, 'bosun.db'))
  const repository = String(db.prepare('select id from repositories').get()?.['id'])
  const insert = db.prepare(
    "insert into notes (repository, at, event, plan, worker, task, data) values (?, ?, 'checkin_received', 'p1', ?, ?, ?)",
  )
  db.exec('begin immediate')
  const from = Date.now() - 3_600_000
  for (let nth = 0; nth < NOTES; nth++) {
    const data = { status: 'in_progress', progress_pct: nth % 100, current_step: 'runs the tests'.repeat(10) }
    insert.run(repository, from + nth * 10, `w-p1-${nth % 1000}-1`, String(nth % 1000), JSON.stringify(data))
  }
  chainEvents(db)
  db.exec('commit')
  db.close()
  await startDaemon()
}

/** A plan with a worker at work, and 100,000 events that say nothing about it. */
async function makeLongHistory(): Promise<void> {
  const nothing = 'environment: { setup: null, test: null, lint: null, typecheck: null, build: null }'
  const text = planText('busy', 1).replace(ENVIRONMENT, nothing)
  await call('/api/plans', { cwd: lab.repo, path: 'busy.yaml', text })
  for (;;) {
    const { answer } = await call('/api/workers')
    const rows = answer['workers'] as readonly { readonly id: string; readonly pid: number | null }[]
    if (rows.some(({ id, pid }) => id === WORKER && pid !== null)) break
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await lab.bosun('stop')
  const db = new DatabaseSync(join(lab.home, 'bosun.db'))
  const row = db.prepare("select stream, version from streams where stream like '%/busy'").get()
  const [stream, version] = [String(row?.['stream']), Number(row?.['version'])]
  db.exec('begin immediate')
  const event = db.prepare(
    "insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, 'progress.reported', 1, ?, '')",
  )
  const data = JSON.stringify({ why: 'half an hour', text: 'x'.repeat(300) })
  const at = Date.now()
  for (let nth = 1; nth <= EVENTS; nth++) event.run(stream, version + nth, at, data)
  db.prepare('update streams set version = ? where stream = ?').run(version + EVENTS, stream)
  chainEvents(db)
  db.exec('commit')
  db.close()
  await startDaemon()
  // Its connections are those of the daemon before.
  agent.destroy()
}

/** What the page asks for when a worker is opened. */
async function measuredWorker(what: string) {
  const path = `/api/workers/${WORKER}${what}`
  const first = await call(path)
  const times: number[] = []
  for (let look = 0; look < PAGES; look++) times.push((await call(path)).ms)
  const sorted = times.toSorted((a, b) => a - b)
  const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN
  const spread = { p50_ms: round(median(times)), p99_ms: round(p99) }
  return { list: `worker${what}`, rows: 1, pages: PAGES, ...spread, first_ms: round(first.ms) }
}

/** A process of its own, as the daemon is. It answers every call with a page of rows. */
async function bareServer(): Promise<{ readonly port: number; end: () => void }> {
  const program = `
    const rows = Array.from({ length: ${LIMIT} }, (_, nth) => ({ id: String(nth), text: 'x'.repeat(300) }))
    const server = require('node:http').createServer((_, answer) => answer.end(JSON.stringify({ rows, next: null })))
    server.listen(0, '127.0.0.1', () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer]
  return { port: Number(chunk.toString()), end: () => child.kill() }
}

interface Row extends Record<string, string | number> {
  readonly list: string
  readonly rows: number
  readonly pages: number
  readonly p50_ms: number
  readonly p99_ms: number
}

interface Asked {
  readonly list: string
  readonly rows: string
  readonly path: string
  readonly cursor?: string
  readonly port?: number
}

/** Page after page, from the first again behind the last. `rows` is where they are in the answer. */
async function measured({ list, rows, path, cursor: cursorName = 'cursor', port }: Asked): Promise<Row> {
  const times: number[] = []
  const seen = new Set<string>()
  let isRepeated = false
  let next: string | null = null
  for (let page = 0; page < PAGES; page++) {
    const cursor: string = next === null ? '' : `&${cursorName}=${encodeURIComponent(next)}`
    const { ms, answer } = await call(`${path}?limit=${LIMIT}${cursor}`, undefined, port)
    const found = answer[rows] as readonly unknown[]
    next = answer['next'] as string | null
    if (found.length !== LIMIT && next !== null) throw new Error(`${list}: a page of ${found.length}`)
    if (!isRepeated) for (const row of found) seen.add(JSON.stringify(row).slice(0, 200))
    isRepeated ||= next === null
    times.push(ms)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const p99 = sorted[Math.ceil(0.99 * sorted.length) - 1] ?? Number.NaN
  return { list, rows: seen.size, pages: PAGES, p50_ms: round(median(times)), p99_ms: round(p99) }
}

try {
  await startDaemon()
  const register = async (id: string, tasks: number): Promise<void> => {
    await call('/api/plans', { cwd: lab.repo, path: `${id}.yaml`, text: planText(id, tasks) })
  }
  const start = performance.now()
  await register('large', LARGE)
  console.log(`registered ${LARGE} tasks after ${round((performance.now() - start) / 1000, 1)} s`)
  await writeOldActivity()
  for (let nth = 1; nth <= PLANS; nth++) await register(`p${nth}`, TASKS)
  for (;;) {
    const { answer } = await call('/api/inbox?limit=1')
    if (answer['total'] === PLANS + 1) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { answer } = await call('/api/tasks?limit=1')
  if (answer['total'] !== LARGE + PLANS * TASKS) throw new Error(`there are ${String(answer['total'])} tasks`)
  console.log(`ready after ${round((performance.now() - start) / 1000, 1)} s`)
  const lists = [
    await measured({ list: 'tasks of a plan', rows: 'tasks', path: '/api/plans/large/tasks' }),
    await measured({ list: 'tasks of all plans', rows: 'tasks', path: '/api/tasks' }),
    await measured({ list: 'inbox', rows: 'inbox', path: '/api/inbox' }),
    await measured({ list: 'activity', rows: 'activity', path: '/api/activity', cursor: 'before' }),
    await measured({ list: 'plans', rows: 'plans', path: '/api/plans' }),
  ]
  const bare = await bareServer()
  const floor = await measured({ list: 'bare server', rows: 'rows', path: '/', port: bare.port })
  bare.end()
  await makeLongHistory()
  const workers = [await measuredWorker(''), await measuredWorker('/journal'), await measuredWorker('/diff')]
  const worst = Math.max(...lists.map(({ p99_ms }) => p99_ms))
  const machine = { load: round(loadavg()[0] ?? 0, 1), cores: availableParallelism() }
  report('api', [...lists, floor, ...workers], {
    mark: MARK_MS,
    tasks: LARGE + PLANS * TASKS,
    p99_ms: worst,
    bare_p99_ms: floor.p99_ms,
    worker_first_ms: workers[0]?.first_ms ?? Number.NaN,
    worker_p99_ms: workers[0]?.p99_ms ?? Number.NaN,
    ...machine,
    ok: worst <= MARK_MS,
  })
  if (worst > MARK_MS) process.exitCode = 1
} finally {
  agent.destroy()
  await lab.dispose()
}
