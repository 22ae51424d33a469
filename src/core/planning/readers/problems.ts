/** Creates and limits the problems of a plan's text. */
import type { DraftTask } from '../draft.ts'
import type { Problem } from '../plan.ts'
import type { Note } from './markdown/lines.ts'

/** Further problems are only counted. */
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

/** Reports duplicate task ids with both lines. */
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
        `duplicate task id "${id}" in lines ${before} and ${line}`,
        'give each task a unique id',
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

/** Sorted by line, errors first within a line, and limited. */
export function boundedProblems(file: string, problems: readonly Problem[]): Problem[] {
  const inOrder = sorted(problems)
  if (inOrder.length <= MAX_PROBLEMS) return inOrder
  const errors = inOrder.filter(({ severity }) => severity === 'error')
  const warnings = inOrder.filter(({ severity }) => severity === 'warning')
  const shown = [...errors, ...warnings].slice(0, MAX_PROBLEMS)
  const left = inOrder.length - shown.length
  const more = errorOrWarning(errors.length > 0, file, `${left} more problems not listed`)
  return [...sorted(shown), more]
}

function sorted(problems: readonly Problem[]): Problem[] {
  const rank = (problem: Problem) => (problem.severity === 'error' ? 0 : 1)
  return problems.toSorted((a, b) => a.line - b.line || rank(a) - rank(b))
}

function errorOrWarning(error: boolean, file: string, message: string): Problem {
  const remedy = 'fix the listed ones and read the plan again'
  return error ? errorAt(file, 1, message, remedy) : warningAt(file, 1, message, remedy)
}
