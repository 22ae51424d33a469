/** Which of the queries that the page has fetched an event makes out of date. Keys are those of queries.ts. */
import type { EventMessage } from '../../../src/protocol/answers.ts'

interface Keyed {
  readonly queryKey: readonly unknown[]
}

/** Of a plan: `['plan', kind, plan, …]`; of a task: `['task', kind, plan, task, …]`; of a worker: `['worker', kind, id, …]`. */
export function touchedBy(events: readonly EventMessage[]): (query: Keyed) => boolean {
  const plans = new Set(events.map(({ plan }) => plan))
  const tasks = new Set(events.map(({ plan, task }) => `${plan}\n${task}`))
  const workers = new Set(events.flatMap(({ activity }) => activity.map(({ worker_id }) => worker_id)))
  const ofTasks = new Set(
    events.flatMap(({ plan, task }) => (task === null ? [] : [`w-${plan}-${slug(task)}-`])),
  )
  const hasInterview = events.some(({ interview }) => interview !== undefined)
  return ({ queryKey: [family, kind, first, second] }) => {
    switch (family) {
      case 'plan':
      case 'inbox':
        return family === 'inbox' || plans.has(String(first))
      case 'task':
        return tasks.has(`${String(first)}\n${String(second)}`)
      case 'worker':
        // What follows the end of a worker happens to its task.
        return workers.has(String(first)) || (kind === 'whole' && isOfTask(String(first), ofTasks))
      case 'interview':
        return hasInterview
      case 'metrics':
        return true
      default:
        return false
    }
  }
}

/** As worker ids are made: `w-shop-7-1` is the first of task 7 of plan shop. */
const slug = (task: string): string => task.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const isOfTask = (worker: string, prefixes: ReadonlySet<string>): boolean =>
  [...prefixes].some((prefix) => worker.startsWith(prefix))
