/** What is to be done: as a model put it, else word for word as the user did. */
import type { Scope } from '../choice/choose-agent.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import { isTakenAsItIs, NO_WORK, type IntakeForm, type IntakeType, type Work } from './intake.ts'
import type { RequestText } from './request-text.ts'
import type { Understanding } from './understanding.ts'

const MOST_CRITERIA = 20
const LONGEST_CRITERION = 400

export const TEST_REPRODUCES = 'A test that fails on the base reproduces it'

interface Known {
  readonly request: RequestText
  readonly form: IntakeForm
  /** Null where no model judged. */
  readonly told: Understanding | null
  readonly type: IntakeType | null
  readonly scope: Scope | null
}

/** `own`: the criteria that the user gave; empty or absent where there are none. */
export function workOf(known: Known, own: readonly string[] = []): Work {
  const { request, form, told, type } = known
  if (isTakenAsItIs(form) || type === 'question') return NO_WORK
  const written = own.map(line).filter((one) => one !== '')
  if (told === null)
    return {
      ...NO_WORK,
      criteria: few(written.length > 0 ? written : unjudgedCriteria(known)),
      outOfScope: few(request.outOfScope.map(line)),
    }
  const { expected, criteria, files, tests_to_add: testsToAdd, constraints } = told
  const isTested = type === 'bug_fix' && testsToAdd.length > 0
  const judged = [
    ...(expected === null ? [] : [expected]),
    ...criteria,
    ...(isTested ? [TEST_REPRODUCES] : []),
  ]
  return {
    criteria: few((written.length > 0 ? written : judged).map(line)),
    files,
    testsToAdd,
    constraints: constraints.map(line),
    outOfScope: few([...request.outOfScope, ...told.out_of_scope].map(line)),
  }
}

/** The criteria that the request lists itself; else its words. */
function unjudgedCriteria({ request, type, scope }: Known): readonly string[] {
  const stated = statedCriteria(request, type).map(line)
  if (stated.length > 0) return stated
  if (type === null) return []
  const words = `“${plainLine(request.title, LONGEST_CRITERION)}”`
  if (type !== 'bug_fix') return [line(request.prose)]
  return [
    scope === 'trivial'
      ? `The reported problem no longer occurs: ${words}`
      : `The reported problem no longer occurs; a test that fails on the base shows it: ${words}`,
  ]
}

/** By headings and lists alone. The points of a report say what happened; those of a wish are wishes. */
export function statedCriteria(
  { criteria, points }: Pick<RequestText, 'criteria' | 'points'>,
  type: IntakeType | null,
): readonly string[] {
  if (criteria.length > 0) return criteria
  return type === 'feature_request' && points.length > 1 ? points : []
}

const line = (text: string): string => plainLine(text.replace(/\*\*|__/g, ''), LONGEST_CRITERION)
const few = (lines: readonly string[]): readonly string[] =>
  [...new Set(lines.filter((one) => one !== ''))].slice(0, MOST_CRITERIA)
