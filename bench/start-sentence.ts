/**
 * How long it takes from `bosun start "fix typo in README"` until its worker runs, beside `bosun run` on the equivalent plan
 * of one task: understanding a sentence must not be felt. The agent writes the time at which it runs.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { NO_WORK } from '../src/core/intake/intake.ts'
import { yamlOf } from '../src/lib/files/yaml-text.ts'
import { oneTaskPlan } from '../src/core/intake/one-task-plan.ts'
import { readRequest } from '../src/core/intake/request-text.ts'
import { planIdFor } from '../src/core/planning/ids.ts'
import { Lab } from '../test/delivery/lab.ts'
import { median, report, round } from './lib/measure.ts'

const MARK = 1.2
const ROUNDS = 9

const lab = new Lab({ 'README.md': '# Helo\n', 'src/a.js': 'export const a = 1\n' })
const startedFile = join(lab.folder, 'started')
lab.write({
  'tools/agent.sh': `#!/bin/sh\n[ -e ${startedFile} ] || date +%s%N > ${startedFile}\ncat > /dev/null\ndate +%s%N > README.md\n`,
  'bosun.yaml':
    'agents: { crew: { protocol: command, command: [sh, tools/agent.sh] } }\nreview: { low: checks }\n' +
    'environment: { setup: null, test: null, lint: null, typecheck: null, build: null }\n',
})

try {
  const times = { start: [] as number[], run: [] as number[] }
  // In turns, so that whatever else the machine does hits both alike; the first turn warms up.
  for (let turn = 0; turn <= ROUNDS; turn++) {
    const sentence = `fix typo in README, take ${turn}`
    const started = await workerAfter(['start', sentence, '--no-input', '--json'])
    lab.write({ 'plan.yaml': planFor(`fix typo in README, turn ${turn}`) })
    const ran = await workerAfter(['run', 'plan.yaml', '--no-input', '--json'])
    if (turn === 0) continue
    times.start.push(started)
    times.run.push(ran)
  }
  const [startMs, runMs] = [median(times.start), median(times.run)]
  const ratio = round(median(times.start.map((ms, turn) => ms / (times.run[turn] ?? Number.NaN))))
  const rows = [
    { from: 'bosun start "fix typo in README"', until_a_worker_runs_ms: round(startMs, 1) },
    { from: 'bosun run, the same as a plan', until_a_worker_runs_ms: round(runMs, 1) },
  ]
  const ok = ratio <= MARK
  report('start-sentence', rows, {
    mark: MARK,
    ratio,
    start_ms: round(startMs, 1),
    run_ms: round(runMs, 1),
    ok,
  })
  console.log(`start takes ${ratio} times as long as run, mark ${MARK}`)
  if (!ok) process.exitCode = 1
} finally {
  await lab.dispose()
}

/** From the call until the agent runs; the plan is then let to its end. */
async function workerAfter(args: readonly string[]): Promise<number> {
  rmSync(startedFile, { force: true })
  const calledAt = performance.timeOrigin + performance.now()
  const { exit, stdout, stderr } = await lab.bosun(...args)
  if (exit !== 0)
    throw new Error(`bosun ${args.join(' ')} ended with ${exit}: ${stderr}${stdout.slice(-2000)}`)
  return Number(readFileSync(startedFile, 'utf8')) / 1e6 - calledAt
}

function planFor(text: string): string {
  const request = readRequest(text)
  const plan = oneTaskPlan({
    title: request.title,
    type: 'bug_fix',
    scope: 'trivial',
    workflow: 'fix',
    work: NO_WORK,
    judgement: null,
    notJudged: 'not judged: no model',
    answers: [],
    request,
    text,
    id: planIdFor(request.title, 1),
  })
  return yamlOf(plan)
}
