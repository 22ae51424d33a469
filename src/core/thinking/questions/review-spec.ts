/** The architect's review: feedback on the spec, or the stories that build it. */
import { z } from 'zod'
import type { DeepReadonly } from '../../planning/task-schema.ts'
import { MOST_STORIES, storySchema } from '../../spec/architect-messages.ts'
import { openPointsOf } from '../../spec/spec-of-request.ts'
import { storiesByRules, type StoriesInput } from '../../spec/stories-by-rules.ts'
import type { Question } from '../question.ts'
import { architectData, STORY_RULES } from './architect-prompt.ts'

const answer = z.lazy(() =>
  z.strictObject({
    tool: z.enum(['spec_feedback', 'submit_stories']),
    feedback: z.string().max(20_000).nullable(),
    stories: z.array(storySchema).max(MOST_STORIES).nullable(),
  }),
)
/** The two tools of the architect: `spec_feedback(feedback)` and `submit_stories(stories)`. */
export type SpecReview = DeepReadonly<z.infer<typeof answer>>

export const reviewSpecQuestion: Question<StoriesInput, SpecReview> = {
  name: 'review_spec',
  size: 'large',
  answer,
  tools: 'architect',
  prompt: (input) => ({
    task: [
      'You are the architect of a software project. Review the specification against the code base.',
      'Call exactly one of two tools:',
      '- `spec_feedback`, if it cannot be built as it is: a requirement contradicts another or the code base, cannot be ' +
        'tested, leaves a decision open, or names something that does not exist. In `feedback`, list each point with the id ' +
        'of its requirement and what to change. Set `stories` to null.',
      '- `submit_stories`, if it can be built. Set `feedback` to null or to short notes, and `stories` to the stories.',
      'Prefer to submit stories: do not ask for more detail than a careful developer needs.',
      STORY_RULES,
    ].join('\n'),
    data: architectData(input),
  }),
  unjudged(input) {
    const feedback = openPointsOf(input.spec)
    return feedback === ''
      ? { tool: 'submit_stories', feedback: null, stories: storiesByRules(input) }
      : { tool: 'spec_feedback', feedback, stories: null }
  },
  problem({ tool, feedback, stories }) {
    if (tool === 'spec_feedback' && (feedback ?? '').trim() === '') return 'spec_feedback needs feedback'
    if (tool === 'submit_stories' && (stories ?? []).length === 0)
      return 'submit_stories needs at least one story'
    return null
  },
}
