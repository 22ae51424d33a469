/** Stories for a spec that is settled: written again after a problem, or when the review has come to its end. */
import { z } from 'zod'
import type { DeepReadonly } from '../../planning/task-schema.ts'
import { MOST_STORIES, storySchema } from '../../spec/architect-messages.ts'
import { storiesByRules, type StoriesInput } from '../../spec/stories-by-rules.ts'
import type { Question } from '../question.ts'
import { architectData, STORY_RULES } from './architect-prompt.ts'

export interface WriteStoriesInput extends StoriesInput {
  /** What was wrong with the stories before; empty the first time. */
  readonly objections: readonly string[]
}

const answer = z.lazy(() => z.strictObject({ stories: z.array(storySchema).min(1).max(MOST_STORIES) }))
export type WrittenStories = DeepReadonly<z.infer<typeof answer>>

export const writeStories: Question<WriteStoriesInput, WrittenStories> = {
  name: 'write_stories',
  size: 'large',
  answer,
  prompt: (input) => ({
    task: [
      'You are the architect of a software project. The specification is approved. Write the stories that build it.',
      STORY_RULES,
      ...(input.objections.length === 0
        ? []
        : ['Your stories before were refused. The problems are quoted below; avoid every one of them.']),
    ].join('\n'),
    data: [
      ...architectData(input),
      ...(input.objections.length === 0
        ? []
        : [
            {
              source: 'problems of the stories before',
              text: input.objections.map((text) => `- ${text}`).join('\n'),
            },
          ]),
    ],
  }),
  unjudged: (input) => ({ stories: storiesByRules(input) }),
}
