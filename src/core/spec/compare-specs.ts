/** What an edited spec changes, and the tasks of its plan after that. */
import { oneLine } from '../../lib/text/counted.ts'
import type { WrittenTask } from '../planning/readers/yaml-schema.ts'
import type { Requirement, Spec } from './spec.ts'

export interface SpecChanges {
  readonly added: readonly string[]
  readonly changed: readonly { readonly id: string; readonly fields: readonly string[] }[]
  readonly removed: readonly string[]
  readonly unchanged: readonly string[]
  /** Of the spec itself: title, vision, scope, other sections. */
  readonly fields: readonly string[]
}

export const isSpecChanged = ({ added, changed, removed, fields }: SpecChanges): boolean =>
  added.length + changed.length + removed.length + fields.length > 0

const FIELDS = {
  title: ({ title }) => title,
  type: ({ type }) => type,
  priority: ({ priority }) => priority,
  dependencies: ({ dependsOn }) => dependsOn.toSorted().join(),
  description: ({ description }) => description,
  'acceptance criteria': ({ criteria }) => criteria.join('\n'),
} satisfies Record<string, (requirement: Requirement) => string>

/** Differences in white space do not count. */
export function compareSpecs(before: Spec, after: Spec): SpecChanges {
  const old = new Map(before.requirements.map((one) => [one.id, one]))
  const now = new Set(after.requirements.map(({ id }) => id))
  const both = after.requirements.flatMap((requirement) => {
    const was = old.get(requirement.id)
    return was === undefined ? [] : [{ id: requirement.id, fields: changedFields(was, requirement) }]
  })
  const ofSpec: readonly (readonly [string, string, string])[] = [
    ['title', before.title, after.title],
    ['vision', before.vision, after.vision],
    ['in scope', before.inScope.join('\n'), after.inScope.join('\n')],
    ['out of scope', before.outOfScope.join('\n'), after.outOfScope.join('\n')],
    ['other sections', notesText(before), notesText(after)],
  ]
  return {
    added: after.requirements.map(({ id }) => id).filter((id) => !old.has(id)),
    changed: both.filter(({ fields }) => fields.length > 0),
    removed: before.requirements.map(({ id }) => id).filter((id) => !now.has(id)),
    unchanged: both.filter(({ fields }) => fields.length === 0).map(({ id }) => id),
    fields: ofSpec.filter(([, was, is]) => oneLine(was) !== oneLine(is)).map(([name]) => name),
  }
}

const notesText = ({ notes }: Spec): string =>
  notes.flatMap(({ heading, text }) => [heading, text]).join('\n')

const changedFields = (was: Requirement, now: Requirement): readonly string[] =>
  Object.entries(FIELDS)
    .filter(([, of]) => oneLine(of(was)) !== oneLine(of(now)))
    .map(([name]) => name)

type TracedTask = Pick<WrittenTask, 'id' | 'depends_on' | 'requirements' | 'role'>

const needsOf = (task: TracedTask): readonly string[] => (task.depends_on ?? []).map(String)
const roleOf = ({ role }: TracedTask): string => role ?? 'developer'
/** None for a task that the user added to the plan. */
const tracedBy = (task: TracedTask): readonly string[] => task.requirements ?? []

/**
 * The tasks of a plan after its spec has changed. `before` are the plan's tasks, `after` those of the new stories. A task whose requirements did not change is kept; the
 * others are replaced, under ids of their own where an id is taken. Dependencies follow.
 */
export function mergeTasks<Task extends TracedTask>(
  before: readonly Task[],
  after: readonly Task[],
  { unchanged }: Pick<SpecChanges, 'unchanged'>,
): readonly Task[] {
  const settled = new Set(unchanged)
  const isSettled = (task: TracedTask): boolean => tracedBy(task).every((id) => settled.has(id))
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
  return { ...task, depends_on: [...new Set(needsOf(task).flatMap(find))].filter((id) => id !== own) }
}

const isIn = (tasks: readonly TracedTask[], id: string): boolean => tasks.some((task) => task.id === id)

/** Whether the kept tasks already do what this task of the new stories would. */
const isCovered = (kept: readonly TracedTask[], task: TracedTask): boolean =>
  tracedBy(task).every((id) => kept.some((one) => tracedBy(one).includes(id) && roleOf(one) === roleOf(task)))

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
      .filter((other) => tracedBy(other).some((one) => tracedBy(task).includes(one)))
      .map((other) => side.nameOf(other.id))
  }
}

/** In the order of the new stories; tasks that are in none of them come last, as they were. */
function inStoryOrder<Task extends TracedTask>(
  tasks: readonly Task[],
  after: readonly TracedTask[],
): readonly Task[] {
  const order = new Map<string, number>()
  for (const [place, task] of after.entries()) {
    for (const key of [task.id, ...tracedBy(task)]) if (!order.has(key)) order.set(key, place)
  }
  const placeOf = (task: TracedTask): number =>
    order.get(task.id) ?? order.get(tracedBy(task)[0] ?? '') ?? after.length
  return tasks.toSorted((a, b) => placeOf(a) - placeOf(b))
}
