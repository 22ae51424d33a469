/** The schema of a script for workers: each attempt at each task, and each review. */
import { z } from 'zod'
import { DURATION, durationMs } from '../settings/duration.ts'

const path = z.string().min(1)

const stepSchema = z.union([
  /** Path to content; folders are made. */
  z.strictObject({ write: z.record(path, z.string()) }),
  /** Replaces the first occurrence; the attempt fails without one. */
  z.strictObject({ edit: z.strictObject({ file: path, find: z.string().min(1), replace: z.string() }) }),
  z.strictObject({ delete: z.array(path).min(1) }),
  z.strictObject({ print: z.string() }),
  /** By `sh -c`, in the workspace; its failure fails the attempt. */
  z.strictObject({ run: z.string().min(1) }),
  /** Arguments of bosun-checkin. */
  z.strictObject({ checkin: z.array(z.union([z.string(), z.number()]).transform(String)).min(2) }),
  z.strictObject({
    sleep: z
      .string()
      .regex(DURATION, 'invalid duration (use 90s, 15m or 2h)')
      .transform((text) => durationMs(text) ?? 0),
  }),
  /** Hangs without output. */
  z.strictObject({ stall: z.literal(true) }),
])
export type Step = z.infer<typeof stepSchema>

const attemptSchema = z.strictObject({
  steps: z.array(stepSchema).default([]),
  /** Objects are written as JSON, strings verbatim; null: no report. */
  report: z
    .union([z.record(z.string(), z.unknown()), z.string()])
    .nullable()
    .default(null),
  exit: z.int().min(0).max(255).default(0),
})
export type Attempt = z.infer<typeof attemptSchema>

/** In order; the last is repeated for every further attempt or round. */
const attempts = z.record(z.string(), z.array(attemptSchema).min(1))

export const crewScriptSchema = z.strictObject({
  tasks: attempts.default({}),
  reviews: attempts.default({}),
  /** The work for a task that the script does not mention: its files, empty or with one line. */
  stand_in: z.enum(['empty', 'placeholder']).default('empty'),
})
export type CrewScript = z.infer<typeof crewScriptSchema>
