/** What is wrong with stories that fit their schema: ids, dependencies, the trace to requirements, and paths. */
import { closest } from '../../lib/text/closest.ts'
import { findCycles } from '../planning/dependencies/order.ts'
import { idSlug } from '../planning/ids.ts'
import type { Story, StoryTask } from './architect-messages.ts'
import { isPattern, normalPath, segmentsOf } from '../languages/paths.ts'
import { leavesRepository } from '../planning/readers/commands/removal.ts'

const MOST_PROBLEMS = 30
const ID = /^[A-Za-z][A-Za-z0-9]{0,9}-?\d{1,6}(?:[.-]\d{1,4}){0,3}$/

/** Every problem, one sentence each; none where the stories can become a plan of the requirements. */
export function storyProblems(stories: readonly Story[], requirements: readonly string[]): readonly string[] {
  const tasks = stories.flatMap((story) => story.tasks.map((task) => ({ story, task })))
  const problems = [
    ...(stories.length === 0 ? ['there is no story'] : []),
    ...idProblems(
      'story',
      stories.map(({ id }) => id),
    ),
    ...idProblems(
      'task',
      tasks.map(({ task }) => task.id),
    ),
    ...traceProblems(stories, requirements),
    ...unknownNeeds('story', stories),
    ...unknownNeeds(
      'task',
      tasks.map(({ task }) => task),
    ),
    ...cycleProblems(stories),
    ...tasks.flatMap(({ task }) => pathProblems(task)),
  ]
  return [...new Set(problems)].slice(0, MOST_PROBLEMS)
}

function idProblems(kind: 'story' | 'task', ids: readonly string[]): readonly string[] {
  const first = kind === 'story' ? 'S-001' : 'S-001.1'
  const names = new Map<string, string>()
  return ids.flatMap((id) => {
    if (!ID.test(id)) return [`the ${kind} id ${quoted(id)} does not have the form ${first}`]
    // Branches and files are named after it.
    const known = names.get(idSlug(id))
    names.set(idSlug(id), id)
    if (known === id) return [`the ${kind} id ${id} is used twice`]
    return known === undefined ? [] : [`the ${kind} ids ${known} and ${id} are too similar`]
  })
}

function traceProblems(stories: readonly Story[], requirements: readonly string[]): readonly string[] {
  const known = new Set(requirements)
  const unknown = stories.flatMap(({ id, requirements: named, tasks }) => [
    ...named
      .filter((one) => !known.has(one))
      .map((one) => `story ${id} names ${quoted(one)}, which is not a requirement`),
    ...tasks.flatMap((task) =>
      task.acceptance_criteria
        .filter(({ requirement }) => !named.includes(requirement))
        .map(
          ({ requirement }) =>
            `a criterion of task ${task.id} names ${quoted(requirement)}, which story ${id} does not`,
        ),
    ),
  ])
  // A design or a test alone builds nothing.
  const builders = stories.flatMap(({ tasks }) =>
    tasks.filter(({ kind }) => kind !== 'design' && kind !== 'test'),
  )
  const built = new Set(
    builders.flatMap((task) => task.acceptance_criteria.map(({ requirement }) => requirement)),
  )
  const missing = requirements.filter((one) => !built.has(one))
  return [
    ...unknown,
    ...missing.map((one) => `no task that builds something has a criterion of requirement ${one}`),
  ]
}

function unknownNeeds(
  kind: 'story' | 'task',
  all: readonly { readonly id: string; readonly depends_on: readonly string[] }[],
): readonly string[] {
  const ids = all.map(({ id }) => id)
  const known = new Set(ids)
  return all.flatMap(({ id, depends_on }) =>
    depends_on
      .filter((need) => !known.has(need))
      .map((need) => {
        const near = closest(need, ids)
        const hint = near === null ? '' : ` (did you mean ${near}?)`
        return `${kind} ${id} depends on ${quoted(need)}, which is not a ${kind}${hint}`
      }),
  )
}

/** Cycles of tasks, those through their stories included. */
function cycleProblems(stories: readonly Story[]): readonly string[] {
  const tasks = taskDependencies(stories)
  const places = new Map(tasks.map(({ id }, place) => [id, place]))
  const graph = tasks.map(({ dependsOn }) => dependsOn.flatMap((id) => places.get(id) ?? []))
  return findCycles(graph).map((cycle) => {
    const names = cycle.flatMap((place) => tasks[place]?.id ?? [])
    return `cycle ${[...names, names[0] ?? ''].join(' → ')}`
  })
}

/**
 * For each task, every task it waits for: those it names, and all tasks of the stories that its story depends on. A
 * story with a cycle to itself is left to the cycle check.
 */
export function taskDependencies(
  stories: readonly Story[],
): readonly { readonly id: string; readonly dependsOn: readonly string[] }[] {
  const byStory = new Map(stories.map((story) => [story.id, story]))
  return stories.flatMap((story) => {
    const ofStories = story.depends_on.flatMap((id) => lastTasks(byStory.get(id)))
    return story.tasks.map((task) => ({
      id: task.id,
      dependsOn: [...new Set([...task.depends_on, ...ofStories])],
    }))
  })
}

/** The tasks that no other task of their story waits for. */
function lastTasks(story: Story | undefined): readonly string[] {
  if (story === undefined) return []
  const needed = new Set(story.tasks.flatMap((task) => task.depends_on))
  const last = story.tasks.map(({ id }) => id).filter((id) => !needed.has(id))
  return last.length > 0 ? last : story.tasks.map(({ id }) => id)
}

function pathProblems(task: StoryTask): readonly string[] {
  const { create, modify, delete: deleted } = task.files
  return [
    ...create,
    ...modify,
    ...deleted,
    ...task.tests_to_add,
    ...(task.area === null ? [] : [task.area]),
  ].flatMap((path) => {
    const why = pathObjection(path)
    return why === null ? [] : [`task ${task.id} names ${quoted(path)}, which ${why}`]
  })
}

const quoted = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text)

/** Settings that decide what workers may do and which checks run. */
const SETTINGS = /^bosun\.ya?ml$/i
/** Records that only Bosun writes. */
const RECORD = /-(review\.md|release\.yaml|notes\.md)$/i

/** Why a story may not name this path; null where it may. */
export function pathObjection(path: string): string | null {
  if (path.trim() === '') return 'is empty'
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  if (/[\u0000-\u001F\u007F]/.test(path)) return 'contains control characters'
  const segments = segmentsOf(path)
  if (leavesRepository(path.trim()) || segments.includes('..')) return 'leaves the repository'
  if (segments.length === 0) return 'is the whole repository'
  if (segments.some(isGitsOwn)) return "is part of git's own data"
  if (isPattern(path)) return 'is a pattern; name single files'
  if (segments.some((segment) => SETTINGS.test(segment.trim())))
    return 'holds the settings of Bosun, which only the user changes'
  if (/^docs\/(reviews|releases)\//i.test(normalPath(path)) && RECORD.test(path))
    return 'is a record that Bosun writes'
  return null
}

/** `.git` in every spelling that a file system may take for it. */
const isGitsOwn = (segment: string): boolean =>
  /^\.git$/i.test(segment.replace(/[\s.]+$/, '').normalize('NFKC')) || /^git~\d+$/i.test(segment)
