/** The message of a task's commit: a conventional subject, and where its review is. */
import { kindOfPath, type PathKind } from '../languages/paths.ts'
import { taskName } from '../planning/ids.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { oneLine } from '../../lib/text/one-line.ts'

const CONVENTIONAL =
  /^(?:build|chore|ci|docs|feat|fix|perf|refactor|revert|style|test)(?:\([\w./ -]{1,40}\))?!?: \S/
const LONGEST_SUBJECT = 72

export interface CommitFacts {
  readonly spec: TaskSpec
  readonly changed: readonly string[]
  readonly reviewPath: string
}

export function commitMessage({ spec, changed, reviewPath }: CommitFacts): string {
  return `${commitSubject(spec, changed)}\n\nRefs: ${taskName(spec.id)}\nReview: ${reviewPath}\n`
}

/** The subject the plan names, if it is a conventional one; else one built from the task. */
export function commitSubject(spec: TaskSpec, changed: readonly string[]): string {
  const scope = scopeOf(spec.ownership)
  const about = scope === null ? '' : `(${scope})`
  // This commit adds only its review, and another commit may have the intended subject already.
  if (changed.length === 0)
    return cut(`docs${about}: reviewed, nothing to change: ${lowerFirst(oneLine(spec.title))}`)
  const intended = oneLine(spec.commitSubject ?? '')
  if (CONVENTIONAL.test(intended) && !/[$`]/.test(intended)) return cut(intended)
  const breaks = spec.breakingChange ? '!' : ''
  const head = `${typeOf(spec, changed)}${about}${breaks}: `
  return cut(`${head}${lowerFirst(oneLine(spec.title))}`)
}

function typeOf(spec: TaskSpec, changed: readonly string[]): string {
  const areAll = (kind: PathKind): boolean =>
    changed.length > 0 && changed.every((path) => kindOfPath(path) === kind)
  if (areAll('doc')) return 'docs'
  if (areAll('test')) return 'test'
  if (spec.type === 'bug_fix') return 'fix'
  if (spec.type === undefined && /^(fix|mend|repair|correct)\b/i.test(spec.title)) return 'fix'
  if (/^(refactor|rename|move|tidy|clean)\b/i.test(spec.title)) return 'refactor'
  return 'feat'
}

/** The last segment of the area, if it is a word. */
function scopeOf(ownership: string): string | null {
  const last = ownership.split('/').at(-1) ?? ''
  const word = last.replace(/\.[a-z0-9]+$/i, '').toLowerCase()
  return /^[a-z0-9][a-z0-9_-]{0,30}$/.test(word) ? word : null
}

const lowerFirst = (text: string): string =>
  /^[A-Z][a-z]/.test(text) ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text
const cut = (text: string): string =>
  text.length <= LONGEST_SUBJECT ? text : `${text.slice(0, LONGEST_SUBJECT - 1).trimEnd()}…`
