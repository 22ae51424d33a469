/** The questions of a task's worker that a specialist is asked, one at a time. */
import { specialistId } from '../planning/ids.ts'
import type { PlanState, TaskState } from '../state/state.ts'
import { isForSpecialist, specialistRole } from '../watch/requests/ask-specialist.ts'
import { answerByRule } from '../watch/requests/request-answers.ts'
import { openRequests } from '../watch/requests/requests.ts'
import { watchRules } from '../watch/rules.ts'
import { spentOnThinking } from './assess-failure.ts'
import type { AskSpecialist } from './effects.ts'

export function specialistToAsk(state: PlanState, task: TaskState): AskSpecialist | null {
  const { live, spec, tier } = task
  if (live === null || live.step !== 'working' || state.cancelled !== null) return null
  const rules = watchRules(state.settings)
  const request = openRequests(live).find(
    (one) =>
      isForSpecialist({ state, live, request: one, rules }) &&
      answerByRule({ state, task, live, request: one }) === null,
  )
  if (request === undefined) return null
  const { worker, attempt, agent } = live
  const { kind, text } = request
  return {
    kind: 'ask_specialist',
    key: `specialist ${request.id}`,
    worker,
    task: spec.id,
    attempt,
    request: request.id,
    specialist: specialistId(request.id),
    question: { asker: worker, agent, kind, text, to: specialistRole(request) },
    spec,
    tier,
    timeLimitMs: rules.specialistMs,
    ...spentOnThinking(state),
  }
}
