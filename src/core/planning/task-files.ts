/** The files a task is expected to touch: those its author lists, and those its commit step adds. */
import type { DraftFiles, DraftTask } from './draft.ts'
import { isFolderPath, isPattern, isTestPath, nameOf, normalPath, segmentsOf } from '../languages/paths.ts'
import type { ExpectedFiles } from './plan.ts'
import type { PathLookup } from './repo-facts.ts'

export interface TaskFiles {
  readonly files: ExpectedFiles
  /** Named as tests; they may exist already. */
  readonly tests: readonly string[]
  readonly reads: readonly string[]
  /** The author lists none. */
  readonly inferred: boolean
}

/** A task of a draft, with its files and its area. */
export interface DraftedTask {
  readonly task: DraftTask
  readonly files: TaskFiles
  readonly area: string
}

/** `written` are the paths that earlier tasks of the plan write. */
export function filesOfTask(task: DraftTask, exists: PathLookup, written: ReadonlySet<string>): TaskFiles {
  const isNew = (path: string): boolean => exists(path) === false && !written.has(normalPath(path))
  const added = unique(task.addedPaths.filter(isOnePath).map(tidy))
  const listed = listsFiles(task.files) ? filled(task.files, added) : null
  if (listed === null) {
    const reads = unique((task.files?.read ?? []).map(tidy))
    const files = { create: added.filter(isNew), modify: added.filter((path) => !isNew(path)), delete: [] }
    return { files, tests: [], reads, inferred: true }
  }
  const isTest = (path: string): boolean =>
    isTestPath(path) || (exists(path) !== true && !written.has(normalPath(path)))
  const known = new Set(
    [...listed.create, ...listed.modify, ...listed.delete, ...listed.test].map(normalPath),
  )
  const forgotten = added.filter((path) => !isFolderPath(path) && path.includes('/') && !known.has(path))
  const tests = [...listed.test.filter(isTest), ...forgotten.filter(isTestPath)]
  const others = forgotten.filter((path) => !isTestPath(path))
  return {
    files: {
      create: unique([...listed.create, ...others.filter(isNew)]),
      modify: unique([...listed.modify, ...others.filter((path) => !isNew(path))]),
      delete: unique(listed.delete),
    },
    tests: unique(tests),
    reads: unique([...listed.read, ...listed.test.filter((path) => !isTest(path))]),
    inferred: false,
  }
}

/** Every path a task writes. */
export function writtenPaths(task: Pick<TaskFiles, 'files' | 'tests'>): readonly string[] {
  return unique([...task.files.create, ...task.files.modify, ...task.files.delete, ...task.tests])
}

/** False for a list without files ("none", "see below"). */
export function listsFiles(files: DraftFiles | undefined): files is DraftFiles {
  if (files === undefined) return false
  return files.create.length + files.modify.length + files.delete.length + files.test.length > 0
}

/** Replaces abbreviated paths (`apps/desktop/.../options.ts`) by the one added path that matches. */
function filled(files: DraftFiles, added: readonly string[]): DraftFiles {
  const fill = (paths: readonly string[]): readonly string[] =>
    paths.map((path) => {
      const fitting = isPattern(path) ? added.filter((candidate) => fits(path, candidate)) : []
      return fitting.length === 1 ? (fitting[0] ?? path) : tidy(path)
    })
  return {
    create: fill(files.create),
    modify: fill(files.modify),
    delete: fill(files.delete),
    test: fill(files.test),
    read: fill(files.read),
  }
}

function fits(pattern: string, path: string): boolean {
  const [root = ''] = segmentsOf(pattern)
  return nameOf(pattern) === nameOf(path) && segmentsOf(path)[0] === root
}

/** False for `-A`, `.` and patterns of `git add`. */
function isOnePath(path: string): boolean {
  return !path.startsWith('-') && normalPath(path) !== '.' && !/[*$`"']/.test(path)
}

function tidy(path: string): string {
  const plain = normalPath(path)
  return isFolderPath(path) && plain !== '' ? `${plain}/` : plain
}

function unique(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].filter((path) => path !== '')
}
