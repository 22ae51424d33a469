/** Which questions a specialist answers before a person is asked, and what comes of it. */
import type { RequestAnswer, SpecialistAnswer } from '../../event-schemas/requests.ts'
import { ROLES, type Role } from '../../event-schemas/schemas.ts'
import type { AskedRequest, LiveWorker, PlanState } from '../../state/state.ts'
import { askedAbout } from '../../state/state.ts'
import type { WatchRules } from '../rules.ts'

interface Question {
  readonly state: PlanState
  readonly live: LiveWorker
  readonly request: AskedRequest
  readonly rules: WatchRules
}

/** Specialists that one worker may have asked: each is a session that costs, and the next question is for a person. */
const MOST_SPECIALISTS = 3

/**
 * Once for each request: for help, also on behalf of a worker, or for a clarification by a role. What is ambiguous
 * in the plan is not to be guessed, so a clarification by no role in particular is for a person.
 */
export function isForSpecialist({ state, live, request, rules }: Question): boolean {
  if (rules.mode !== 'act' || rules.specialistMs === 0 || state.paused !== null) return false
  if (request.specialist !== null || request.answer !== null || request.reply !== null) return false
  if (live.watch.pause !== null) return false
  if (live.watch.requests.filter(({ specialist }) => specialist !== null).length >= MOST_SPECIALISTS)
    return false
  if (state.asked.has(askedAbout({ subject: 'request', about: request.id }))) return false
  const role = specialistRole(request)
  return request.kind === 'need_help'
    ? request.to === undefined || role !== null
    : request.kind === 'need_clarification' && role !== null
}

/** Those that judge or plan; the others build. */
const SPECIALISTS: readonly Role[] = ROLES.filter((role) => role !== 'developer' && role !== 'fixer')

/** The role that is asked; null where it names none. */
export const specialistRole = ({ to }: Pick<AskedRequest, 'to'>): Role | null =>
  SPECIALISTS.find((role) => role === to) ?? null

/** Marked as what it is: a person has not seen it. */
export function answerBySpecialist(
  { id, kind }: AskedRequest,
  { text, agent }: SpecialistAnswer,
): RequestAnswer {
  const by = `specialist${agent === undefined ? '' : ` (${agent})`}`
  const mark = `On ${kind.replaceAll('_', ' ')} (${id}), from a specialist, not from a person:`
  return { outcome: 'answered', text: `${mark} ${text}`, by }
}
