/** The tasks of a plan after its spec has changed: tasks of unchanged requirements stay as they are. */
import type { SpecChanges } from './compare-specs.ts'

export interface TracedTask {
  readonly id: string
  readonly dependsOn: readonly string[]
  /** Empty for a task that the user added to the plan. */
  readonly requirements: readonly string[]
  readonly story: string | null
  readonly role: string
}

/**
 * `before` are the plan's tasks, `after` those of the new stories. A task whose requirements did not change is kept; the
 * others are replaced, under ids of their own where an id is taken. Dependencies follow.
 */
export function mergeTasks<Task extends TracedTask>(
  before: readonly Task[],
  after: readonly Task[],
  { unchanged }: Pick<SpecChanges, 'unchanged'>,
): readonly Task[] {
  const settled = new Set(unchanged)
  const isSettled = (task: TracedTask): boolean => task.requirements.every((id) => settled.has(id))
  const kept = before.filter(isSettled)
  const fresh = after.filter((task) => !isSettled(task) || !isCovered(kept, task))
  const names = newNames(kept, fresh)
  const ofKept = lookup(before, { same: kept, others: fresh, nameOf: (id) => names.get(id) ?? id })
  const ofFresh = lookup(after, { same: fresh, others: kept, nameOf: (id) => id })
  const merged = [
    ...kept.map((task) => relinked(task, task.id, ofKept)),
    ...fresh.map((task) => {
      const id = names.get(task.id) ?? task.id
      return relinked({ ...task, id }, id, (need) =>
        ofFresh(need).map((one) => (isIn(fresh, need) ? (names.get(one) ?? one) : one)),
      )
    }),
  ]
  return inStoryOrder(merged, after)
}

type Lookup = (id: string) => readonly string[]

function relinked<Task extends TracedTask>(task: Task, own: string, find: Lookup): Task {
  const dependsOn = [...new Set(task.dependsOn.flatMap(find))].filter((id) => id !== own)
  return { ...task, dependsOn }
}

const isIn = (tasks: readonly TracedTask[], id: string): boolean => tasks.some((task) => task.id === id)

/** Whether the kept tasks already do what this task of the new stories would. */
const isCovered = (kept: readonly TracedTask[], task: TracedTask): boolean =>
  task.requirements.every((id) => kept.some((one) => one.requirements.includes(id) && one.role === task.role))

function newNames(kept: readonly TracedTask[], fresh: readonly TracedTask[]): ReadonlyMap<string, string> {
  const taken = new Set(kept.map(({ id }) => id))
  const names = new Map<string, string>()
  for (const { id } of fresh) {
    let name = id
    for (let at = 2; taken.has(name); at++) name = `${id}-${at}`
    taken.add(name)
    names.set(id, name)
  }
  return names
}

/**
 * For an id of `all`: itself where that task is still there, else the task of the same id on the other side, else those
 * that build the same requirements. A design or a test as a whole stands for none of them.
 */
function lookup(
  all: readonly TracedTask[],
  side: {
    readonly same: readonly TracedTask[]
    readonly others: readonly TracedTask[]
    readonly nameOf: (id: string) => string
  },
): Lookup {
  const byId = new Map(all.map((task) => [task.id, task]))
  return (id) => {
    const task = byId.get(id)
    if (task === undefined) return []
    if (isIn(side.same, id)) return [id]
    if (isIn(side.others, id)) return [side.nameOf(id)]
    return side.others
      .filter(({ role }) => role !== 'tester' && role !== 'designer')
      .filter((other) => other.requirements.some((one) => task.requirements.includes(one)))
      .map((other) => side.nameOf(other.id))
  }
}

/** In the order of the new stories; tasks that are in none of them come last, as they were. */
function inStoryOrder<Task extends TracedTask>(
  tasks: readonly Task[],
  after: readonly TracedTask[],
): readonly Task[] {
  const order = new Map<string, number>()
  for (const [place, { id, requirements }] of after.entries()) {
    for (const key of [id, ...requirements]) if (!order.has(key)) order.set(key, place)
  }
  const placeOf = ({ id, requirements }: TracedTask): number =>
    order.get(id) ?? order.get(requirements[0] ?? '') ?? after.length
  return tasks.toSorted((a, b) => placeOf(a) - placeOf(b))
}
