/** How to continue with a task that a person rejected. A person decides about the answer. */
import { z } from 'zod'
import type { TaskSpec } from '../../planning/plan.ts'
import { halvesOf } from '../../planning/slicing.ts'
import type { Question } from '../question.ts'
import { describeTask } from '../describe-task.ts'

export interface ReplanInput {
  readonly spec: TaskSpec
  readonly feedback: string | null
}

const answer = z.lazy(() =>
  z.object({
    recommend: z
      .enum(['rescope', 'split', 'drop'])
      .describe('rescope: build it again with another scope; split: in smaller tasks; drop: not at all'),
    note: z.string().min(1).max(2000).describe('one or two sentences for the person who decides'),
  }),
)
export type ReplanAnswer = Readonly<z.infer<typeof answer>>

export const replan: Question<ReplanInput, ReplanAnswer> = {
  name: 'replan',
  size: 'small',
  answer,
  prompt: ({ spec, feedback }) => ({
    task: [
      'A person rejected the finished work on a task of a software project. Recommend how to continue with the task:',
      'rescope it (the feedback says what to build instead), split it (it is too large for one step), or drop it',
      '(nothing remains to be built). A person makes the decision.',
      halvesOf(spec).length > 1 ? '' : 'This task cannot be split.',
    ].join(' '),
    data: [
      { source: `task ${spec.id} of the plan`, text: describeTask(spec) },
      ...(feedback === null ? [] : [{ source: "the person's feedback", text: feedback }]),
    ],
  }),
  /** The person's feedback becomes the new scope; without feedback there is nothing to build. */
  unjudged: ({ spec, feedback }) => ({
    recommend: feedback === null ? 'drop' : 'rescope',
    note: `rebuild it with another scope${halvesOf(spec).length > 1 ? ', split it,' : ','} or drop it?`,
  }),
  problem: ({ recommend }, { spec }) =>
    recommend === 'split' && halvesOf(spec).length < 2 ? 'this task cannot be split' : null,
}
