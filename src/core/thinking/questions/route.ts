/** Which specialist a worker's question goes to, where the worker names none. */
import { z } from 'zod'
import type { TaskSpec } from '../../planning/plan.ts'
import { describeTask } from '../describe-task.ts'
import type { Question } from '../question.ts'

export interface RouteInput {
  readonly spec: TaskSpec
  readonly question: string
}

/** Those that judge or plan, and may answer in words. */
const ROUTES = ['architect', 'designer', 'tester'] as const

export interface Route {
  readonly role: (typeof ROUTES)[number]
}

const answer = z.lazy(() =>
  z.object({
    role: z
      .enum(ROUTES)
      .describe(
        'architect: structure, interfaces, data, anything else; designer: how it looks and reads; tester: how it is tested',
      ),
  }),
)

export const route: Question<RouteInput, Route> = {
  name: 'route',
  size: 'small',
  answer,
  prompt: ({ spec, question }) => ({
    task: 'A worker on a task of a software project asks for help. Choose the specialist who should answer.',
    data: [
      { source: `task ${spec.id} of the plan`, text: describeTask(spec) },
      { source: 'the worker', text: question },
    ],
  }),
  unjudged: () => ({ role: 'architect' }),
}
