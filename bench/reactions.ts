/**
 * How soon Bosun reacts, in the real program: from the death of a worker or of its supervisor until the daemon records it; from
 * a report until its idle worker is ended; from the start of a daemon whose predecessor was killed until every worker is adopted, by the
 * same pid; from the limit of a command until nothing of it runs; and how long the demos take.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readIdentity } from '../src/agents/worker-records.ts'
import { builtEnvironment } from '../src/lib/process/built-environment.ts'
import { detectContainment, type Containment } from '../src/lib/process/containment.ts'
import { runCapped } from '../src/lib/process/run-capped.ts'
import type { StatusAnswer } from '../src/protocol/answers.ts'
import { Lab, linesOf, type Activity } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'

const WORKERS = 20
const KILLS = 5
const LOOK_MS = 2
const CAP_MS = 500
const AFTER_REPORT_MS = 1000
const GRACE_MS = 2000
/** In milliseconds; the worst of several counts. */
const MARKS = {
  killed_worker: 1000,
  killed_supervisor: 1000,
  report: 3000,
  adoption: 10_000,
  capped: 1000,
  capped_stubborn: GRACE_MS + 1000,
  capped_left_behind: 3000,
  demo: 90_000,
  demo_from_sentence: 60_000,
} as const
type What = keyof typeof MARKS

/** How the activity log calls the end of a worker that died. */
const ENDS: ReadonlySet<string> = new Set(['worker_failed', 'worker_interrupted'])

const measured = new Map<What, number[]>()
const note = (what: What, ms: number): void => {
  measured.set(what, [...(measured.get(what) ?? []), ms])
}

const lab = new Lab({ 'README.md': '# Reactions\n' })
const begun = join(lab.folder, 'begun.txt')
const go = join(lab.folder, 'go')
const reported = join(lab.folder, 'reported.txt')
const nothing = 'setup: null, test: null, lint: null, typecheck: null, build: null'
lab.write({
  'plan.yaml': [
    'plan: many',
    'title: Many',
    `environment: { ${nothing} }`,
    'tasks:',
    ...Array.from(
      { length: WORKERS },
      (_, at) =>
        `  - { id: "${at + 1}", title: Add v${at + 1}, tier: low, acceptance_criteria: ["it is there"], files: { create: [src/v${at + 1}] } }`,
    ),
    '',
  ].join('\n'),
  // The worker of task 1 reports when it may, and then hangs.
  'tools/agent.sh': [
    '#!/bin/sh',
    `echo "$BOSUN_WORKER_ID" >> ${begun}`,
    `if [ "$BOSUN_TASK_ID" = 1 ]; then`,
    `  while [ ! -e ${go} ]; do sleep 0.01; done`,
    '  echo \'{"explanation": "done"}\' > "$BOSUN_REPORT"',
    `  date +%s%3N >> ${reported}`,
    'fi',
    'exec sleep 100000',
    '',
  ].join('\n'),
  'bosun.yaml': [
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
    'roles: { reviewer: rules }',
    `pm: { max_parallel_agents: ${WORKERS} }`,
    `watch: { after_report: ${AFTER_REPORT_MS / 1000}s }`,
    '',
  ].join('\n'),
})

const daemons: ChildProcess[] = []
try {
  const attached = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  await until(() => linesOf(begun).length === WORKERS)
  attached.kill('SIGTERM')
  await once(attached, 'exit')
  let started = await workerPids()
  while (started.size < WORKERS) {
    await pause()
    started = await workerPids()
  }
  const ids = [...started.keys()].filter((id) => id !== 'w-many-1-1')
  await restartDaemon(started)
  for (const id of ids.slice(0, KILLS)) note('killed_worker', await untilRecorded(id, started.get(id) ?? 0))
  for (const id of ids.slice(KILLS, 2 * KILLS))
    note('killed_supervisor', await untilRecorded(id, supervisorOf(id)))
  note('report', await untilReported())
} finally {
  await lab.bosun('cancel', 'many')
  for (const daemon of daemons) daemon.kill('SIGKILL')
  await lab.dispose()
}

const best = await detectContainment()
for (const containment of [best, { kind: 'group' } as const]) await runCappedCommands(containment)
await runDemo('demo', ['demo', '--json'])
await runDemo('demo_from_sentence', ['demo', '--from-sentence', '--json'])

const rows = [...measured].map(([what, all]) => ({
  what,
  times: all.length,
  median_ms: round(median(all), 0),
  worst_ms: round(Math.max(...all), 0),
  mark_ms: MARKS[what],
}))
const ok =
  rows.length === Object.keys(MARKS).length && rows.every(({ worst_ms, mark_ms }) => worst_ms <= mark_ms)
report('reactions', rows, {
  ...Object.fromEntries(rows.map(({ what, worst_ms }) => [`${what}_ms`, worst_ms])),
  ok,
})
if (!ok) process.exitCode = 1

/** Kills a process of a worker, and waits until the activity log has its end. */
async function untilRecorded(worker: string, pid: number): Promise<number> {
  if (pid < 2) throw new Error(`${worker} has no process`)
  const isEnd = ({ event, worker_id }: Activity): boolean => worker_id === worker && ENDS.has(event)
  if (lab.activity().some(isEnd)) throw new Error(`${worker} ended before`)
  const start = Date.now()
  process.kill(pid, 'SIGKILL')
  await until(() => lab.activity().some(isEnd))
  return Date.parse(lab.activity().find(isEnd)?.timestamp ?? '') - start
}

/** A worker that reported and then does nothing is ended after a while; its own clock says when it wrote the report. */
async function untilReported(): Promise<number> {
  const isReport = ({ event, worker_id }: Activity): boolean =>
    worker_id === 'w-many-1-1' && event === 'worker_finished'
  writeFileSync(go, '')
  await until(() => lab.activity().some(isReport))
  const ms = Date.parse(lab.activity().find(isReport)?.timestamp ?? '') - Number(linesOf(reported).at(0))
  return ms - AFTER_REPORT_MS
}

/** Kills the daemon; the next one has to find every worker, and start none of them again. */
async function restartDaemon(before: ReadonlyMap<string, number>): Promise<void> {
  const { pid } = lab.daemon()
  process.kill(pid, 'SIGKILL')
  await until(() => !existsSync(`/proc/${pid}`))
  const start = performance.now()
  const daemon = spawn(process.execPath, [join(import.meta.dirname, '../dist/bosun.cjs'), 'serve'], {
    cwd: lab.repo,
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: lab.folder,
      BOSUN_HOME: lab.home,
    },
    stdio: 'ignore',
  })
  daemons.push(daemon)
  for (;;) {
    const now = await workerPids().catch(() => new Map<string, number>())
    if ([...before].every(([worker, known]) => now.get(worker) === known)) break
    await pause()
  }
  note('adoption', performance.now() - start)
  if (linesOf(begun).length !== WORKERS) throw new Error('a worker was started again')
}

/** Workers that have a process. */
async function workerPids(): Promise<ReadonlyMap<string, number>> {
  const token = readFileSync(join(lab.home, 'token'), 'utf8').trim()
  const { url } = lab.daemon()
  const answer = await fetch(`${url}/api/workers`, { headers: { Authorization: `Bearer ${token}` } })
  const { workers } = (await answer.json()) as Pick<StatusAnswer, 'workers'>
  return new Map(workers.flatMap(({ id, pid }) => (pid === null ? [] : [[id, pid] as const])))
}

function supervisorOf(worker: string): number {
  const [file = ''] = globSync(join(lab.home, 'repos/*/workers', worker, 'identity.json'))
  return readIdentity(file)?.supervisor?.pid ?? 0
}

async function runCappedCommands(containment: Containment): Promise<void> {
  const run = async (command: string) => {
    const { outcome, durationMs, survivors } = await runCapped({
      command,
      cwd: '/tmp',
      env: builtEnvironment(process.env),
      timeoutMs: CAP_MS,
      graceMs: GRACE_MS,
      maxOutputBytes: 65_536,
      containment,
    })
    if (survivors.length > 0) throw new Error(`${command}: ${survivors.length} processes are left`)
    return { kind: outcome.kind, durationMs }
  }
  const capped = async (what: What, command: string): Promise<void> => {
    const { kind, durationMs } = await run(command)
    if (kind !== 'timed_out') throw new Error(`${command} ${kind}`)
    note(what, durationMs - CAP_MS)
  }
  await capped('capped', 'sleep 1000 & sleep 1000')
  await capped('capped_stubborn', 'trap "" TERM; sleep 1000 & while :; do wait; sleep 0.1; done')
  const { kind, durationMs } = await run('setsid sleep 1000 & (sleep 1000 &) ; nohup sleep 1000 & echo done')
  if (kind !== 'exited') throw new Error(`it ${kind}`)
  note('capped_left_behind', durationMs)
}

async function runDemo(what: What, args: readonly string[]): Promise<void> {
  const place = new Lab({ 'README.md': '# Demo\n' })
  try {
    const { exit, stdout, stderr } = await place.bosun(...args)
    if (exit !== 0) throw new Error(`${args.join(' ')} ended with ${exit}: ${stderr}`)
    note(what, (JSON.parse(stdout) as { readonly elapsed_ms: number }).elapsed_ms)
  } finally {
    await place.dispose()
  }
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await pause()
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
