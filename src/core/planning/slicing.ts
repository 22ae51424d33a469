/** Splits a task that changes too many files into consecutive slices. */
import { folderOf, isTestPath, normalPath, stemOf } from '../languages/paths.ts'
import type { ExpectedFiles, Problem, TaskSpec } from './plan.ts'
import { warningAt } from './problems.ts'

export interface Sliced {
  readonly tasks: readonly TaskSpec[]
  /** For each sliced task, the ids of its slices in order. */
  readonly slicesOf: ReadonlyMap<string, readonly string[]>
  readonly problems: readonly Problem[]
}

export function sliceLargeTasks(
  tasks: readonly TaskSpec[],
  plan: { readonly limit: number; readonly source: string },
): Sliced {
  const cut = tasks.map((task) => ({ task, slices: slicesOfTask(task, plan.limit) }))
  const slicesOf = new Map(
    cut.flatMap(({ task, slices }) =>
      slices.length > 1 ? [[task.id, slices.map((slice) => slice.id)] as const] : [],
    ),
  )
  const lastOf = (id: string): string => slicesOf.get(id)?.at(-1) ?? id
  return {
    tasks: cut
      .flatMap(({ slices }) => slices)
      .map((task) => ({ ...task, dependsOn: task.dependsOn.map(lastOf) })),
    slicesOf,
    problems: cut
      .filter(({ slices }) => slices.length > 1)
      .map(({ task, slices }) => {
        const message = `task ${task.id} changes ${filesIn(task).length} files, more than ${plan.limit}: sliced into ${slices.length}`
        const remedy = 'Split the task in the plan, or raise pm.patch_size_limit_files.'
        return warningAt(plan.source, task.line, message, remedy)
      }),
  }
}

/** The task itself where it fits, else its slices. The last slice has the criteria of the whole task. */
function slicesOfTask(task: TaskSpec, limit: number): readonly TaskSpec[] {
  const files = filesIn(task)
  if (files.length <= limit) return [task]
  const parts = packFiles(files, limit)
  return parts.map((part, at) => {
    const number = at + 1
    const last = number === parts.length
    const within = new Set(part)
    const tests = task.testsToAdd.filter((path) => within.has(path))
    const label = `part ${number} of ${parts.length}`
    return {
      ...task,
      id: sliceId(task.id, number),
      title: `${task.title} (${label})`,
      description: `This is ${label} of task ${task.id}, limited to: ${part.join(', ')}.\n\n${task.description}`,
      dependsOn: at === 0 ? task.dependsOn : [sliceId(task.id, at)],
      acceptanceCriteria: last ? task.acceptanceCriteria : sliceCriteria(task, part, tests),
      files: onlyWithin(task.files, within),
      testsToAdd: tests,
      testsToRun: last
        ? task.testsToRun
        : task.testsToRun.filter((command) => tests.some((path) => command.includes(path))),
      heldOut: last ? task.heldOut : [],
      ...(last ? {} : { ownGates: undefined }),
      commitSubject: task.commitSubject === null ? null : `${task.commitSubject} (${label})`,
    }
  })
}

/** Splits a task into two consecutive ones by its files; empty where it has a single source. */
export function halvesOf(task: TaskSpec): readonly TaskSpec[] {
  const files = filesIn(task)
  const units = withTheirTests(files).filter(([first = '']) => !isTestPath(first))
  if (units.length < 2) return []
  const largest = Math.max(...units.map((unit) => unit.length))
  // Units and folders may not fit into exact halves, so take the most even split into two.
  for (let limit = Math.max(largest, Math.ceil(files.length / 2)); limit < files.length; limit++) {
    if (packFiles(files, limit).length === 2) return slicesOfTask(task, limit)
  }
  return []
}

function sliceId(id: string, number: number): string {
  return `${id}-s${number}`
}

function sliceCriteria(task: TaskSpec, part: readonly string[], tests: readonly string[]): readonly string[] {
  const sources = part.filter((path) => !tests.includes(path))
  const done = sources.map((path) =>
    task.files.delete.includes(path) ? `${path} is deleted` : `${path} does its share of "${task.title}"`,
  )
  return [...done, ...tests.map((path) => `${path} passes`)]
}

function filesIn(task: TaskSpec): readonly string[] {
  const { create, modify, delete: deleted } = task.files
  return [...new Set([...create, ...modify, ...deleted, ...task.testsToAdd])]
}

function onlyWithin(files: ExpectedFiles, within: ReadonlySet<string>): ExpectedFiles {
  const keep = (paths: readonly string[]): readonly string[] => paths.filter((path) => within.has(path))
  return { create: keep(files.create), modify: keep(files.modify), delete: keep(files.delete) }
}

/**
 * Packs files into parts of at most `limit`: a source with its test, whole folders where they fit, in the author's
 * order.
 */
export function packFiles(files: readonly string[], limit: number): readonly (readonly string[])[] {
  const folders = Map.groupBy(withTheirTests(files), (unit) => folderOf(unit[0] ?? ''))
  const parts: string[][] = []
  for (const units of folders.values()) {
    const size = units.reduce((sum, unit) => sum + unit.length, 0)
    const room = limit - (parts.at(-1)?.length ?? limit)
    if (size > room && size <= limit) parts.push([])
    for (const piece of units.flatMap((unit) =>
      unit.length > limit ? unit.map((file) => [file]) : [unit],
    )) {
      const current = parts.at(-1)
      if (current === undefined || current.length + piece.length > limit) parts.push([...piece])
      else current.push(...piece)
    }
  }
  return parts.filter((part) => part.length > 0)
}

/** Each source with the tests named after it; other tests are on their own. */
function withTheirTests(files: readonly string[]): readonly (readonly string[])[] {
  const units = new Map<string, string[]>()
  const sources = files.filter((path) => !isTestPath(path))
  for (const path of sources) units.set(path, [path])
  const byStem = Map.groupBy(sources, (path) => stemOf(path).toLowerCase())
  for (const path of files.filter(isTestPath)) {
    const owner = byStem.get(testedStem(path))?.[0]
    const unit = owner === undefined ? undefined : units.get(owner)
    if (unit === undefined) units.set(path, [path])
    else unit.push(path)
  }
  return [...units.values()]
}

/** `test/slug.test.js`, `test_slug.py`, `slug_test.go` → `slug` */
function testedStem(path: string): string {
  return stemOf(normalPath(path))
    .toLowerCase()
    .replace(/^tests?[_-]|[_-](tests?|spec)$/g, '')
}
