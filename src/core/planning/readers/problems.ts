/** Problems of a plan's text, made and bounded in one place. */
import type { DraftTask } from '../draft.ts'
import type { Problem } from '../plan.ts'
import type { Note } from './markdown/lines.ts'

/** More problems than this are counted, not listed. */
export const MAX_PROBLEMS = 200

export function errorAt(file: string, line: number, message: string, remedy: string): Problem {
  return { severity: 'error', file, line, message, remedy: sentence(remedy) }
}

export function warningsOf(file: string, notes: readonly Note[]): Problem[] {
  return notes.map(({ line, message, remedy }) => warningAt(file, line, message, remedy))
}

export function warningAt(file: string, line: number, message: string, remedy: string): Problem {
  return { ...errorAt(file, line, message, remedy), severity: 'warning' }
}

function sentence(text: string): string {
  const end = /[.?!]$/.test(text) ? '' : '.'
  return text.slice(0, 1).toUpperCase() + text.slice(1) + end
}

/** Every task whose id an earlier one has, with both lines. */
export function duplicateIds(file: string, tasks: readonly Pick<DraftTask, 'id' | 'line'>[]): Problem[] {
  const first = new Map<string, number>()
  return tasks.flatMap(({ id, line }) => {
    const before = first.get(id)
    if (before === undefined) {
      first.set(id, line)
      return []
    }
    return [
      errorAt(
        file,
        line,
        `task id "${id}" is used twice, in line ${before} and in line ${line}`,
        'give each task an id of its own',
      ),
    ]
  })
}

export function noTasks(file: string): Problem {
  return errorAt(
    file,
    1,
    'no tasks found',
    'write tasks as headings ("### Task 1: Title"), as check boxes below "## Tasks" ("- [ ] Do this"), as Spec Kit lines ' +
      '("- [ ] T001 Do this"), or as YAML with a "tasks:" list',
  )
}

/** In the order of their lines, errors first on the same line, and no more than the limit. */
export function boundedProblems(file: string, problems: readonly Problem[]): Problem[] {
  const inOrder = sorted(problems)
  if (inOrder.length <= MAX_PROBLEMS) return inOrder
  const errors = inOrder.filter(({ severity }) => severity === 'error')
  const warnings = inOrder.filter(({ severity }) => severity === 'warning')
  const shown = [...errors, ...warnings].slice(0, MAX_PROBLEMS)
  const left = inOrder.length - shown.length
  const more = errorOrWarning(errors.length > 0, file, `${left} more problems are not listed`)
  return [...sorted(shown), more]
}

function sorted(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => (problem.severity === 'error' ? 0 : 1)
  return problems.toSorted((a, b) => a.line - b.line || rank(a) - rank(b))
}

function errorOrWarning(error: boolean, file: string, message: string): Problem {
  const remedy = 'mend the ones listed and read the plan again'
  return error ? errorAt(file, 1, message, remedy) : warningAt(file, 1, message, remedy)
}
