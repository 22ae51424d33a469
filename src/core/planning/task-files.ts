/** The files a task is expected to touch: what its author lists, else what their commit step adds. */
import type { DraftTask } from './draft.ts'
import { isFolderPath, isTestPath, normalPath } from './paths.ts'
import type { ExpectedFiles } from './plan.ts'
import type { PathLookup } from './repo-facts.ts'

export interface TaskFiles {
  readonly files: ExpectedFiles
  /** Named as tests; expected, whether they are there already or not. */
  readonly tests: readonly string[]
  readonly reads: readonly string[]
  readonly inferred: boolean
}

/** `written` are the paths that earlier tasks of the plan write. */
export function filesOfTask(task: DraftTask, exists: PathLookup, written: ReadonlySet<string>): TaskFiles {
  const listed = task.files
  if (listed !== undefined) {
    const isTest = (path: string): boolean =>
      isTestPath(path) || (exists(path) !== true && !written.has(normalPath(path)))
    const named = listed.test.map(tidy)
    return {
      files: {
        create: unique(listed.create.map(tidy)),
        modify: unique(listed.modify.map(tidy)),
        delete: unique(listed.delete.map(tidy)),
      },
      tests: unique(named.filter(isTest)),
      reads: unique([...listed.read.map(tidy), ...named.filter((path) => !isTest(path))]),
      inferred: false,
    }
  }
  const added = unique(task.addedPaths.filter(isOnePath).map(tidy))
  const isNew = (path: string): boolean => exists(path) === false && !written.has(normalPath(path))
  return {
    files: { create: added.filter(isNew), modify: added.filter((path) => !isNew(path)), delete: [] },
    tests: [],
    reads: [],
    inferred: true,
  }
}

/** Every path a task writes. */
export function writtenPaths(task: Pick<TaskFiles, 'files' | 'tests'>): readonly string[] {
  return unique([...task.files.create, ...task.files.modify, ...task.files.delete, ...task.tests])
}

/** `git add -A`, `git add .` and patterns name no file. */
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
