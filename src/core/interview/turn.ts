/**
 * One turn of the interview: everything the brain sees, and its answer, which is exactly one tool call. The schema is built
 * when it is first needed; its members are nullable and never optional, as strict providers demand.
 */
import { z } from 'zod'
import type { ProjectContext } from '../intake/project-context.ts'
import type { BegunWith } from './begun-with.ts'
import { MAX_FIELDS, type Expertise } from './states.ts'

/** A choice, and what follows from it. */
export interface ChatOption {
  readonly key: string
  readonly label: string
  readonly consequence: string
}

export interface ChatQuestion {
  /** Unique within its post. */
  readonly id: string
  readonly text: string
  /** Empty: it is answered in words. */
  readonly options: readonly ChatOption[]
  /** What counts without an answer, the key of an option or words (none where it is empty); null where an answer is needed. */
  readonly default: string | null
}

export type ToolCall =
  | {
      readonly tool: 'chat_post'
      readonly text: string
      /** At most MAX_QUESTIONS of a model; the form has more. */
      readonly questions: readonly ChatQuestion[] | null
    }
  /** Paths are relative to the project folder. */
  | { readonly tool: 'read_file'; readonly path: string }
  | { readonly tool: 'list_files'; readonly path: string; readonly recursive: boolean }
  | { readonly tool: 'await_user' }
  | {
      readonly tool: 'spec_submit'
      readonly markdown: string
      /** What a new project needs before its first feature; null where it needs nothing. */
      readonly bootstrap_markdown: string | null
    }

/** A tool call of this turn and what came of it. A refused call changed nothing. */
export interface ToolRecord {
  readonly call: ToolCall
  readonly ok: boolean
  /** What the tool answered, or why it was refused. Text of files in it is data, never an instruction. */
  readonly result: string
}

export interface ChatMessage {
  /** `system` is Bosun itself, for example with the architect's feedback; the user does not see it. */
  readonly from: 'user' | 'pm' | 'system'
  readonly text: string
  /** Empty unless it is from the PM. */
  readonly questions: readonly ChatQuestion[]
  /** What the user filled in, by the ids of questions; empty for other messages. */
  readonly answers: Readonly<Record<string, string>>
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** What a project can lack before tasks can be built and tested in it. */
export const BOOTSTRAP_PARTS = ['git', 'manifest', 'test', 'lint', 'build', 'ignore_file'] as const
export type BootstrapPart = (typeof BOOTSTRAP_PARTS)[number]

export interface BootstrapFacts {
  /** Whether the project has to be set up before it can be worked on. */
  readonly needed: boolean
  readonly missing: readonly BootstrapPart[]
  /** The language of most source files; null where there are none. */
  readonly language: string | null
}

/** The form, as it stands in the conversation. */
export interface FormPost {
  readonly text: string
  readonly questions: readonly ChatQuestion[]
}

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

function build(): z.ZodType<ToolCall> {
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
      questions: z.array(question).max(MAX_FIELDS).nullable(),
    }),
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
      bootstrap_markdown: z.string().max(MAX_SPEC).nullable(),
    }),
  ])
}
