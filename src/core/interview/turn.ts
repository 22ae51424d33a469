/**
 * One turn of the interview: everything the brain sees, and its answer, which is exactly one tool call. The schema is built
 * when it is first needed; its members are nullable and never optional, as strict providers demand.
 */
import { z } from 'zod'
import type { ProjectContext } from '../intake/project-context.ts'
import type { DeepReadonly } from '../planning/task-schema.ts'
import type { BegunWith, bootstrapFacts, formPost, message, question, toolRecord } from './events/schemas.ts'
import { MAX_FIELDS, type Expertise } from './transitions.ts'

export type ChatQuestion = DeepReadonly<z.infer<ReturnType<typeof question>>>
export type FormPost = z.infer<ReturnType<typeof formPost>>
export type ChatMessage = z.infer<ReturnType<typeof message>>
export type BootstrapFacts = z.infer<ReturnType<typeof bootstrapFacts>>
export type ToolCall = DeepReadonly<z.infer<ReturnType<typeof build>>>
/** A tool call of this turn and what came of it. */
export type ToolRecord = Readonly<z.infer<ReturnType<typeof toolRecord>>>

/** What a project can lack before tasks can be built and tested in it. */
export const BOOTSTRAP_PARTS = ['git', 'manifest', 'test', 'lint', 'build', 'ignore_file'] as const
export type BootstrapPart = (typeof BOOTSTRAP_PARTS)[number]

/** A message in the user's own words, with what was filled in. */
export const messageText = ({ text, answers }: Pick<ChatMessage, 'text' | 'answers'>): string =>
  [...Object.entries(answers).map(([id, words]) => `${id}: ${words}`), text]
    .filter((part) => part !== '')
    .join('\n')

export interface TurnInput {
  readonly expertise: Expertise
  /** What it was understood as before, as the user corrected it; null where nothing was. */
  readonly request: BegunWith | null
  /** The whole conversation, oldest first. */
  readonly conversation: readonly ChatMessage[]
  /** How many messages of it earlier turns have seen: those behind it are new. */
  readonly readUpTo: number
  /** The architect's feedback on the draft, unanswered so far, in the words that introduce it; null without any. */
  readonly feedback: string | null
  /** Tool calls since the last message of the user, oldest first. */
  readonly calls: readonly ToolRecord[]
  /** How many calls are left before the interview waits for the user. */
  readonly callsLeft: number
  readonly bootstrap: BootstrapFacts
  /** What the files of the project show; absent where it is unknown. */
  readonly context?: ProjectContext | undefined
  /** The spec as it was last submitted or uploaded; null before that. */
  readonly draft: string | null
  readonly bootstrapDraft: string | null
}

const MAX_TEXT = 20_000
const MAX_PATH = 1000
/** A spec may have 100 KB; a larger one is refused with its size, not as a reply of the wrong shape. */
const MAX_SPEC = 400_000

let built: z.ZodType<ToolCall> | null = null

/** The answer of a turn. */
export function toolCallSchema(): z.ZodType<ToolCall> {
  built ??= build()
  return built
}

function build() {
  const line = z.string().min(1).max(500)
  const key = z.string().min(1).max(60)
  const option = z.strictObject({ key, label: line, consequence: z.string().max(500) })
  const question = z.strictObject({
    id: key,
    text: z.string().min(1).max(2000),
    options: z.array(option).max(8),
    default: z.string().max(MAX_SPEC).nullable(),
  })
  return z.discriminatedUnion('tool', [
    z.strictObject({
      tool: z.literal('chat_post'),
      text: z.string().min(1).max(MAX_TEXT),
      /** At most MAX_QUESTIONS of a model; the form has more. */
      questions: z.array(question).max(MAX_FIELDS).nullable(),
    }),
    // Paths are relative to the project folder.
    z.strictObject({ tool: z.literal('read_file'), path: z.string().max(MAX_PATH) }),
    z.strictObject({
      tool: z.literal('list_files'),
      path: z.string().max(MAX_PATH),
      recursive: z.boolean(),
    }),
    z.strictObject({ tool: z.literal('await_user') }),
    z.strictObject({
      tool: z.literal('spec_submit'),
      markdown: z.string().max(MAX_SPEC),
      /** What a new project needs before its first feature; null where it needs nothing. */
      bootstrap_markdown: z.string().max(MAX_SPEC).nullable(),
    }),
  ])
}
