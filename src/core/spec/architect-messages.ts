/**
 * What the interview and the architect send each other: the spec as a request, the review as its result, and the stories
 * of an approved spec. Keys are nullable and never optional, so that every model provider accepts the schemas.
 */
import { z } from 'zod'
import { TASK_ROLES } from '../planning/plan.ts'
import type { DeepReadonly } from '../planning/task-schema.ts'

export const REQUEST_REASON = 'PM has completed spec interview and generated specification for review'

export const architectRequestSchema = z.object({
  approval_type: z.literal('spec'),
  /** The spec that the user sees, as Markdown. */
  content: z.string(),
  /** What an empty repository needs first, as Markdown. */
  infrastructure_spec: z.string().nullable(),
  reason: z.string(),
})
export type ArchitectRequest = Readonly<z.infer<typeof architectRequestSchema>>

export interface ArchitectResult {
  readonly status: 'approved' | 'needs_changes'
  readonly feedback: string
  readonly type: 'spec'
}

export const architectRequest = (content: string, infrastructureSpec: string | null): ArchitectRequest => ({
  approval_type: 'spec',
  content,
  infrastructure_spec: infrastructureSpec,
  reason: REQUEST_REASON,
})

/** What the interview's next turn reads after `needs_changes`. */
export const feedbackMessage = (feedback: string): string => `${FEEDBACK_INTRO}${feedback}`

const FEEDBACK_INTRO =
  'The architect provided the following feedback on your spec. Address these issues and resubmit or ask the user for any ' +
  'needed clarifications. The user has not seen the raw feedback. '

/** The feedback in such a message, as the architect wrote it. */
export const feedbackIn = (message: string): string =>
  message.startsWith(FEEDBACK_INTRO) ? message.slice(FEEDBACK_INTRO.length) : message

/** What a task of a story mainly produces. */
export const TASK_KINDS = ['code', 'test', 'docs', 'design', 'infrastructure'] as const

const LONGEST_ID = 40
const LONGEST_TITLE = 200
const LONGEST_TEXT = 8000
const LONGEST_CRITERION = 1000
const LONGEST_PATH = 300
const MOST_PATHS = 40
export const MOST_STORIES = 200
const MOST_TASKS = 20
const MOST_CRITERIA = 40
const MOST_IDS = 60

const id = z.string().min(1).max(LONGEST_ID)
const ids = z.array(id).max(MOST_IDS)
const paths = z.array(z.string().min(1).max(LONGEST_PATH)).max(MOST_PATHS)

const task = z.strictObject({
  /** `S-001.1` */
  id,
  title: z.string().min(1).max(LONGEST_TITLE),
  description: z.string().max(LONGEST_TEXT),
  kind: z.enum(TASK_KINDS),
  role: z.enum(TASK_ROLES),
  /** The part of the code base that it changes; null: derived from its files. */
  area: z.string().min(1).max(LONGEST_PATH).nullable(),
  /** Ids of other tasks of any story. Tasks of a story that this story depends on need not be named. */
  depends_on: ids,
  files: z.strictObject({ create: paths, modify: paths, delete: paths }),
  tests_to_add: paths,
  /** Each with the requirement that it comes from. */
  acceptance_criteria: z
    .array(z.strictObject({ requirement: id, text: z.string().min(1).max(LONGEST_CRITERION) }))
    .min(1)
    .max(MOST_CRITERIA),
})
/**
 * One task of a story. It has no commands, gates, checks, time limit, tier or settings: the plan's rules and the user
 * decide those.
 */
export type StoryTask = DeepReadonly<z.infer<typeof task>>

const story = z.strictObject({
  /** `S-001` */
  id,
  title: z.string().min(1).max(LONGEST_TITLE),
  requirements: ids.min(1),
  /** Ids of other stories. */
  depends_on: ids,
  tasks: z.array(task).min(1).max(MOST_TASKS),
})
export type Story = DeepReadonly<z.infer<typeof story>>
export const storySchema: z.ZodType<Story> = story
