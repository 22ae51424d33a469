/** What to do after a failed attempt. The budgets decide first whether another attempt is allowed at all. */
import { z } from 'zod'
import type { Cause, Verdict } from '../../event-schemas/schemas.ts'
import { failureLines } from '../../gates/written-findings.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import type { Question } from '../question.ts'
import { describeTask } from '../describe-task.ts'

export interface FailureInput {
  readonly spec: TaskSpec
  readonly attempt: number
  readonly cause: Cause
  readonly failed: readonly Verdict[]
  /** With the one that is due. */
  readonly attemptsLeft: number
}

const answer = z.lazy(() =>
  z.object({
    move: z
      .enum(['retry', 'reduce_scope', 'escalate'])
      .describe(
        'retry: another attempt; reduce_scope: another attempt that does less beyond the criteria; escalate: ask a person now',
      ),
    note: z.string().min(1).max(1000).describe('why, in one or two sentences for a person'),
    advice: z
      .string()
      .min(1)
      .max(1500)
      .nullable()
      .describe('what the next attempt should do differently; null where there is nothing to say'),
  }),
)
export type FailureAnswer = Readonly<z.infer<typeof answer>>

export const handleFailure: Question<FailureInput, FailureAnswer> = {
  name: 'handle_failure',
  size: 'small',
  answer,
  prompt: ({ spec, attempt, attemptsLeft, cause, failed }) => ({
    task: [
      `Attempt ${attempt} at a task of a software project failed; the rules allow ${attemptsLeft} more.`,
      'Decide what to do: retry (a further attempt can succeed), reduce_scope (it tried more than the criteria ask for,',
      'and should do only that), or escalate (it cannot succeed as the task is written, so a person must decide).',
      'The acceptance criteria and the checks stay as they are, whatever you answer.',
    ].join('\n'),
    data: [
      { source: `task ${spec.id} of the plan`, text: describeTask(spec) },
      { source: 'the reason of the failure', text: causeText(cause) },
      // As a worker may see them: the answer may become advice for one.
      ...(failed.length === 0
        ? []
        : [{ source: 'the failed checks', text: failureLines(failed).join('\n').slice(0, MAX_CHECKS) }]),
    ],
  }),
  unjudged: ({ attemptsLeft }) => ({
    move: 'retry',
    note: `the rules allow ${attemptsLeft} more attempts`,
    advice: null,
  }),
}

const MAX_CHECKS = 16_000

function causeText(cause: Cause): string {
  const { kind, ...rest } = cause
  return [kind.replaceAll('_', ' '), JSON.stringify(rest)].join('\n').slice(0, MAX_CHECKS)
}
