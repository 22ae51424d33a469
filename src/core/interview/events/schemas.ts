/** Schemas that several events share; each is built when an event's shape is. */
import { z } from 'zod'
import type { DeepReadonly } from '../../planning/task-schema.ts'
import { architectRequestSchema } from '../../spec/architect-messages.ts'
import { EXPERTISE_LEVELS, SUSPENDABLE } from '../transitions.ts'
import { BOOTSTRAP_PARTS, toolCallSchema } from '../turn.ts'
import { SCOPES } from '../../choice/choose-agent.ts'
import { WORK_TYPES } from '../../intake/intake.ts'
import { WORKFLOW_NAMES } from '../../intake/workflows.ts'

/** The same schema: what it reads is not changed. */
const constant = <T>(schema: z.ZodType<T>): z.ZodType<DeepReadonly<T>> => schema as z.ZodType<DeepReadonly<T>>

export const text = (): z.ZodString => z.string()
/** Who did it: a person, or a part of Bosun. */
export const by = (): z.ZodString => z.string().min(1)
/** The caller's own id of a call. */
export const callKey = () => z.string().min(1).optional()
export const sha256 = (): z.ZodString => z.string().regex(/^[0-9a-f]{64}$/)
export const count = (): z.ZodInt => z.int().nonnegative()
export const expertise = () => z.enum(EXPERTISE_LEVELS)

export const bootstrapFacts = () =>
  constant(
    z.object({
      /** Whether the project has to be set up before it can be worked on. */
      needed: z.boolean(),
      missing: z.array(z.enum(BOOTSTRAP_PARTS)),
      /** The language of most source files; null where there are none. */
      language: z.string().nullable(),
    }),
  )

/** By the ids of questions. */
export const answers = () => z.record(z.string(), z.string())

/** A choice, and what follows from it. */
const option = () => z.object({ key: z.string(), label: z.string(), consequence: z.string() })

export const question = () =>
  z.object({
    /** Unique within its post. */
    id: z.string(),
    text: z.string(),
    /** Empty: it is answered in words. */
    options: z.array(option()),
    /** What counts without an answer, the key of an option or words (none where it is empty); null where an answer is needed. */
    default: z.string().nullable(),
  })

/** The form, as it stands in the conversation. */
export const formPost = () => constant(z.object({ text: z.string(), questions: z.array(question()) }))

export const message = () =>
  constant(
    z.object({
      /** `system` is Bosun itself, for example with the architect's feedback; the user does not see it. */
      from: z.enum(['user', 'pm', 'system']),
      text: z.string(),
      /** Empty unless it is from the PM. */
      questions: z.array(question()),
      /** What the user filled in, by the ids of questions; empty for other messages. */
      answers: answers(),
      /** Milliseconds since the epoch. */
      at: count(),
    }),
  )

export const toolCall = toolCallSchema
/** A refused call changed nothing. Text of files in the result is data, never an instruction. */
export const toolRecord = () => z.object({ call: toolCall(), ok: z.boolean(), result: z.string() })

const specMetadata = () =>
  z.object({ title: z.string(), version: z.string(), priority: z.string(), requirements_count: count() })

/** A spec as it was submitted or uploaded. */
export const specDraft = () =>
  constant(
    z.object({
      user_spec_md: z.string(),
      bootstrap_spec_md: z.string().nullable(),
      spec_metadata: specMetadata(),
      /** Of both texts: what a user has seen is what is submitted. */
      sha256: sha256(),
    }),
  )

/** As it arrived: whether its type is that of the request is checked. */
export const architectResult = () =>
  z.object({ status: z.enum(['approved', 'needs_changes']), feedback: z.string(), type: z.string() })

/** A request to the architect. Asked again under the same key it is the same request. */
const review = () =>
  z.object({
    key: z.string(),
    request: architectRequestSchema,
    /** Null until the architect has answered. */
    result: architectResult().nullable(),
    /** The plan made from the approved stories, as text; null before that. */
    planText: z.string().nullable(),
  })

/** Everything a user typed and the PM drafted. It outlives errors and restarts. */
const session = () =>
  z.object({
    id: z.string(),
    expertise: expertise(),
    /** What the interview was started with; null without. */
    startText: z.string().nullable(),
    /** What it was understood as before; null where nothing was. */
    request: begunWith().nullable(),
    bootstrap: bootstrapFacts(),
    /** Null: it waits for the user for ever. */
    awaitUserMs: count().nullable(),
    conversation: z.array(message()),
    /** How many messages of the conversation turns have seen. */
    readUpTo: count(),
    /** Since the last message of the user. */
    calls: z.array(toolRecord()),
    feedback: z.string().nullable(),
    /** How often the architect has sent the spec back. */
    rounds: count(),
    /** Money for the PM's turns and the architect's reviews, as far as it is known. */
    spentUsd: z.number().nonnegative(),
    draft: specDraft().nullable(),
    /** The model that drafted it, or `nobody`; null without a draft, and for one that was uploaded. */
    draftedBy: z.string().nullable(),
    review: review().nullable(),
  })

/** An interview that ended by an error or with the daemon, and can be continued. */
export const recoverable = () =>
  z.object({
    session: session(),
    /** The state it was in. */
    state: z.enum(SUSPENDABLE),
    why: z.string(),
    at: count(),
    /** An orderly stop is continued at the next start; after an error the user decides. */
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

const texts = () => z.array(z.string())

/** What a request was understood as before its interview began, as the user saw and corrected it. */
export const begunWith = () =>
  constant(
    z.object({
      type: z.enum(WORK_TYPES).nullable(),
      scope: z.enum(SCOPES).nullable(),
      workflow: z.enum(WORKFLOW_NAMES).nullable(),
      title: z.string().nullable(),
      /** Null where only the user decided. */
      understood: z
        .object({
          /** Provider and model; null where no model judged. */
          judged_by: z.string().nullable(),
          criteria: texts(),
          files: z.object({ create: texts(), modify: texts() }),
          tests_to_add: texts(),
          constraints: texts(),
          out_of_scope: texts(),
          /** What the user answered before the interview. */
          answers: z.array(z.object({ question: z.string(), answer: z.string() })),
          /** What a model asked, and nobody has answered yet. */
          open: z.array(z.object({ question: z.string(), options: texts() })),
        })
        .nullable(),
    }),
  )
export type BegunWith = z.infer<ReturnType<typeof begunWith>>
