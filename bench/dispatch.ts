/**
 * From a dependency's completion to the dispatch of the task that waited for it, in the log of the real daemon: a chain
 * of tasks, each of which waits for the one before. The times are those of the events; both are durable before they act.
 */
import { Lab } from '../test/delivery/lab.ts'
import { median, report, round, syncFloorMs } from './lib/measure.ts'

const MARK_MS = 50
const TASKS = 60

const lab = new Lab({ 'README.md': '# Chain\n', 'plan.yaml': planText() })
lab.write({
  'tools/agent.sh': '#!/bin/sh\nmkdir -p src && echo 1 > "src/v$BOSUN_TASK_ID"\n',
  'bosun.yaml':
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }\nreview: { low: checks }\n',
})
try {
  const { exit, last } = await lab.deliver()
  if (exit !== 0) throw new Error(`the run ended with ${exit}: ${JSON.stringify(last)}`)
  const waits = waitsIn(lab.activity()).sort((a, b) => a - b)
  const p99 = waits[Math.ceil(waits.length * 0.99) - 1] ?? Number.NaN
  const ok = waits.length === TASKS - 1 && p99 <= MARK_MS
  const row = { dispatches: waits.length, median_ms: round(median(waits), 1), p99_ms: round(p99, 1) }
  report('dispatch', [row], { mark: MARK_MS, ...row, sync_floor_ms: round(syncFloorMs(), 3), ok })
  if (!ok) process.exitCode = 1
} finally {
  await lab.dispose()
}

function waitsIn(lines: ReturnType<Lab['activity']>): number[] {
  const waits: number[] = []
  let completedAt: number | null = null
  for (const { event, timestamp } of lines) {
    if (event === 'task_committed') completedAt = Date.parse(timestamp)
    if (event !== 'task_dispatched' || completedAt === null) continue
    waits.push(Date.parse(timestamp) - completedAt)
    completedAt = null
  }
  return waits
}

function planText(): string {
  const tasks = Array.from({ length: TASKS }, (_, at) => {
    const after = at === 0 ? '' : `"${at}"`
    return `  - { id: "${at + 1}", title: Add v${at + 1}, tier: low, depends_on: [${after}], acceptance_criteria: ["v is 1"], files: { create: [src/v${at + 1}] } }`
  })
  const nothing = 'setup: null, test: null, lint: null, typecheck: null, build: null'
  return ['plan: chain', 'title: Chain', `environment: { ${nothing} }`, 'tasks:', ...tasks, ''].join('\n')
}
