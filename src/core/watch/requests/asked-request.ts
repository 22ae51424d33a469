/** A request as a worker writes it, in the one shape that commands, HTTP and files share. */
import { z } from 'zod'
import {
  MOST_MINUTES,
  MOST_TEXT,
  MOST_TOKENS,
  PRIORITIES,
  REQUEST_KINDS,
} from '../../event-schemas/requests.ts'

/** Shells write numbers as text. */
const amount = (most: number) =>
  z.union([
    z.int().min(1).max(most),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number)
      .pipe(z.int().min(1).max(most)),
  ])

export const askedRequestSchema = z
  .strictObject({
    type: z.enum(REQUEST_KINDS),
    text: z.string().max(MOST_TEXT).default('').describe('The question or the reason.'),
    minutes: amount(MOST_MINUTES).optional().describe('For need_time.'),
    tokens: amount(MOST_TOKENS).optional().describe('For need_resources.'),
    to: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe('A role, or human: for need_clarification and need_help.'),
    priority: z.enum(PRIORITIES).default('normal'),
    id: z
      .string()
      .regex(/^[a-zA-Z0-9_.-]{1,100}$/)
      .optional()
      .describe("The worker's own id for the request; a repeated id is ignored."),
  })
  .meta({ title: 'Request', description: 'A request of a worker while it works.' })
export type AskedForm = z.infer<typeof askedRequestSchema>
