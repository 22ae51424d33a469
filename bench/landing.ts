/**
 * How parallel work lands: whole-suite runs, counted by the suite itself, and wall time, in the real daemon with real
 * processes. The repository has 1,002 files; agents take 50 ms, so that proving and landing is all that is measured.
 * `node bench/landing.ts quick` leaves the long plans out, `long` the others.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Lab } from '../test/delivery/lab.ts'
import { report, round } from './lib/measure.ts'

const FILES = 1_000

interface Plan {
  readonly tasks: number
  readonly parallel: number
  /** What the suite does for its time: it waits, or it keeps a core busy. */
  readonly suite: 'sleeping' | 'busy'
  readonly seconds: number
  /** How long an agent takes; 0.05 by default. */
  readonly agentSeconds?: number
  /** Every so many tasks the first draft fails its gates; 0 for none. */
  readonly failEvery?: number
}

interface Figures {
  readonly runs: number
  readonly seconds: number
  /** From an agent's end to the next worker dispatched, at p99. */
  readonly slotMs: number
  /** From an agent's last command to the first of the next in its slot, with its workspace made in between, at p99. */
  readonly agentMs: number
}

const BUSY =
  'end=$(($(date +%s%N) + NANOS)); while [ "$(date +%s%N)" -lt "$end" ]; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done'

/** One test by each task, and the time it is to take. */
function suiteText({ suite, seconds }: Plan, tally: string): string {
  const wait = suite === 'sleeping' ? `sleep ${seconds}` : BUSY.replace('NANOS', String(seconds * 1e9))
  return [
    `echo run >> ${tally}`,
    wait,
    'n=0',
    'failed=0',
    'for file in src/*/value lib/base; do',
    '  [ -e "$file" ] || continue',
    '  n=$((n+1))',
    '  if [ "$(cat "$file")" = broken ]; then echo "not ok $n - $file"; failed=1; else echo "ok $n - $file"; fi',
    'done',
    'echo "1..$n"',
    'exit $failed',
    '',
  ].join('\n')
}

const AGENT = `FAIL_EVERY=NEVER
echo "start $(date +%s%3N)" >> TIMES
cat > /dev/null
sleep SECONDS
mkdir -p src/m$BOSUN_TASK_ID
value=$BOSUN_TASK_ID
if [ "$FAIL_EVERY" -gt 0 ] && [ "$BOSUN_ATTEMPT" = 1 ] && [ $((BOSUN_TASK_ID % FAIL_EVERY)) = 3 ]; then value=broken; fi
echo "$value" > src/m$BOSUN_TASK_ID/value
printf '{"explanation":"writes the value","self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m%s/value","line":1}],"review_note":{"summary":"Adds a value.","risks":[],"rollback":"Revert it."}}' "$BOSUN_TASK_ID" > "$BOSUN_REPORT"
echo "end $(date +%s%3N)" >> TIMES
`

async function deliver(plan: Plan): Promise<Figures> {
  const { tasks, parallel, failEvery = 0, agentSeconds = 0.05 } = plan
  const files = Object.fromEntries(
    Array.from({ length: FILES }, (_, at) => [`d${at % 50}/f${at}.txt`, `file ${at}\n`]),
  )
  const lab = new Lab({ 'lib/base': '1\n', 'README.md': 'A bench.\n', ...files })
  try {
    const tally = join(lab.folder, 'runs')
    writeFileSync(tally, '')
    const times = join(lab.folder, 'times')
    const agent = AGENT.replace('NEVER', String(failEvery)).replace('SECONDS', String(agentSeconds))
    writeFileSync(join(lab.folder, 'agent.sh'), agent.replaceAll('TIMES', times))
    writeFileSync(join(lab.folder, 'suite.sh'), suiteText(plan, tally))
    const list = Array.from({ length: tasks }, (_, at) => at + 1).map(
      (id) =>
        `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, depends_on: [], acceptance_criteria: ["value ${id} is there"], files: { create: [src/m${id}/value] }, gates: [unit] }`,
    )
    const suite = `sh ${join(lab.folder, 'suite.sh')}`
    lab.write({
      'plan.yaml': [
        'plan: landing',
        'title: Landing',
        `environment: { setup: null, test: { command: "${suite}", report: tap }, lint: null, typecheck: null, build: null }`,
        'tasks:',
        ...list,
        '',
      ].join('\n'),
      'bosun.yaml': `agents: { crew: { protocol: command, command: [sh, ${join(lab.folder, 'agent.sh')}] } }\npm: { max_parallel_agents: ${parallel} }\n`,
    })
    const start = performance.now()
    const { exit, last, stderr } = await lab.deliver()
    const seconds = (performance.now() - start) / 1000
    if (exit !== 0 || last.commits.length !== tasks)
      throw new Error(
        `${last.commits.length} of ${tasks} tasks landed, exit ${exit}: ${last.inbox.map(({ problem }) => problem).join('; ')} ${stderr}`,
      )
    const refused = lab.activity().filter(({ event }) => event === 'commit_refused').length
    if (refused > 0) throw new Error(`${refused} commits were refused`)
    const runs = readFileSync(tally, 'utf8').split('\n').length - 1
    return {
      runs,
      seconds,
      slotMs: slotTimes(lab),
      agentMs: agentTimes(readFileSync(times, 'utf8'), parallel),
    }
  } finally {
    await lab.dispose()
  }
}

/** From an agent's end to the next dispatch, while work is left to start. */
function slotTimes(lab: Lab): number {
  const lines = lab.activity()
  const times = lines.flatMap(({ event, timestamp }, at) => {
    if (event !== 'worker_completed') return []
    const next = lines.slice(at + 1).find((line) => line.event === 'task_dispatched')
    return next === undefined ? [] : [Date.parse(next.timestamp) - Date.parse(timestamp)]
  })
  return p99(times)
}

/** The n-th agent that ends makes room for the one that starts n after the slots were full. */
function agentTimes(text: string, slots: number): number {
  const at = (word: string): readonly number[] =>
    [...text.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))]
      .map(([, ms]) => Number(ms))
      .toSorted((a, b) => a - b)
  const [starts, ends] = [at('start').slice(slots), at('end')]
  return p99(starts.map((start, place) => start - (ends[place] ?? start)))
}

const p99 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0

interface Mark {
  readonly what: string
  readonly value: number
  readonly most: number
}

const rows: Record<string, string | number>[] = []
async function measure(name: string, plan: Plan): Promise<Figures> {
  const figures = await deliver(plan)
  const { runs, seconds, slotMs, agentMs } = figures
  rows.push({
    plan: name,
    suite: `${plan.seconds} s ${plan.suite}`,
    'suite runs': runs,
    'runs a task': round(runs / plan.tasks),
    seconds: round(seconds, 1),
    'slot p99 ms': slotMs,
    'next agent p99 ms': agentMs,
  })
  return figures
}

async function measureSix(): Promise<readonly Mark[]> {
  const six = { tasks: 6, seconds: 2.1 }
  const one = await measure('6 tasks, 1 at a time', { ...six, parallel: 1, suite: 'sleeping' })
  const three = await measure('6 tasks, 3 at a time', { ...six, parallel: 3, suite: 'sleeping' })
  const busyOne = await measure('6 tasks, 1 at a time', { ...six, parallel: 1, suite: 'busy' })
  const busyThree = await measure('6 tasks, 3 at a time', { ...six, parallel: 3, suite: 'busy' })
  const runs = Math.max(one.runs, three.runs, busyOne.runs, busyThree.runs)
  return [
    { what: 'suite_runs', value: runs, most: 9 },
    { what: 'sleeping_ratio', value: three.seconds / one.seconds, most: 0.6 },
    { what: 'busy_ratio', value: busyThree.seconds / busyOne.seconds, most: 0.9 },
  ]
}

/** Agents that take longer than landing: where finished work piles up, nothing new is to start. */
async function measureSlots(): Promise<readonly Mark[]> {
  const plan = { tasks: 24, parallel: 6, suite: 'sleeping', seconds: 0.1, agentSeconds: 5 } as const
  const { slotMs } = await measure('24 tasks, 6 at a time, agents of 5 s', plan)
  return [{ what: 'slot_p99_ms', value: slotMs, most: 100 }]
}

async function measureOne(): Promise<readonly Mark[]> {
  const seconds = 5
  const alone = await measure('1 task', { tasks: 1, parallel: 1, suite: 'sleeping', seconds })
  return [{ what: 'one_task_of_suite', value: alone.seconds / seconds, most: 4 }]
}

async function measureSixty(): Promise<readonly Mark[]> {
  const sixty = { tasks: 60, parallel: 6, suite: 'sleeping', seconds: 5 } as const
  const calm = await measure('60 tasks, 6 at a time', sixty)
  const failing = await measure('60 tasks, 6 at a time, 1 in 10 fails', { ...sixty, failEvery: 10 })
  // The baseline, the tasks six at a time, and the release, which its last proof serves.
  const ideal = sixty.seconds + (sixty.tasks / sixty.parallel) * sixty.seconds
  return [
    { what: 'runs_a_task', value: calm.runs / sixty.tasks, most: 1.2 },
    { what: 'of_ideal', value: calm.seconds / ideal, most: 1.3 },
    { what: 'failing_runs_a_task', value: failing.runs / sixty.tasks, most: 1.5 },
  ]
}

const parts = [measureSix, measureSlots, measureOne, measureSixty]
const wanted = process.argv.includes('quick')
  ? parts.slice(0, -1)
  : process.argv.includes('long')
    ? parts.slice(-1)
    : parts
const marks: Mark[] = []
for (const part of wanted) marks.push(...(await part()))
const ok = marks.every(({ value, most }) => value <= most)
report('landing', rows, {
  ok,
  ...Object.fromEntries(marks.map(({ what, value }) => [what, round(value)])),
})
for (const { what, value, most } of marks) console.log(`${what} ${round(value)} (mark ${most})`)
if (!ok) process.exitCode = 1
