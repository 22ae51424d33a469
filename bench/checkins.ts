/**
 * Check-ins: how long a durable one takes at 1,000 a second, what a worker costs the daemon, how fast files are taken, what
 * `bosun-checkin` costs its worker, and whether any is lost to `kill -9`.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { installWorkerTools } from '../src/agents/command/checkin-script.ts'
import { workerToken } from '../src/app/workers/live-workers.ts'
import { workerOf } from '../test/checkins/door.ts'
import { checkInUntilKilled, keptIn } from '../test/checkins/killed-door.ts'
import { load, quantile, type Target } from './lib/checkin-load.ts'
import { median, report, round, syncFloorMs } from './lib/measure.ts'
import { cpuMs } from './lib/process-cost.ts'

const WORKERS = 1000
const PER_SECOND = 1000
const CHECKINS = 10_000
const FILES = 10_000
const ROUNDS = 3
const KILLS = 50
const CALLS = 100
const MARKS = {
  p99_ms: 50,
  kb_a_worker: 20,
  files_per_s: 2000,
  script_ms: 15,
} as const

const DOOR = join(import.meta.dirname, '../test/fixtures/checkins/door.ts')
const names = Array.from({ length: WORKERS }, (_, index) => workerOf(index))
const folder = mkdtempSync(join(tmpdir(), 'bosun-bench-'))
let roots = 0

interface Served extends Target {
  readonly root: string
  readonly stream: string
  readonly process: ChildProcess
  stop(): Promise<void>
}

async function serveFrom(root = join(folder, `root-${++roots}`)): Promise<Served> {
  mkdirSync(root, { recursive: true })
  const child = spawn(process.execPath, ['--expose-gc', DOOR, root, String(WORKERS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const first = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next()
  const { port, stream } = JSON.parse(String(first.value)) as { port: number; stream: string }
  const secret = readFileSync(join(root, 'token'), 'utf8').trim()
  return {
    root,
    port,
    stream,
    process: child,
    tokenOf: (worker) => workerToken(secret, stream, worker),
    stop: () => {
      child.kill('SIGKILL')
      return gone
    },
  }
}

/** Of the process itself, without what the system could take back. */
const residentKb = ({ pid }: ChildProcess): number =>
  Number(/^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? Number.NaN)

const expectKept = async (root: string, count: number): Promise<void> => {
  const found = (await keptIn(root)).length
  if (found !== count) throw new Error(`${count} check-ins were acknowledged, ${found} were kept`)
}

/** At the pace of 1,000 workers that check in once a second; and what the daemon has grown by for each of them. */
async function measureDoor() {
  const served = await serveFrom()
  const beforeKb = residentKb(served.process)
  const { latenciesMs, perSecond } = await load(served, {
    workers: names,
    count: CHECKINS,
    connections: 256,
    perSecond: PER_SECOND,
  })
  const afterKb = residentKb(served.process)
  const cpuUs = (cpuMs(served.process.pid ?? 0) * 1000) / CHECKINS
  await served.stop()
  await expectKept(served.root, CHECKINS)
  return { latenciesMs, perSecond, cpuUs, kbAWorker: (afterKb - beforeKb) / WORKERS }
}

/** From the first file that the daemon could see to the last one that is kept. */
async function measureFiles(): Promise<number> {
  const served = await serveFrom()
  const [repository = ''] = readdirSync(join(served.root, 'repos'))
  await served.stop()
  const spool = join(served.root, 'repos', repository, 'coordination', 'worker-checkins')
  const now = Date.now()
  for (let index = 0; index < FILES; index++) {
    const worker = workerOf(index % WORKERS)
    const at = new Date(now - FILES + index).toISOString()
    const fields = { worker_id: worker, timestamp: at, token: served.tokenOf(worker), status: 'in_progress' }
    const stamp = `${at.replaceAll(/[-:]/g, '').slice(0, 15)}Z`
    const text = JSON.stringify({ ...fields, progress_pct: index % 100, current_step: `step ${index}` })
    writeFileSync(join(spool, `${worker}-${stamp}-${index}.json`), text)
  }
  const again = await serveFrom(served.root)
  const began = performance.now()
  const left = (): number => readdirSync(spool).filter((name) => name.endsWith('.json')).length
  const atStart = left()
  while (left() > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  const seconds = (performance.now() - began) / 1000
  await again.stop()
  await expectKept(again.root, FILES)
  return atStart / seconds
}

function measureScript(): number {
  const tools = join(folder, 'tools')
  installWorkerTools(tools)
  const coordination = join(folder, 'coordination')
  const env = {
    PATH: process.env['PATH'] ?? '',
    BOSUN_WORKER_ID: 'w-shop-1-1',
    BOSUN_TOKEN: 'ab'.repeat(32),
    BOSUN_COORDINATION: coordination,
  }
  const args = ['in_progress', '40', '--current-step', 'building the parser', '--token-usage', '1200']
  const times = Array.from({ length: CALLS }, () => {
    const began = performance.now()
    if (spawnSync(join(tools, 'bosun-checkin'), args, { env }).status !== 0) throw new Error('it failed')
    return performance.now() - began
  })
  const written = readdirSync(join(coordination, 'worker-checkins')).length
  if (written !== CALLS) throw new Error(`${CALLS} check-ins were made, ${written} are there`)
  return median(times)
}

async function measureKills(): Promise<{ readonly acknowledged: number; readonly lost: number }> {
  const root = join(folder, 'killed')
  mkdirSync(root)
  const acknowledged: string[] = []
  for (let kill = 0; kill < KILLS; kill++)
    acknowledged.push(...(await checkInUntilKilled(root, { workers: 20, answers: 1 + ((kill * 37) % 150) })))
  const kept = new Set(await keptIn(root))
  return { acknowledged: acknowledged.length, lost: acknowledged.filter((step) => !kept.has(step)).length }
}

try {
  const rounds: Awaited<ReturnType<typeof measureDoor>>[] = []
  for (let turn = 0; turn < ROUNDS; turn++) rounds.push(await measureDoor())
  const p = (share: number) => median(rounds.map(({ latenciesMs }) => quantile(latenciesMs, share)))
  const { acknowledged, lost } = await measureKills()
  const figures = {
    p50_ms: round(p(0.5)),
    p99_ms: round(p(0.99)),
    per_s: Math.round(median(rounds.map(({ perSecond }) => perSecond))),
    cpu_us: Math.round(median(rounds.map(({ cpuUs }) => cpuUs))),
    kb_a_worker: round(median(rounds.map(({ kbAWorker }) => kbAWorker)), 1),
    files_per_s: Math.round(await measureFiles()),
    script_ms: round(measureScript(), 1),
    kills: KILLS,
    acknowledged,
    lost,
    sync_floor_ms: round(syncFloorMs(), 3),
  }
  const missed = [
    figures.p99_ms > MARKS.p99_ms ? 'p99' : null,
    figures.kb_a_worker > MARKS.kb_a_worker ? 'memory' : null,
    figures.files_per_s < MARKS.files_per_s ? 'files' : null,
    figures.script_ms > MARKS.script_ms ? 'script' : null,
    figures.lost > 0 ? 'lost' : null,
  ].filter((one) => one !== null)
  report('checkins', [figures], { ...figures, ok: missed.length === 0 })
  if (missed.length > 0) {
    console.log(`missed: ${missed.join(', ')}`)
    process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
