/**
 * What a task costs the daemon itself in processor time, from its choice to its commit: without git, supervisors, workers
 * and gates, which are processes of their own. A plan of 20 tasks and one of 60, each with a daemon that was just started;
 * the difference is what 40 tasks take, so start and end of a plan fall out. One task after the other, which is what the
 * mark is for; and three at a time, where each is proven about twice, since others land meanwhile.
 */
import { Lab } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'
import { cpuMs } from './lib/process-cost.ts'

const MARK_MS = 25
const FEW = 20
const MANY = 60
const ROUNDS = 5

/**
 * All stay until the end: an ext4 without a journal looks past each file that was deleted within the last minute for
 * each new one, so that what is cleared away after one daemon would be counted as the work of the next.
 */
const labs: Lab[] = []
const rows: { agents: number; few_ms: number; many_ms: number; task_ms: number }[] = []
try {
  for (let at = 0; at < ROUNDS; at++) {
    for (const agents of [1, 3]) {
      const [few, many] = [await cpuOf(FEW, agents), await cpuOf(MANY, agents)]
      rows.push({ agents, few_ms: few, many_ms: many, task_ms: round((many - few) / (MANY - FEW), 1) })
    }
  }
} finally {
  for (const lab of labs) await lab.dispose()
}
/** From the medians of both: a difference of two runs has the noise of both. */
function taskMs(agents: number): number {
  const all = rows.filter((row) => row.agents === agents)
  const [few, many] = [median(all.map(({ few_ms }) => few_ms)), median(all.map(({ many_ms }) => many_ms))]
  return round((many - few) / (MANY - FEW), 1)
}
const ok = taskMs(1) <= MARK_MS
report('daemon-cpu', rows, { mark: MARK_MS, task_ms: taskMs(1), side_by_side_ms: taskMs(3), ok })
if (!ok) process.exitCode = 1

/** Processor time of a daemon that delivered so many tasks and did nothing else. */
async function cpuOf(tasks: number, agents: number): Promise<number> {
  const lab = new Lab({ 'README.md': '# Values\n', 'plan.yaml': planText(tasks) })
  labs.push(lab)
  lab.write({
    'tools/agent.sh': '#!/bin/sh\nmkdir -p src && echo 1 > "src/v$BOSUN_TASK_ID"\n',
    'bosun.yaml': [
      'review: { low: checks }',
      `pm: { max_parallel_agents: ${agents} }`,
      'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }',
      '',
    ].join('\n'),
  })
  // The daemon is there, and has answered once, before the plan.
  await lab.bosun('resume')
  const { pid } = lab.daemon()
  const before = cpuMs(pid)
  const { exit, last } = await lab.deliver()
  if (exit !== 0) throw new Error(`the run ended with ${exit}: ${JSON.stringify(last)}`)
  const used = cpuMs(pid) - before
  if (lab.daemon().pid !== pid) throw new Error('the daemon is another one')
  checkDelivered(lab, last.branch ?? '', tasks)
  await lab.bosun('stop')
  return used
}

/** Every task was committed once, and its file is there. */
function checkDelivered(lab: Lab, branch: string, tasks: number): void {
  const wanted = Array.from({ length: tasks }, (_, at) => String(at + 1)).sort()
  const committedEvents = lab.activity().filter(({ event }) => event === 'task_committed')
  const committed = committedEvents.map(({ task_id }) => task_id ?? '').sort()
  const files = lab.git('ls-tree', '-r', '--name-only', branch, 'src/').split('\n').sort()
  const isWhole =
    String(committed) === String(wanted) && String(files) === String(wanted.map((id) => `src/v${id}`).sort())
  if (!isWhole) throw new Error(`of ${tasks} tasks, ${committed.length} were committed: ${files.join(' ')}`)
}

function planText(count: number): string {
  const tasks = Array.from({ length: count }, (_, at) => {
    const file = `src/v${at + 1}`
    return `  - { id: "${at + 1}", title: Add ${file}, tier: low, acceptance_criteria: ["v is 1"], files: { create: [${file}] } }`
  })
  const gates = 'setup: null, test: null, lint: "true", typecheck: null, build: null'
  return ['plan: values', 'title: Values', `environment: { ${gates} }`, 'tasks:', ...tasks, ''].join('\n')
}
