/** Finds branches that touch files which planned tasks expect to touch. */
import type { Branches, NoticedBranch } from '../event-schemas/baseline.ts'
import { isOutside, isPattern, normalPath } from '../languages/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'

/** A branch that is ahead of the start commit. */
export interface BranchFacts extends Omit<NoticedBranch, 'tasks' | 'subject'> {
  /** Files that its commits change and that differ from the start commit. */
  readonly touched: readonly string[]
}

type Expecting = Pick<TaskSpec, 'id' | 'files' | 'testsToAdd'>

const MOST_BRANCHES = 20
const MOST_TASKS = 100
const MOST_FILES = 5

/** The files a task expects to touch, without patterns. */
export function expectedPaths({ files, testsToAdd }: Omit<Expecting, 'id'>): readonly string[] {
  const all = [...files.create, ...testsToAdd, ...files.modify, ...files.delete]
  return [...new Set(all.filter((path) => !isPattern(path) && !isOutside(path)).map(normalPath))]
}

/**
 * The branches that touch expected files: first those that add files a task is to create, then those that touch most,
 * then the newest.
 */
export function noticeBranches(
  tasks: readonly Expecting[],
  branches: readonly BranchFacts[],
): Omit<Branches, 'trouble' | 'noticed'> & { readonly noticed: readonly Omit<NoticedBranch, 'subject'>[] } {
  const expecting = tasks.flatMap((task) => expectedPaths(task).map((path) => ({ path, task: task.id })))
  const wanted = Map.groupBy(expecting, ({ path }) => path)
  const created = tasks.flatMap(({ files, testsToAdd }) => [...files.create, ...testsToAdd])
  const made = new Set(created.map(normalPath))
  const found = branches.flatMap(({ touched, ...branch }) => {
    const hits = touched.flatMap((path) => {
      const expected = pathsAbove(path).find((one) => wanted.has(one))
      return expected === undefined ? [] : [{ path, expected }]
    })
    if (hits.length === 0) return []
    const makes = hits.filter(({ expected }) => made.has(expected)).length
    return [{ branch, hits, makes }]
  })
  found.sort((a, b) => b.makes - a.makes || b.hits.length - a.hits.length || b.branch.at - a.branch.at)
  return {
    noticed: found
      .slice(0, MOST_BRANCHES)
      .map(({ branch, hits }) => ({ ...branch, tasks: byTask(hits, wanted, tasks) })),
    more: Math.max(0, found.length - MOST_BRANCHES),
  }
}

/** In the order of the plan. */
function byTask(
  hits: readonly { readonly path: string; readonly expected: string }[],
  wanted: ReadonlyMap<string, readonly { readonly task: string }[]>,
  tasks: readonly Expecting[],
): NoticedBranch['tasks'] {
  const touching = hits.flatMap(({ path, expected }) =>
    (wanted.get(expected) ?? []).map(({ task }) => ({ task, path })),
  )
  const files = Map.groupBy(touching, ({ task }) => task)
  const touched = tasks.filter(({ id }) => files.has(id)).slice(0, MOST_TASKS)
  return touched.map(({ id }) => {
    const paths = (files.get(id) ?? []).map(({ path }) => path)
    return { task: id, files: paths.slice(0, MOST_FILES), more: Math.max(0, paths.length - MOST_FILES) }
  })
}

/** The path and its parent folders: a task may expect a whole folder. */
function pathsAbove(path: string): readonly string[] {
  const names = path.split('/')
  return names.map((_, at) => names.slice(0, names.length - at).join('/'))
}
