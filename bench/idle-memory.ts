/**
 * What the daemon takes of memory while nothing happens: after its start, and after a plan whose gates parsed files, once the
 * process that parses has ended. Memory is what it has written; pages of Node's own program are shared with every
 * other Node that runs, so counting them would measure what else does. Beside it a Node that only waits, which is the
 * least that any program on it takes.
 */
import { spawn } from 'node:child_process'
import { Lab } from '../test/delivery/lab.ts'
import { report, round } from './lib/measure.ts'
import { writtenKib } from './lib/process-cost.ts'

/** Above a Node that only waits. */
const IDLE_MARK_MIB = 12
/** More than before the plan. The grammars alone take 58 MiB, in a process of their own. */
const AFTER_MARK_MIB = 24
/** Until memory that is not needed has been given back. */
const SETTLE_MS = 40_000
const TASKS = 6

const lab = new Lab({ 'README.md': '# Memory\n', 'plan.yaml': planText(), ...sources() })
lab.write({
  'tools/agent.sh': [
    '#!/bin/sh',
    'for ending in ts py go rs; do',
    '  file=$(ls src/m$BOSUN_TASK_ID.$ending) && sed "1,100s/1000/2000/" "$file" > "$file.new" && mv "$file.new" "$file"',
    'done',
    '',
  ].join('\n'),
  'bosun.yaml': [
    'review: { low: checks }',
    'environment: { setup: null, test: null, lint: null, typecheck: null, build: null }',
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
    '',
  ].join('\n'),
})
const waiting = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 2 ** 30)'], { stdio: 'ignore' })
try {
  await lab.bosun('resume')
  const { pid } = lab.daemon()
  await pause(SETTLE_MS)
  const [floor, idle] = [writtenKib(waiting.pid ?? 0), writtenKib(pid)]
  const parsing = watchParsing()
  const { exit, last } = await lab.deliver()
  const seen = parsing.stop()
  if (exit !== 0) throw new Error(`the run ended with ${exit}: ${JSON.stringify(last)}`)
  if (!seen) throw new Error('no gate parsed anything')
  await pause(SETTLE_MS)
  if (isParsing()) throw new Error('the process that parses is still there')
  if (lab.daemon().pid !== pid) throw new Error('the daemon is another one')
  const after = writtenKib(pid)
  const figures = {
    node_mib: mib(floor),
    idle_mib: mib(idle),
    after_mib: mib(after),
    idle_above_node_mib: mib(idle - floor),
    after_above_idle_mib: mib(after - idle),
  }
  const ok = figures.idle_above_node_mib <= IDLE_MARK_MIB && figures.after_above_idle_mib <= AFTER_MARK_MIB
  const marks = { mark_idle_mib: IDLE_MARK_MIB, mark_after_mib: AFTER_MARK_MIB }
  report('idle-memory', [figures], { ...marks, ...figures, ok })
  if (!ok) process.exitCode = 1
} finally {
  waiting.kill()
  await lab.dispose()
}

function mib(kib: number): number {
  return round(kib / 1024, 1)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

function isParsing(): boolean {
  return lab.processes().some((line) => line.trimEnd().endsWith(' parse'))
}

/** Whether files were parsed meanwhile. */
function watchParsing(): { readonly stop: () => boolean } {
  let seen = false
  const timer = setInterval(() => (seen ||= isParsing()), 200)
  return {
    stop: () => {
      clearInterval(timer)
      return seen || isParsing()
    },
  }
}

/** A module in each of four languages for every task. */
function sources(): Readonly<Record<string, string>> {
  const lines = (line: (at: number) => string): string =>
    Array.from({ length: 400 }, (_, at) => line(at)).join('\n')
  return Object.fromEntries(
    Array.from({ length: TASKS }, (_, at) => at + 1).flatMap((task) => [
      [`src/m${task}.ts`, `${lines((at) => `export const a${at} = (b: string): number => 1000`)}\n`],
      [`src/m${task}.py`, `${lines((at) => `def a${at}(b: str) -> int:\n    return 1000`)}\n`],
      [`src/m${task}.go`, `package src\n\n${lines((at) => `func A${at}(b string) int { return 1000 }`)}\n`],
      [`src/m${task}.rs`, `${lines((at) => `pub fn a${at}(b: &str) -> u32 { 1000 }`)}\n`],
    ]),
  )
}

function planText(): string {
  const tasks = Array.from({ length: TASKS }, (_, at) => at + 1).map((task) =>
    [
      `  - id: '${task}'`,
      `    title: Change module ${task}`,
      '    description: Give another value back.',
      '    tier: low',
      '    gates: [contract]',
      '    acceptance_criteria: [Each module gives 2000 back]',
      `    files: { modify: [${['ts', 'py', 'go', 'rs'].map((ending) => `src/m${task}.${ending}`).join(', ')}] }`,
    ].join('\n'),
  )
  return ['plan: memory', 'title: Memory', 'tasks:', ...tasks, ''].join('\n')
}
