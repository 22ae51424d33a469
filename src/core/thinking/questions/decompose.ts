/** Splits a request without a spec into tasks. Without a model it stays one story. */
import { z } from 'zod'
import { MOST_STORIES, storySchema } from '../../spec/architect-messages.ts'
import { specOfRequest, type RequestToPlan } from '../../spec/spec-of-request.ts'
import { storiesByRules, type ArchitectFacts } from '../../spec/stories-by-rules.ts'
import { storyProblems } from '../../spec/story-problems.ts'
import type { Question } from '../question.ts'
import { architectData, STORY_RULES } from './architect-prompt.ts'
import type { WrittenStories } from './write-stories.ts'

export interface DecomposeInput extends ArchitectFacts {
  readonly request: RequestToPlan
}

const answer = z.lazy(() => z.strictObject({ stories: z.array(storySchema).min(1).max(MOST_STORIES) }))

/** The request is the one requirement, R-001, of the spec that `specOfRequest` makes of it. */
export const decompose: Question<DecomposeInput, WrittenStories> = {
  name: 'decompose',
  size: 'large',
  answer,
  prompt: ({ request, ...facts }) => ({
    task: [
      'You are the architect of a software project. Split the request into the smallest number of stories and tasks that ' +
        'deliver it, and no more than it asks for. The whole request is requirement R-001.',
      STORY_RULES,
    ].join('\n'),
    data: architectData({ ...facts, spec: specOfRequest(request), setUp: null }),
  }),
  unjudged: ({ request, ...facts }) => ({
    stories: storiesByRules({ ...facts, spec: specOfRequest(request), setUp: null }),
  }),
  problem({ stories }) {
    const problems = storyProblems(stories, ['R-001'])
    return problems.length === 0 ? null : problems.join('; ')
  },
}
