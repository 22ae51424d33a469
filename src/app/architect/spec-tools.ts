/** The architect's two tools: what each takes, and the answer that a call is. */
import { z } from 'zod'
import { MOST_STORIES, storySchema } from '../../core/spec/architect-messages.ts'
import type { SpecReview } from '../../core/thinking/questions/review-spec.ts'

export const feedbackInput = () =>
  z.object({
    feedback: z.string().min(1).describe('each point with the id of its requirement and what to change'),
  })
export const storiesInput = () =>
  z.object({
    stories: z.array(storySchema).min(1).max(MOST_STORIES),
    feedback: z.string().nullish().describe('short notes'),
  })

export const feedbackAnswer = ({ feedback }: z.output<ReturnType<typeof feedbackInput>>): SpecReview => ({
  tool: 'spec_feedback',
  feedback,
  stories: null,
})
export const storiesAnswer = ({
  stories,
  feedback = null,
}: z.output<ReturnType<typeof storiesInput>>): SpecReview => ({ tool: 'submit_stories', feedback, stories })
