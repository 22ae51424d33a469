/** Creates and lists the problems of a plan. */
import type { Problem } from './plan.ts'

const MOST_PROBLEMS = 300

export function errorAt(file: string, line: number, message: string, remedy: string): Problem {
  return { severity: 'error', file, line, message, remedy: sentence(remedy) }
}

/** A warning about a line of the text being read. */
export interface Note {
  readonly line: number
  readonly message: string
  readonly remedy: string
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

export function noTasks(file: string): Problem {
  return errorAt(
    file,
    1,
    'no tasks found',
    'write tasks as headings ("### Task 1: Title"), as check boxes below "## Tasks" ("- [ ] Do this"), as Spec Kit lines ' +
      '("- [ ] T001 Do this"), or as YAML with a "tasks:" list',
  )
}

/** Sorted by line, errors first within a line. Errors are listed first, and further problems only counted. */
export function listedProblems(problems: readonly Problem[], file: string): readonly Problem[] {
  const errorsFirst = problems.toSorted((a, b) => rank(a) - rank(b))
  const kept = errorsFirst.slice(0, MOST_PROBLEMS).sort((a, b) => a.line - b.line || rank(a) - rank(b))
  const [next] = errorsFirst.slice(MOST_PROBLEMS)
  if (next === undefined) return kept
  const message = `${errorsFirst.length - kept.length} more problems not listed`
  const remedy = 'Fix these and read the plan again.'
  return [...kept, { severity: next.severity, file, line: 1, message, remedy }]
}

const rank = ({ severity }: Problem): number => (severity === 'error' ? 0 : 1)
