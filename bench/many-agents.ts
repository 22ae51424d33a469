/**
 * Twenty real agents (goose over the Agent Client Protocol, each with a supervisor of its own) at once in one plan. The
 * scripted model answers none of them before all have asked, so that all run at the same time; then each task has to be
 * committed at its first attempt, and none of the workers lost or killed.
 */
import { readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { Lab } from '../test/delivery/lab.ts'
import { startModelServer } from '../test/agents/model-server/model-server.ts'
import { isSideRequest, userText, type ModelRequest } from '../test/agents/model-server/request.ts'
import {
  act,
  reply,
  say,
  UNSCRIPTED,
  write,
  type Script,
  type Step,
} from '../test/agents/model-server/script.ts'
import { pathWithAgent } from '../test/real-agents/agent-home.ts'
import { goose } from '../test/real-agents/agents.ts'
import { openGoose } from './lib/goose.ts'
import { report, round } from './lib/measure.ts'
import { memoryMb } from './lib/process-cost.ts'

const WORKERS = 20
const IDS = Array.from({ length: WORKERS }, (_, at) => String(at + 1))
const LOST =
  /^(worker_(killed|failed|restarted|stalled|gave_up)|zombie_detected|restart_decided|kill_decided)$/

const asked = new Set<string>()
const { promise: allAsked, resolve: onAllAsked } = Promise.withResolvers<void>()

/** The steps of each task, by what its brief says. */
const script = (): Script => {
  const next = new Map<string, number>()
  return (request) => {
    if (isSideRequest(request)) return say('A value')
    const id = /Add value (\d+)/.exec(userText(request))?.[1]
    if (id === undefined) return UNSCRIPTED
    asked.add(id)
    if (asked.size === WORKERS) onAllAsked()
    const step = stepsOf(id)[next.get(id) ?? 0]
    next.set(id, (next.get(id) ?? 0) + 1)
    return step?.(request) ?? UNSCRIPTED
  }
}

const stepsOf = (id: string): readonly ((request: ModelRequest) => Step)[] => [
  () =>
    reply({
      does: [write(`src/m${id}/value`, `${id}\n`), write(`test/m${id}.t`, `test -e src/m${id}/value\n`)],
      after: allAsked,
    }),
  (request) => act(write(reportPath(request), JSON.stringify(reportOf(id)))),
  () => say('It is done.'),
]

const reportPath = (request: ModelRequest): string =>
  /Write your report as JSON to `([^`]+)`/.exec(userText(request))?.[1] ?? 'the brief names no report'

const reportOf = (id: string): object => ({
  explanation: `wrote value ${id}`,
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: `src/m${id}/value`, line: 1 }],
  review_note: { summary: 'adds a value', risks: [], rollback: 'revert the commit' },
})

const server = await startModelServer(script())
const home = await openGoose(server)
const lab = new Lab({ 'plan.yaml': planText(), 'suite.sh': suite(), 'test/base.t': 'true\n' })
lab.write({ 'bosun.yaml': `pm: { max_parallel_agents: ${WORKERS} }\nreview: { low: checks }\n` })
lab.variables = { ...home.env, PATH: await pathWithAgent(goose, home) }
try {
  const start = performance.now()
  const running = lab.deliver()
  const stopped = running.then(({ stderr }) => {
    throw new Error(`the run ended before all were at work: ${stderr}`)
  })
  await Promise.race([allAsked, stopped])
  const togetherMs = performance.now() - start
  const memory = memoryOfWorkers()
  const { exit, last, stderr } = await running
  const wholeMs = performance.now() - start
  const lines = lab.activity()
  const lost = lines
    .filter(({ event }) => LOST.test(event))
    .map(({ event, worker_id }) => `${event} ${worker_id}`)
  const dispatched = lines.filter(({ event }) => event === 'task_dispatched').length
  const left = lab.processes().filter((line) => /goose|supervise/.test(line)).length
  const ok =
    exit === 0 && last.commits.length === WORKERS && dispatched === WORKERS && lost.length === 0 && left === 0
  if (!ok) console.log([stderr, ...lost].join('\n'))
  const figures = {
    workers: WORKERS,
    committed: last.commits.length,
    attempts: dispatched,
    lost_or_killed: lost.length,
    processes_left: left,
    until_all_work_s: round(togetherMs / 1000, 1),
    whole_s: round(wholeMs / 1000, 1),
    supervisors_mb_each: round(memory.supervisors / WORKERS, 1),
    agents_mb_each: round(memory.agents / WORKERS, 1),
    load: round(loadavg()[0] ?? 0, 1),
  }
  report('many-agents', [figures], { ...figures, ok })
  if (!ok) process.exitCode = 1
} finally {
  await lab.dispose()
  await server.close()
  await home.dispose()
}

/** Proportional memory of all supervisors and of all agents. */
function memoryOfWorkers(): { readonly supervisors: number; readonly agents: number } {
  let [supervisors, agents] = [0, 0]
  for (const line of lab.processes()) {
    const pid = Number(line.split(' ')[0])
    const { pss } = memoryMb(pid)
    if (/ supervise /.test(line)) supervisors += pss
    else if (nameOf(pid) === 'goose') agents += pss
  }
  return { supervisors, agents }
}

function nameOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
}

function planText(): string {
  const tasks = IDS.map(
    (id) =>
      `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, depends_on: [], acceptance_criteria: ["value ${id} is there"], files: { create: [src/m${id}/value] }, tests_to_run: ["sh suite.sh"], tests_to_add: [test/m${id}.t], gates: [unit] }`,
  )
  const environment =
    'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }'
  return ['plan: many', 'title: Twenty values', environment, 'tasks:', ...tasks, ''].join('\n')
}

function suite(): string {
  return [
    'n=0; bad=0',
    'for t in test/*.t; do n=$((n + 1)); if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; bad=1; fi; done',
    'echo "1..$n"; exit $bad',
    '',
  ].join('\n')
}
