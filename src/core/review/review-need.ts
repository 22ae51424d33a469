/** The tier a task is reviewed as, and why a low task needs a reviewer although its tier does not. */
import { criteriaResults } from './criteria-results.ts'
import { formatGrowth } from './grown-scope.ts'
import { earlierWorkOf } from '../state/earlier-work.ts'
import type { PlanSettings } from '../event-schemas/plan-settings.ts'
import { isBaseTest } from '../gates/integrity/protected-names.ts'
import { covers } from '../gates/plan-alignment/expected-files.ts'
import { findingsForReview } from '../gates/verdicts.ts'
import { isLockPath, isTestPath } from '../languages/paths.ts'
import type { Tier } from '../planning/plan.ts'
import type { TaskState } from '../state/state.ts'
import { NOBODY } from './nobody.ts'
import { counted, firstFew } from '../../lib/text/counted.ts'

const ONE_UP: Readonly<Record<Tier, Tier>> = { low: 'normal', normal: 'critical', critical: 'critical' }

/** An uncertain worker raises the tier by one; low work that the rules cannot confirm gets a reviewer. */
export function reviewTier(task: TaskState, settings: PlanSettings): Tier {
  const tier = task.draft?.report?.selfAssessment === 'uncertain' ? ONE_UP[task.tier] : task.tier
  return tier === 'low' && reviewNeeds(task, settings).length > 0 ? 'normal' : tier
}

/** What the rules cannot confirm about the work; empty where they can confirm all. */
export function reviewNeeds(task: TaskState, settings: PlanSettings): readonly string[] {
  const isRead = isReadByBrain(settings) && !isUnread(task)
  const always = [
    ...(isOnlyClaimed(task) ? ['only its worker claims that the landed work meets the edited plan'] : []),
    ...(isProtectedChanged(task, isRead) ? ['a protected file was changed'] : []),
    ...leftToReview(task),
    ...[formatGrowth(task) ?? []].flat(),
  ]
  if (settings.reviewLow === 'checks') return always
  const unread = isRead ? [] : unconfirmed(task)
  return [...always, ...unread, ...unnamedFiles(task), ...tooLarge(task, settings)]
}

/** Whether the brain reads each low change against its criteria: it confirms what rules mapped, and reads changed tests. */
export const isReadByBrain = ({ brainReviews, reviewByRules }: PlanSettings): boolean =>
  brainReviews === true && reviewByRules !== true

/** The brain was asked to read this attempt, and could not. */
export const isUnread = ({ review, attempt }: Pick<TaskState, 'review' | 'attempt'>): boolean =>
  review?.by === NOBODY && review.attempt === attempt

/** The notes of the integrity gate are the allowed changes of protected files. */
const isProtectedChanged = ({ verdicts }: TaskState, areTestsRead: boolean): boolean =>
  verdicts?.some(
    ({ gate, outcome, evidence }) =>
      gate === 'integrity' &&
      outcome === 'passed' &&
      evidence.findings.some(
        ({ weight, file }) => weight === 'note' && !(areTestsRead && file !== null && isBaseTest(file)),
      ),
  ) === true

/** What a gate found and cannot judge. */
function leftToReview({ verdicts }: TaskState): readonly string[] {
  const [first, ...more] = findingsForReview(verdicts ?? [])
  if (first === undefined) return []
  const place = first.file === null ? '' : `${first.file}${first.line === null ? '' : `:${first.line}`} `
  return [`for review: ${place}${first.text}${more.length === 0 ? '' : `, and ${more.length} more`}`]
}

/** The same, named so that it can be compared with a run on another base. */
export const leftToRead = ({ verdicts }: TaskState): readonly string[] =>
  findingsForReview(verdicts ?? []).map(({ file, text }) => JSON.stringify([file, text]))

/** Where no agent reviews, a person reads what the rules cannot judge; they never confirm critical work alone. */
export const needsPerson = (task: TaskState, settings: PlanSettings): boolean =>
  settings.reviewByRules === true &&
  (reviewTier(task, settings) === 'critical' || findingsForReview(task.verdicts ?? []).length > 0)

/** Nothing changed, and only the worker claims that the landed work meets the edited plan. */
const isOnlyClaimed = ({ draft, spec, doneBefore }: TaskState): boolean =>
  draft?.changed.length === 0 && earlierWorkOf(spec, doneBefore)?.asksTheSame === false

/** Mappings and notes that the rules made because the worker reported none. */
function unconfirmed({ spec, verdicts }: TaskState): readonly string[] {
  const results = criteriaResults({ spec, verdicts: verdicts ?? [], confirmation: null })
  const byRules = results.filter(({ isUnverified, by }) => isUnverified && by === 'rules').length
  const note = verdicts?.find(({ gate }) => gate === 'review_note')?.evidence.reviewNote
  const mapped = `${counted(byRules, 'criterion is', 'criteria are')} mapped by rules alone`
  return [
    ...(byRules === 0 ? [] : [mapped]),
    ...(note?.by === 'rules' ? ['its review note was drafted by rules'] : []),
  ]
}

/** The changed files that the contract does not name. */
export function unnamedPaths({ spec, draft }: Pick<TaskState, 'spec' | 'draft'>): readonly string[] {
  const { create, modify, delete: remove } = spec.files
  const named = [...create, ...modify, ...remove, ...spec.testsToAdd]
  return (draft?.changed ?? []).filter((path) => !named.some((pattern) => covers(pattern, path)))
}

/** A lock file beside its manifest is always expected, and so are tests: every brief asks for them, and gates protect those of the base. */
function unnamedFiles(task: TaskState): readonly string[] {
  const { create, modify, delete: remove } = task.spec.files
  // A task from a sentence names none: it has the review that was announced.
  if (create.length + modify.length + remove.length === 0) return []
  const unnamed = unnamedPaths(task).filter((path) => !isLockPath(path) && !isTestPath(path))
  if (unnamed.length === 0) return []
  return [`it changes files that the plan does not name: ${firstFew(unnamed, 3)}`]
}

function tooLarge({ draft }: TaskState, { patchLimitFiles: limit }: PlanSettings): readonly string[] {
  const files = draft?.changed.length ?? 0
  return files <= limit ? [] : [`it changes ${files} files, more than ${limit} (pm.patch_size_limit_files)`]
}
