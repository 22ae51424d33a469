/** Every task of a plan with as much as a card shows. */
import { statusOf } from '../../core/state/life.ts'
import type { PlanState, TaskState } from '../../core/state/state.ts'
import type { TaskRow } from '../../protocol/answers.ts'
import type { GraphAnswer } from '../../protocol/plan-views.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { singleEntries } from '../inbox/inbox.ts'
import { taskRows } from '../plans/plan-status.ts'
import { workerRows } from '../workers/worker-rows.ts'

type Card = GraphAnswer['tasks'][number]

/** More cannot be looked at in one picture; the tasks of larger plans are answered a page at a time. */
const MOST_TASKS = 5000

export function planGraph(host: HostToRead, plan: HostedPlan): Omit<GraphAnswer, 'seq'> {
  const { state, home } = plan
  const now = host.parts.clock.now()
  const shown = shownTasks(state)
  const rows = new Map(taskRows(plan, now, shown).map((row) => [row.id, row]))
  const workers = new Map(workerRows(plan, now).map((worker) => [worker.task, worker]))
  const items = new Map<string, string>()
  for (const { id, task } of singleEntries(host, plan))
    if (task !== null && !items.has(task)) items.set(task, id)
  return {
    plan: plan.id,
    repo: home.repository.path,
    title: state.plan.title,
    tasks: shown.map((task): Card => {
      const { id, title, dependsOn } = task.spec
      const worker = workers.get(id)
      const row = rows.get(id)
      return {
        id,
        title,
        status: statusOf(task.step),
        stage: task.step,
        tier: task.tier,
        attempt: task.attempt,
        since: new Date(task.stepSince).toISOString(),
        depends_on: [...dependsOn],
        blocked_by: statusOf(task.step) === 'completed' ? [] : unmet(state, dependsOn),
        worker: worker === undefined ? null : { id: worker.id, health: worker.health, reason: worker.reason },
        item: items.get(id) ?? null,
        commit_sha: task.commit?.sha ?? null,
        note: row === undefined ? null : noteOf(row, task),
      }
    }),
    left_out: state.tasks.size - shown.length,
  }
}

/** All, in plan order; of very many, those that are not completed come before those that are. */
function shownTasks({ tasks }: PlanState): readonly TaskState[] {
  const all = [...tasks.values()]
  if (all.length <= MOST_TASKS) return all
  const open = all.filter(({ step }) => step !== 'completed')
  const done = all.filter(({ step }) => step === 'completed')
  const kept = new Set([...open, ...done.toReversed()].slice(0, MOST_TASKS))
  return all.filter((task) => kept.has(task))
}

const unmet = ({ tasks }: PlanState, ids: readonly string[]): string[] =>
  ids.filter((id) => tasks.get(id)?.step !== 'completed')

/** What is going on in a line; null where the stage says it all. */
function noteOf({ check, landing, trouble }: TaskRow, task: TaskState): string | null {
  if (trouble !== null && trouble !== undefined)
    return `${trouble.what} failed and is retried: ${trouble.reason}`
  if (check !== null && check !== undefined) {
    const tests = check.tests === 0 ? '' : `, ${check.tests} tests so far`
    return `runs ${check.command}${tests}`
  }
  if (landing !== null && landing !== undefined) return landing
  if (task.dropped) return task.splitInto === null ? 'dropped' : `split into ${task.splitInto.join(', ')}`
  return task.step === 'completed' && task.commit === null ? 'existed before the plan' : null
}
