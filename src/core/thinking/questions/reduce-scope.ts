/** How the next attempt at a task does less. No criterion and no check can be left out: only what goes beyond them. */
import { z } from 'zod'
import type { DeepReadonly } from '../../planning/task-schema.ts'
import type { Question } from '../question.ts'
import { handleFailure, type FailureInput } from './handle-failure.ts'

const items = () => z.array(z.string().min(1).max(300)).max(10)
const answer = z.lazy(() =>
  z.object({
    focus: items().describe('what to do first, in order'),
    leave_out: items().describe('what earlier attempts did that no acceptance criterion asks for'),
  }),
)
export type ReducedScope = DeepReadonly<z.infer<typeof answer>>

export const reduceScope: Question<FailureInput, ReducedScope> = {
  name: 'reduce_scope',
  size: 'small',
  answer,
  prompt: (input) => ({
    task: [
      'Earlier attempts at a task of a software project failed because they did too much. Say how the next attempt can',
      'do less: what to do first, and what to leave out because no acceptance criterion asks for it.',
      'Every acceptance criterion still has to be met, and every check still runs.',
    ].join('\n'),
    data: handleFailure.prompt(input).data,
  }),
  unjudged: ({ spec }) => ({ focus: spec.acceptanceCriteria.slice(0, 10).map(shortened), leave_out: [] }),
}

const shortened = (text: string): string => (text.length <= 300 ? text : `${text.slice(0, 299)}…`)

/** For the brief of the next worker. */
export function reducedScopeText({ focus, leave_out: leaveOut }: ReducedScope): string {
  return [
    'Reduce the scope: do only what the acceptance criteria and the tests ask for.',
    ...(focus.length === 0 ? [] : [`First: ${focus.join('; ')}.`]),
    ...(leaveOut.length === 0 ? [] : [`Leave out: ${leaveOut.join('; ')}.`]),
  ].join(' ')
}
