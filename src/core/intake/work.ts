/** What is known about a request, what it touches, and what is to be done: as a model put it, else word for word as the user did. */
import { plainLine } from '../../lib/text/quoted.ts'
import type { Scope } from '../choice/choose-agent.ts'
import { classifyTask } from '../planning/tiers.ts'
import type { CrewHistory } from './estimate.ts'
import {
  isTakenAsItIs,
  NO_WORK,
  type Intake,
  type IntakeForm,
  type IntakeType,
  type SeenWork,
  type Understanding,
  type Work,
  type WorkType,
} from './intake.ts'
import type { RequestText } from './request-text.ts'
import type { WorkflowName, SoloWork, WorkflowTable } from './workflows.ts'

/** What the user decided; each wins over what was concluded. */
export interface Decided {
  readonly type?: WorkType | undefined
  readonly scope?: Scope | undefined
  readonly workflow?: WorkflowName | undefined
  readonly title?: string | undefined
  /** Empty: the request's own words; absent: not asked yet. */
  readonly criteria?: readonly string[] | undefined
}

export interface Judgement {
  readonly by: string
  readonly understanding: Understanding
}

export interface Findings extends Pick<SoloWork, 'hasFixer' | 'hasBrain'> {
  readonly request: RequestText
  readonly form: IntakeForm
  readonly fileName: string | null
  /** Null where nothing is known about the repository. */
  readonly repository: { readonly sources: number } | null
  /** Null where no model judged. */
  readonly judgement: Judgement | null
  /** What the user saw of an earlier round; null in the first. */
  readonly seen: SeenWork | null
  /** Whether a model may ask, or ask again. */
  readonly mayAsk: boolean
  readonly history: CrewHistory
  readonly table: WorkflowTable
}

const MOST_CRITERIA = 20
const LONGEST_CRITERION = 400

export const TEST_REPRODUCES = 'A test that fails on the base reproduces it'

interface Known extends Pick<Findings, 'request' | 'form'>, Pick<Intake, 'type' | 'scope'> {
  /** Null where no model judged. */
  readonly told: Understanding | null
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
      out_of_scope: few(request.outOfScope.map(line)),
    }
  const { expected, criteria, files, tests_to_add, constraints, out_of_scope } = told
  const isTested = type === 'bug_fix' && tests_to_add.length > 0
  const judged = [expected ?? '', ...criteria, ...(isTested ? [TEST_REPRODUCES] : [])]
  return {
    criteria: few((written.length > 0 ? written : judged).map(line)),
    files,
    tests_to_add,
    constraints: constraints.map(line),
    out_of_scope: few([...request.outOfScope, ...out_of_scope].map(line)),
  }
}

/** The criteria that the request lists itself; else its words. */
function unjudgedCriteria({ request, type, scope }: Known): readonly string[] {
  const stated = statedCriteria(request, type).map(line)
  if (stated.length > 0) return stated
  if (type === null) return []
  if (type !== 'bug_fix') return [line(request.wanted)]
  const shown = scope === 'trivial' ? '' : '; a test that fails on the base shows it'
  return [`The reported problem no longer occurs${shown}: “${plainLine(request.title, LONGEST_CRITERION)}”`]
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

/**
 * What in the request touches auth, data, money, secrets or infrastructure, as a plan's task would be judged. What a model
 * says of it can only add to that.
 */
export function risksIn(
  { title, paths, notMigrations }: Pick<RequestText, 'title' | 'paths' | 'notMigrations'>,
  told: Pick<Understanding, 'title' | 'files' | 'touches'> | null,
): readonly string[] {
  const judged =
    told === null ? [] : [{ title: told.title, paths: [...told.files.create, ...told.files.modify] }]
  const reasons = [{ title, paths }, ...judged].flatMap((work) => {
    const { tier, reasons: why } = classifyTask({ ...work, notMigrations })
    return tier === 'critical' ? why : []
  })
  return [...new Set([...reasons, ...(told?.touches ?? []).map((topic) => `touches ${topic}`)])]
}
