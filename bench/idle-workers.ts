/**
 * What a hundred workers that do nothing cost the daemon: real supervisors with real processes below them, in one plan.
 * Memory is the daemon's unshared part, against the same daemon before, which has done a small plan by then; the
 * plan of a hundred tasks is part of the difference. Time is the daemon's own, while nothing happens.
 */
import { once } from 'node:events'
import { Lab, linesOf } from '../test/delivery/lab.ts'
import { join } from 'node:path'
import { median, report, round } from './lib/measure.ts'
import { cpuMs, privateKib } from './lib/process-cost.ts'

const WORKERS = 100
const MEMORY_MARK_KB = 100
const CPU_MARK_PERCENT = 1
/** Until memory that is not needed has been given back. */
const SETTLE_MS = 30_000
const WINDOW_MS = 40_000
const SAMPLES = 8

const lab = new Lab({ 'README.md': '# Idle\n' })
const begun = join(lab.folder, 'begun.txt')
const nothing = 'setup: null, test: null, lint: null, typecheck: null, build: null'
lab.write({
  'warm.yaml': planText('warm', 5),
  'idle.yaml': planText('idle', WORKERS),
  'tools/agent.sh': [
    '#!/bin/sh',
    'case $BOSUN_WORKER_ID in w-warm-*) mkdir -p src && echo 1 > "src/warm$BOSUN_TASK_ID"; exit 0 ;; esac',
    `echo "$BOSUN_WORKER_ID" >> ${begun}`,
    'exec sleep 100000',
    '',
  ].join('\n'),
  'bosun.yaml': [
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
    'roles: { reviewer: rules }',
    `pm: { max_parallel_agents: ${WORKERS} }`,
    '',
  ].join('\n'),
})
try {
  const { exit } = await lab.deliver('warm.yaml')
  if (exit !== 0) throw new Error(`the first plan ended with ${exit}`)
  const { pid } = lab.daemon()
  const without = await watch(pid)
  const attached = lab.spawn('run', 'idle.yaml', '--no-input', '--json')
  while (linesOf(begun).length < WORKERS) await pause(200)
  attached.kill('SIGTERM')
  await once(attached, 'exit')
  const withAll = await watch(pid)
  if (lab.daemon().pid !== pid) throw new Error('the daemon is another one')
  if (new Set(linesOf(begun)).size !== WORKERS) throw new Error('not every worker was started once')
  const eachKb = ((withAll.kib - without.kib) * 1.024) / WORKERS
  const ok = eachKb <= MEMORY_MARK_KB && withAll.cpuPercent <= CPU_MARK_PERCENT
  const figures = {
    workers: WORKERS,
    kb_each: round(eachKb, 1),
    daemon_mib_without: round(without.kib / 1024, 1),
    daemon_mib_with: round(withAll.kib / 1024, 1),
    cpu_percent: round(withAll.cpuPercent, 3),
    cpu_percent_without: round(without.cpuPercent, 3),
  }
  report('idle-workers', [figures], {
    mark_kb: MEMORY_MARK_KB,
    mark_percent: CPU_MARK_PERCENT,
    ...figures,
    ok,
  })
  if (!ok) process.exitCode = 1
} finally {
  await lab.bosun('cancel', 'idle')
  while (lab.processes().some((line) => line.includes('supervise'))) await pause(200)
  await lab.dispose()
}

/** The middle of several looks at its memory, and its share of a core meanwhile. */
async function watch(pid: number): Promise<{ readonly kib: number; readonly cpuPercent: number }> {
  await pause(SETTLE_MS)
  const [cpu, start] = [cpuMs(pid), performance.now()]
  const looks: number[] = []
  for (let look = 0; look < SAMPLES; look++) {
    await pause(WINDOW_MS / SAMPLES)
    looks.push(privateKib(pid))
  }
  const cpuPercent = ((cpuMs(pid) - cpu) / (performance.now() - start)) * 100
  return { kib: median(looks), cpuPercent }
}

function planText(plan: string, count: number): string {
  const tasks = Array.from({ length: count }, (_, at) => {
    const file = `src/${plan}${at + 1}`
    return `  - { id: "${at + 1}", title: Add ${file}, tier: low, acceptance_criteria: ["it is there"], files: { create: [${file}] } }`
  })
  return [`plan: ${plan}`, `title: ${plan}`, `environment: { ${nothing} }`, 'tasks:', ...tasks, ''].join('\n')
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
