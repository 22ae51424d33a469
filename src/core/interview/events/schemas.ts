/** Schemas that several events share; each is built when an event's shape is. */
import { z } from 'zod'
import { begunWith } from '../begun-with.ts'
import { EXPERTISE_LEVELS } from '../states.ts'
import { SUSPENDABLE } from '../transitions.ts'
import type { Recoverable, SpecDraft } from '../machine.ts'
import { BOOTSTRAP_PARTS, toolCallSchema, type BootstrapFacts, type FormPost } from '../turn.ts'

export const text = (): z.ZodString => z.string()
/** Who did it: a person, or a part of Bosun. */
export const by = (): z.ZodString => z.string().min(1)
/** The caller's own id of a call. */
export const callKey = () => z.string().min(1).optional()
export const sha256 = (): z.ZodString => z.string().regex(/^[0-9a-f]{64}$/)
export const count = (): z.ZodInt => z.int().nonnegative()
export const expertise = () => z.enum(EXPERTISE_LEVELS)
export const suspendable = () => z.enum(SUSPENDABLE)

export const bootstrapFacts = (): z.ZodType<BootstrapFacts> =>
  z.object({
    needed: z.boolean(),
    missing: z.array(z.enum(BOOTSTRAP_PARTS)),
    language: z.string().nullable(),
  })

/** By the ids of questions. */
export const answers = () => z.record(z.string(), z.string())

const option = () => z.object({ key: z.string(), label: z.string(), consequence: z.string() })
const question = () =>
  z.object({
    id: z.string(),
    text: z.string(),
    options: z.array(option()),
    default: z.string().nullable(),
  })

export const formPost = (): z.ZodType<FormPost> =>
  z.object({ text: z.string(), questions: z.array(question()) })

const message = () =>
  z.object({
    from: z.enum(['user', 'pm', 'system']),
    text: z.string(),
    questions: z.array(question()),
    answers: answers(),
    at: count(),
  })

export const toolCall = toolCallSchema
const toolRecord = () => z.object({ call: toolCall(), ok: z.boolean(), result: z.string() })

const metadata = () =>
  z.object({
    title: z.string(),
    version: z.string(),
    priority: z.string(),
    requirements_count: count(),
  })

export const specDraft = (): z.ZodType<SpecDraft> =>
  z.object({
    user_spec_md: z.string(),
    bootstrap_spec_md: z.string().nullable(),
    spec_metadata: metadata(),
    sha256: sha256(),
  })

export const architectRequest = () =>
  z.object({
    approval_type: z.literal('spec'),
    content: z.string(),
    infrastructure_spec: z.string().nullable(),
    reason: z.string(),
  })

export const architectResult = () =>
  z.object({ status: z.enum(['approved', 'needs_changes']), feedback: z.string(), type: z.string() })

const review = () =>
  z.object({
    key: z.string(),
    request: architectRequest(),
    result: architectResult().nullable(),
    planText: z.string().nullable(),
  })

const session = () =>
  z.object({
    id: z.string(),
    expertise: expertise(),
    startText: z.string().nullable(),
    request: begunWith().nullable(),
    bootstrap: bootstrapFacts(),
    awaitUserMs: count().nullable(),
    conversation: z.array(message()),
    readUpTo: count(),
    calls: z.array(toolRecord()),
    feedback: z.string().nullable(),
    rounds: count(),
    spentUsd: z.number().nonnegative(),
    draft: specDraft().nullable(),
    draftedBy: z.string().nullable(),
    review: review().nullable(),
  })

/** An interview that can be continued, whole. */
export const recoverable = (): z.ZodType<Recoverable> =>
  z.object({
    session: session(),
    state: suspendable(),
    why: z.string(),
    at: count(),
    cause: z.enum(['error', 'shutdown']),
  })

/** Who thought, and what it cost. */
export const thought = () =>
  z.object({
    /** `nobody`, or the provider and the model. */
    by: z.string(),
    /** Why nobody judged; null otherwise. */
    fallback: z.string().nullable(),
    usage: z.record(z.string(), z.union([z.number(), z.string(), z.boolean(), z.null()])).nullable(),
  })
