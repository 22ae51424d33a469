/** The scope of a real change, and whether it is larger than the plan expected: the process deepens, and never the reverse. */
import { scopeOf, SCOPES, type Scope } from '../choice/choose-agent.ts'
import { kindOfPath } from '../languages/paths.ts'
import type { Draft } from '../state/draft.ts'
import type { TaskState } from '../state/state.ts'
import { counted } from '../../lib/text/counted.ts'

/** Files of their own right: tests and lock files come with them. */
const MANY_FILES = 6
/** Changed lines outside of tests and lock files. */
const ONE_LINE = 2
const MANY_LINES = 200
const VERY_MANY_LINES = 1000

/** By the files and lines that changed; null for work whose lines were not counted. */
export function scopeOfDraft({ changed, scan }: Pick<Draft, 'changed' | 'scan'>): Scope | null {
  const lines = scan?.lines
  if (lines === undefined) return null
  const files = ownFiles(changed).length
  if (files >= MANY_FILES || lines > VERY_MANY_LINES) return 'large'
  if (files > 1 || lines > MANY_LINES) return 'medium'
  return lines <= ONE_LINE ? 'trivial' : 'small'
}

const ownFiles = (changed: readonly string[]): readonly string[] =>
  changed.filter((path) => !['test', 'lock'].includes(kindOfPath(path)))

type Worked = Pick<TaskState, 'spec' | 'tier' | 'draft'>

/** The scope of the work where it is larger than planned; null where it is not, or where it is still small. */
export function grownScope({ spec, tier, draft }: Worked): Scope | null {
  const real = draft === null ? null : scopeOfDraft(draft)
  const planned = scopeOf({ ...spec, tier })
  if (real === null || real === 'trivial' || real === 'small') return null
  return SCOPES.indexOf(real) > SCOPES.indexOf(planned) ? real : null
}

/**
 * What the work before a task has shown about its size: some of it was larger than planned. Null where none was, or where
 * the task is planned as large already.
 */
export function learnedScope(task: Pick<Worked, 'spec' | 'tier'>, before: readonly Worked[]): Scope | null {
  const planned = SCOPES.indexOf(scopeOf({ ...task.spec, tier: task.tier }))
  const grown = before.map((one) => SCOPES.indexOf(grownScope(one) ?? 'trivial'))
  const [largest] = grown.filter((scope) => scope > planned).toSorted((a, b) => b - a)
  return largest === undefined ? null : (SCOPES[largest] ?? null)
}

/** The larger of two; null counts as nothing. */
export const largerScope = (one: Scope | null, other: Scope | null): Scope | null =>
  SCOPES.indexOf(one ?? 'trivial') >= SCOPES.indexOf(other ?? 'trivial') ? (one ?? other) : other

/** What grew, for the decision log and the reviewer; null where nothing did. */
export function formatGrowth(task: Worked): string | null {
  const real = grownScope(task)
  if (real === null) return null
  const [files, lines] = [ownFiles(task.draft?.changed ?? []).length, task.draft?.scan?.lines ?? 0]
  const planned = scopeOf({ ...task.spec, tier: task.tier })
  return `its change is ${real} (${counted(files, 'file')}, ${counted(lines, 'line')}), the plan expected ${planned}`
}
