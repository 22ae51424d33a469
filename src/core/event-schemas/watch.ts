/** The shapes of what the watch says and does. */
import { z } from 'zod'

export const HEALTHS = ['healthy', 'late', 'stalled', 'timeout_warning', 'zombie'] as const
export type Health = (typeof HEALTHS)[number]

/** How a worker is that has ended: its work was proven by the gates, or it was lost or its work was refused. */
export const ENDED_HEALTHS = ['completed', 'failed'] as const
export type EndedHealth = (typeof ENDED_HEALTHS)[number]

/** How a message came to its worker: into its running session, with a check-in, or asked for. */
export const WAYS_TO_HEAR = ['session', 'checkin', 'instructions'] as const

export const MESSAGE_KINDS = ['warning', 'reminder', 'nudge', 'answer', 'instruction'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const messageSchema = z.strictObject({
  /** Counts the messages to one worker from 1. */
  id: z.int().min(1),
  kind: z.enum(MESSAGE_KINDS),
  text: z.string().min(1),
  /** What it is about: the same is said once. */
  about: z.string().min(1),
  by: z.string().min(1),
})
export type Message = z.infer<typeof messageSchema>

/** What the watch does about a worker, from the mildest to the last. */
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
export const watchSettingsSchema = z.strictObject({
  mode: z.enum(['act', 'monitor']),
  /** How often the daemon looks around while such a plan is open. */
  loopMs: ms.optional(),
  firstCheckinMs: ms,
  lateMs: ms,
  silenceMs: ms,
  noProgressMs: ms,
  afterReportMs: ms,
  /** Percent of the time limit, each told once. */
  warnings: z.array(z.int().min(1).max(100)),
  toolWarnMs: ms,
  toolEndMs: ms,
})
export type WatchSettings = z.infer<typeof watchSettingsSchema>
