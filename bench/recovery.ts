/**
 * From the start of a daemon whose predecessor was killed with -9 to the first thing it owes, Node's start included, with
 * 100,000 events in the log. What is owed is a gate that was cut short: it is taken up when the engine says that it is
 * here (`pm_restarted`, the event before any effect), and has begun when its command runs, a checkout later.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Lab, linesOf } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'
import { chainEvents } from '../test/helpers/chained-events.ts'

const MARK_MS = 300
const EVENTS = 100_000
const PER_STREAM = 500
const ROUNDS = 7
const LOOK_MS = 2

const lab = new Lab({ 'README.md': '# Values\n' })
const begun = join(lab.folder, 'begun.txt')
const nothing = 'setup: null, test: null, typecheck: null, build: null'
lab.write({
  'plan.yaml': [
    'plan: slow',
    'title: Slow',
    `environment: { ${nothing}, lint: "test -e src/v || exit 0; date +%s%3N >> ${begun}; sleep 1000" }`,
    'tasks:',
    '  - { id: "1", title: Add v, tier: low, acceptance_criteria: ["v is 1"], files: { create: [src/v] } }',
    '',
  ].join('\n'),
  'tools/agent.sh': '#!/bin/sh\nmkdir -p src && echo 1 > src/v\n',
  'bosun.yaml': 'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }\n',
})
let daemon: ChildProcess | null = null
try {
  await lab.bosun('resume')
  await lab.bosun('stop')
  writeHistory()
  const attached = lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  await until(() => linesOf(begun).length === 1 || attached.exitCode !== null)
  if (linesOf(begun).length !== 1)
    throw new Error(`the run ended with ${attached.exitCode} before its gate began`)
  attached.kill('SIGTERM')
  await once(attached, 'exit')
  let pid = lab.daemon().pid
  const rounds = []
  for (let round_ = 0; round_ < ROUNDS; round_++) {
    process.kill(pid, 'SIGKILL')
    await until(() => !existsSync(`/proc/${pid}`) || daemon?.signalCode !== null)
    const [restarts, runs] = [restartsTold().length, linesOf(begun).length]
    const start = Date.now()
    daemon = serve()
    await until(() => restartsTold().length > restarts && linesOf(begun).length > runs)
    rounds.push({
      taken_up_ms: Date.parse(restartsTold().at(-1)?.timestamp ?? '') - start,
      gate_runs_ms: Number(linesOf(begun).at(-1)) - start,
    })
    pid = daemon.pid ?? 0
  }
  const takenUp = median(rounds.map(({ taken_up_ms }) => taken_up_ms))
  const gateRuns = median(rounds.map(({ gate_runs_ms }) => gate_runs_ms))
  const figures = { events: EVENTS, taken_up_ms: round(takenUp, 0), gate_runs_ms: round(gateRuns, 0) }
  report('recovery', rounds, { mark: MARK_MS, ...figures, ok: takenUp <= MARK_MS })
  if (takenUp > MARK_MS) process.exitCode = 1
} finally {
  await lab.dispose()
}

function serve(): ChildProcess {
  const root = join(import.meta.dirname, '..')
  return spawn(process.execPath, [join(root, 'dist/bosun.cjs'), 'serve'], {
    cwd: lab.repo,
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: lab.folder,
      BOSUN_HOME: lab.home,
    },
    stdio: 'ignore',
  })
}

function restartsTold() {
  return lab.activity().filter(({ event }) => event === 'pm_restarted')
}

/** Plans that came to their end long ago, written past the log, since writing them is not what is measured. */
function writeHistory(): void {
  const db = new DatabaseSync(join(lab.home, 'bosun.db'))
  db.exec('begin immediate')
  const event = db.prepare(
    "insert into events (stream, version, at, type, v, data, chain) values (?, ?, ?, 'progress.reported', 1, ?, '')",
  )
  const stream = db.prepare(
    "insert into streams (stream, version, chain, closed, repo) values (?, ?, '', 1, null)",
  )
  const data = JSON.stringify({
    why: '3 tasks completed',
    text: 'PROGRESS\nCompleted: 3/9 tasks\n'.repeat(8),
  })
  for (let place = 0; place < EVENTS / PER_STREAM; place++) {
    const name = `shop-0123abcd/plan-${place}`
    for (let version = 1; version <= PER_STREAM; version++) event.run(name, version, version, data)
    stream.run(name, PER_STREAM)
  }
  chainEvents(db)
  db.exec('commit')
  db.close()
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
}
