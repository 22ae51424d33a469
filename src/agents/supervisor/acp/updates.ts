/** What an agent tells about its turn, parsed and bounded. Anything unknown is null, never an error. */
import { z } from 'zod'
import { reportedTokens, reportedUsd } from '../../command/reported-amounts.ts'

const MAX_ID = 200
const MAX_TITLE = 500
const MAX_TEXT = 64 * 1024
const MOST_LOCATIONS = 100

const cut = (most: number) => (text: string) => (text.length > most ? `${text.slice(0, most)}…` : text)
const id = z.string().min(1).max(MAX_ID)
const title = z.string().transform(cut(MAX_TITLE))
const location = z.object({ path: z.string().max(4096) })
/** Drops those that make no sense instead of all of them. */
const listOf = <T extends z.ZodType>(one: T, most: number) =>
  z
    .array(z.unknown())
    .transform((all) => all.slice(0, most).flatMap((value) => one.safeParse(value).data ?? []))
    .catch([])

const content = z.object({ type: z.literal('text'), text: z.string().transform(cut(MAX_TEXT)) })
const diff = z.object({ type: z.literal('diff'), path: z.string().max(4096) })
const output = z.object({ type: z.literal('content'), content })

/** A tool call, of which each message may tell another part. */
export const toolCallSchema = z.object({
  toolCallId: id,
  title: title.nullish().catch(null),
  kind: z.string().max(50).nullish().catch(null),
  status: z.string().max(50).nullish().catch(null),
  rawInput: z.unknown().optional(),
  locations: listOf(location, MOST_LOCATIONS),
  content: listOf(z.union([diff, output]), MOST_LOCATIONS),
})
export type ToolCallPart = z.infer<typeof toolCallSchema>

const tokens = z.unknown().optional().transform(reportedTokens)
/** The spellings differ by agent. */
const counts = z
  .object({
    inputTokens: tokens,
    input_tokens: tokens,
    outputTokens: tokens,
    output_tokens: tokens,
    totalTokens: tokens,
    cachedReadTokens: tokens,
    cachedInputTokens: tokens,
    cachedWriteTokens: tokens,
    cacheWriteInputTokens: tokens,
    thoughtTokens: tokens,
    reasoningOutputTokens: tokens,
  })
  .transform((all) => ({
    inputTokens: all.inputTokens ?? all.input_tokens,
    outputTokens: all.outputTokens ?? all.output_tokens,
    totalTokens: all.totalTokens,
    cachedReadTokens: all.cachedReadTokens ?? all.cachedInputTokens,
    cachedWriteTokens: all.cachedWriteTokens ?? all.cacheWriteInputTokens,
    thoughtTokens: all.thoughtTokens ?? all.reasoningOutputTokens,
  }))
export type StepUsage = Partial<z.output<typeof counts>>

const chunk = (kind: string) => z.object({ sessionUpdate: z.literal(kind), content })
const updateSchema = z.union([
  chunk('agent_message_chunk').transform(({ content }) => ({ kind: 'message', text: content.text }) as const),
  chunk('agent_thought_chunk').transform(({ content }) => ({ kind: 'thought', text: content.text }) as const),
  chunk('user_message_chunk').transform(({ content }) => ({ kind: 'user', text: content.text }) as const),
  toolCallSchema
    .extend({ sessionUpdate: z.enum(['tool_call', 'tool_call_update']) })
    .transform((call) => ({ kind: 'tool', call }) as const),
  z
    .object({
      sessionUpdate: z.literal('usage_update'),
      used: tokens,
      cost: z
        .object({ amount: z.unknown().optional().transform(reportedUsd), currency: z.literal('USD') })
        .nullish()
        .catch(null),
    })
    .transform(({ used, cost }) => ({ kind: 'usage', used, usd: cost?.amount ?? null }) as const),
  z
    .object({ sessionUpdate: z.literal('plan'), entries: listOf(z.object({ content: title }), 50) })
    .transform(({ entries }) => ({ kind: 'plan', entries }) as const),
])
export type Update = z.output<typeof updateSchema>

const notificationSchema = z.object({ sessionId: id, update: z.record(z.string(), z.unknown()) })

export interface SessionUpdate {
  readonly session: string
  /** Null for a kind that says nothing about the work. */
  readonly update: Update | null
  /** As it came, for errors that agents put beside an update. */
  readonly raw: Readonly<Record<string, unknown>>
}

/** Null for what is no update of a session. */
export function parseUpdate(params: unknown): SessionUpdate | null {
  const notification = notificationSchema.safeParse(params)
  if (!notification.success) return null
  const { sessionId, update: raw } = notification.data
  return { session: sessionId, update: updateSchema.safeParse(raw).data ?? null, raw }
}

/** The usage of one step, which some agents put beside a chunk of text. */
const stepSchema = z.object({ _meta: z.object({ usage: counts }) })
export const stepUsage = (raw: unknown): StepUsage | null =>
  stepSchema.safeParse(raw).data?._meta.usage ?? null

/** How a turn ended. The usage is where agents put it: in the answer, or as a quota, of all models together and of each. */
export const promptResponseSchema = z.object({
  stopReason: z.string().max(100).catch('unknown'),
  usage: counts.nullish().catch(null),
  _meta: z
    .object({
      quota: z
        .object({
          token_count: counts.nullish().catch(null),
          model_usage: listOf(
            z.object({ model: z.string().max(200), token_count: counts.nullish().catch(null) }),
            20,
          ),
        })
        .nullish()
        .catch(null),
    })
    .nullish()
    .catch(null),
})
export type PromptResponse = z.infer<typeof promptResponseSchema>

export const permissionParamsSchema = z.object({
  sessionId: id,
  toolCall: toolCallSchema,
  options: listOf(z.object({ optionId: id, kind: z.string().max(50) }), 50),
})
export type PermissionParams = z.infer<typeof permissionParamsSchema>
