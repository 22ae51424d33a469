/** Schemas of the watch's messages and interventions. */
import { z } from 'zod'

export const HEALTHS = ['healthy', 'late', 'stalled', 'timeout_warning', 'zombie'] as const
export type Health = (typeof HEALTHS)[number]

/** The health of an ended worker: its work passed the gates, or it was lost or its work was refused. */
export const ENDED_HEALTHS = ['completed', 'failed'] as const
export type EndedHealth = (typeof ENDED_HEALTHS)[number]

/** How a message was delivered: into the running session, with a check-in, or on request. */
export const DELIVERY_CHANNELS = ['session', 'checkin', 'instructions'] as const

export const MESSAGE_KINDS = ['warning', 'reminder', 'nudge', 'restart', 'answer', 'instruction'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

/** What an instruction is about. */
export const INSTRUCTION_TYPES = [
  'continue',
  'pause',
  'revise',
  'abort',
  'expand_scope',
  'reduce_scope',
] as const
export type InstructionType = (typeof INSTRUCTION_TYPES)[number]

export const messageSchema = z.lazy(() =>
  z.strictObject({
    /** Counts the messages to one worker from 1. */
    id: z.int().min(1),
    kind: z.enum(MESSAGE_KINDS),
    text: z.string().min(1),
    /** The subject: a message about the same subject is sent once. */
    about: z.string().min(1),
    by: z.string().min(1),
    /** Of an instruction; absent for one in words alone. */
    instruction: z.enum(INSTRUCTION_TYPES).optional(),
    /** The answer to a request for permission, which goes to the agent itself and not to its model. */
    permission: z
      .strictObject({ id: z.string().min(1).max(100), decision: z.enum(['allow', 'deny']) })
      .optional(),
  }),
)
export type Message = z.infer<typeof messageSchema>

/** The watch's interventions, from the mildest to the last. */
export const INTERVENTIONS = [
  'warn',
  'remind',
  'nudge',
  'help',
  'escalate',
  'extend',
  'finish',
  'restart',
  'kill',
] as const
export type Intervention = (typeof INTERVENTIONS)[number]

const ms = z.int().min(1)
export const watchSettingsSchema = z.lazy(() =>
  z.strictObject({
    mode: z.enum(['act', 'monitor']),
    /** How often the daemon checks while such a plan is open. */
    loopMs: ms,
    firstCheckinMs: ms,
    lateMs: ms,
    silenceMs: ms,
    noProgressMs: ms,
    afterReportMs: ms,
    /** Percent of the time limit, with one warning each. */
    warnings: z.array(z.int().min(1).max(100)),
    toolWarnMs: ms,
    toolEndMs: ms,
    /** How long a specialist may take to answer a question; 0: a person is asked at once. */
    specialistMs: z.int().min(0),
  }),
)
export type WatchSettings = z.infer<typeof watchSettingsSchema>
