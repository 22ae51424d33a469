/** Applies a person's answer about what the plan leaves open. */
import {
  choiceOf,
  placeOf,
  pointsOf,
  WORKER_DECIDES,
  WORKERS_DECIDE_ALL,
} from '../delivery/inbox/plan-questions.ts'
import type { EventOf } from '../events/plan-events.ts'
import { formatAnswer, openQuestions, type PlanQuestion } from '../planning/task-schema.ts'
import type { Instant, OpenItem, PlanState, TaskState } from '../state/state.ts'
import { decided, moveTask } from './moves.ts'

type Answer = EventOf<'inbox.answered'>

interface Given {
  readonly answer: Answer
  readonly at: Instant
}

export function answerPlanQuestion(state: PlanState, { item }: OpenItem, given: Given): void {
  const isForAll = given.answer.choice === WORKERS_DECIDE_ALL
  const asked = isForAll ? null : (pointsOf(state, item)?.questions ?? [])
  const places = asked === null ? null : new Set(asked.map(placeOf))
  for (const task of state.unsettled) {
    const meant = openQuestions(task).filter((one) => places === null || places.has(placeOf(one)))
    if (meant.length > 0) settleQuestions(state, task, { ...given, meant })
  }
}

function settleQuestions(
  state: PlanState,
  task: TaskState,
  { answer, at, meant }: Given & { readonly meant: readonly PlanQuestion[] },
): void {
  const { by, choice, feedback } = answer
  const added = meant.map((question) => {
    const { kind, words } = question
    return { kind, words, decision: decisionOf(question, { choice, feedback }), by, at }
  })
  task.planAnswers = [...task.planAnswers, ...added]
  for (const one of added) decided(task, at, formatAnswer(one))
  if (openQuestions(task).length > 0) return
  state.unsettled.delete(task)
  state.dependents.forgo(task)
  if (task.step === 'pending' && state.dependents.unmet(task) === 0)
    moveTask(state, task, { to: 'ready', on: answer.type, at })
}

/** A remark that comes with a choice is passed on with it. */
function decisionOf(
  question: PlanQuestion,
  { choice, feedback }: Pick<Answer, 'choice' | 'feedback'>,
): string | null {
  if (choice === WORKER_DECIDES || choice === WORKERS_DECIDE_ALL)
    return feedback === '' ? null : `the worker decides and notes it; ${feedback}`
  const chosen = choiceOf(question, choice)
  return [chosen ?? '', feedback].filter((text) => text !== '').join('; ')
}
