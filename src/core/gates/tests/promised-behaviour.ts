/**
 * Whether a task promises behaviour that the base lacks, so that its new tests have to fail there. A refactoring, a faster way
 * or more coverage promises none. By the plan, or by the form of the contract; prose is not judged.
 */
import type { TaskSpec } from '../../planning/plan.ts'

/** A call, with what is between its brackets: `slugify('A b')`. */
const CALL = /(?<![\w$])([A-Za-z_$][\w$]*)\(([^()\n]{0,200})\)/g
/** A text, a number, a list or an object. */
const LITERAL = /["'`[{]|(?<![\w#.])\d/

export type PromisingSpec = Pick<TaskSpec, 'acceptanceCriteria' | 'redOnBase' | 'role' | 'type'>

/** Null where it depends on what the base has (see `calledNames`). */
export function promisesBehaviour(spec: PromisingSpec): boolean | null {
  const { acceptanceCriteria, redOnBase, role, type } = spec
  if (redOnBase !== undefined) return redOnBase
  return type === 'bug_fix' || role === 'fixer' || acceptanceCriteria.some(hasExample) || null
}

const hasExample = (criterion: string): boolean =>
  [...criterion.matchAll(CALL)].some(([, , given = '']) => LITERAL.test(given))

/** What the criteria call: `discounted(cents, percent)`. A base without it lacks the behaviour. */
export function calledNames({ acceptanceCriteria }: PromisingSpec): readonly string[] {
  const calls = acceptanceCriteria.flatMap((criterion) => [...criterion.matchAll(CALL)])
  return [...new Set(calls.map(([, name = '']) => name))]
}
