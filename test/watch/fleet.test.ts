/** Twenty real workers at once, of which seven go wrong in a way of their own: each task is done or escalated, and the log says why. */
import { afterEach, describe, expect, test } from 'vitest'
import { Lab, type Activity } from '../delivery/lab.ts'

const TASKS = Array.from({ length: 20 }, (_, at) => String(at + 1))

/** What the worker of a task does at its first attempt; the others are honest. */
const FAULTS: Readonly<Record<string, string>> = {
  '2': 'sleep 600',
  '5': 'work; echo half way; sleep 600',
  '8': 'exit 0',
  '11': 'work; report; sleep 600',
  '13': 'work; kill -STOP $$; report',
  '16': 'bosun-checkin failed 30 --failure-reason "no such service"; sleep 600',
  '19': 'echo cannot reach the database >&2; exit 3',
}
/** One that goes wrong again and again. */
const HOPELESS = '19'

const AGENT = `#!/bin/sh
id=$BOSUN_TASK_ID
cat > /dev/null
work() { mkdir -p "src/m$id"; echo "$id" > "src/m$id/value"; echo "test -e src/m$id/value" > "test/m$id.t"; }
report() { printf '{"self_assessment":"confident","criteria":[{"criterion":1,"file":"src/m%s/value","line":1}],"review_note":{"summary":"adds it","risks":[],"rollback":"revert"}}' "$id" > "$BOSUN_REPORT"; }
case "$id $BOSUN_ATTEMPT" in
${Object.entries(FAULTS)
  .map(([id, fault]) => `  "${id} ${id === HOPELESS ? '"*' : '1"'}) ${fault};;`)
  .join('\n')}
esac
bosun-checkin in_progress 50 --current-step writing
work; report
bosun-checkin completed 100
`

const PLAN = [
  'plan: fleet',
  'title: Twenty values',
  'environment: { setup: null, test: { command: "sh suite.sh", report: tap }, lint: null, typecheck: null, build: null }',
  'tasks:',
  ...TASKS.map(
    (id) =>
      `  - { id: "${id}", title: Add value ${id}, tier: low, ownership: src/m${id}, depends_on: [], acceptance_criteria: ["value ${id} is there"], files: { create: [src/m${id}/value] }, tests_to_run: ["sh suite.sh"], tests_to_add: [test/m${id}.t], gates: [unit], time_budget: 2m }`,
  ),
  '',
].join('\n')

const SUITE = `n=0; bad=0
for t in test/*.t; do n=$((n + 1)); if sh "$t"; then echo "ok $n - $t"; else echo "not ok $n - $t"; bad=1; fi; done
echo "1..$n"; exit $bad
`

let lab: Lab | null = null
afterEach(async () => {
  await lab?.dispose()
  lab = null
})

describe('twenty workers, a third of them faulty', () => {
  test('end with every task done or escalated, and a log that says why of each step', async () => {
    lab = new Lab({ 'plan.yaml': PLAN, 'suite.sh': SUITE, 'test/base.t': 'true\n' })
    lab.write({
      'tools/agent.sh': AGENT,
      'bosun.yaml': `agents: { crew: { protocol: command, command: [sh, ${JSON.stringify(`${lab.repo}/tools/agent.sh`)}] } }
pm: { max_parallel_agents: 20 }
proof: { reruns: 0 }
watch: { stalled: 10s, after_report: 2s }
`,
    })
    const { exit, last, stderr } = await lab.deliver()
    expect([exit, last.commits.length], stderr).toEqual([10, 19])
    expect(last.inbox.map(({ task }) => task)).toEqual([HOPELESS])

    const activity = lab.activity()
    const of = (task: string): string[] =>
      activity.filter((line) => line.task_id === task).map(({ event }) => event)
    const first = (task: string): readonly Activity[] =>
      activity.filter(({ worker_id }) => worker_id === `w-fleet-${task}-1`)
    const why = (task: string, event: string): string =>
      first(task)
        .filter((line) => line.event === event)
        .map(({ data }) => JSON.stringify(data))
        .join('\n')

    // Without a sign of life: nudged, escalated, killed, and replaced.
    expect(why('2', 'worker_nudged')).toContain('no output at all')
    expect(first('2').map(({ event }) => event)).toEqual(
      expect.arrayContaining(['worker_stalled', 'alert_created', 'zombie_detected', 'worker_killed']),
    )
    // It had lived, and fell silent.
    expect(why('5', 'restart_decided')).toContain('a nudge could not be delivered yet')
    expect(of('5')).toEqual(expect.arrayContaining(['alert_created', 'worker_restarted', 'task_committed']))
    // Silent success is a failure with that name.
    expect(of('8')).toContain('worker_restarted')
    // Its work was there: it was ended and proven, and no attempt was lost.
    expect(why('11', 'worker_finished')).toContain('it handed in its report')
    expect(of('11')).not.toContain('worker_restarted')
    // Stopped by its own signal, and continued by the nudge, or replaced.
    expect(of('13')).toContain('task_committed')
    expect(why('16', 'worker_gave_up')).toContain('no such service')
    expect(of(HOPELESS).filter((event) => event === 'worker_failed')).toHaveLength(3)

    for (const id of TASKS.filter((task) => task !== HOPELESS)) expect(of(id)).toContain('task_committed')
    const honest = TASKS.filter((task) => FAULTS[task] === undefined)
    for (const id of honest) expect([id, of(id).includes('worker_killed')]).toEqual([id, false])
    // A worker that was stopped for its signs was escalated before.
    for (const { worker_id, event } of activity.filter(({ event: name }) =>
      /^(restart|kill)_decided$/.test(name),
    )) {
      const lines = activity.filter((line) => line.worker_id === worker_id).map((line) => line.event)
      expect([worker_id, lines.indexOf('alert_created') < lines.indexOf(event)]).toEqual([worker_id, true])
    }
  }, 240_000)
})
