/** What a script may say: what each attempt at each task does, and what each review finds. */
import { z } from 'zod'
import { DURATION, durationMs } from '../../core/duration.ts'
import { parseYamlText } from '../../lib/yaml-text.ts'

const path = z.string().min(1)

const stepSchema = z.union([
  /** Path to content; folders are made. */
  z.strictObject({ write: z.record(path, z.string()) }),
  /** The first occurrence; that there is none fails the attempt. */
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
      .regex(DURATION, 'a duration is digits and ms, s, m or h, like 90s')
      .transform((text) => durationMs(text) ?? 0),
  }),
  /** Nothing more, and no end. */
  z.strictObject({ stall: z.literal(true) }),
])
export type Step = z.infer<typeof stepSchema>

const attemptSchema = z.strictObject({
  steps: z.array(stepSchema).default([]),
  /** An object is written as JSON, a string as it is; null: no report. */
  report: z
    .union([z.record(z.string(), z.unknown()), z.string()])
    .nullable()
    .default(null),
  exit: z.int().min(0).max(255).default(0),
})
export type Attempt = z.infer<typeof attemptSchema>

/** One after the other; the last is used again for every further attempt or round. */
const attempts = z.record(z.string(), z.array(attemptSchema).min(1))

const scriptSchema = z.strictObject({ tasks: attempts.default({}), reviews: attempts.default({}) })
export type Script = z.infer<typeof scriptSchema>

export type ReadScript =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly why: string }

export function parseScript(text: string): ReadScript {
  const { value, errors, lineOf } = parseYamlText(text)
  const [mistake] = errors
  if (mistake !== undefined) return { ok: false, why: `line ${mistake.line}: ${mistake.message}` }
  const parsed = scriptSchema.safeParse(value ?? {})
  if (parsed.success) return { ok: true, script: parsed.data }
  const [issue] = parsed.error.issues
  const keys = (issue?.path ?? []).filter((key) => typeof key !== 'symbol')
  return { ok: false, why: `line ${lineOf(keys)}: ${keys.join('.')}: ${issue?.message ?? 'it does not fit'}` }
}

/** What a worker does now; null where the script says nothing about its task. */
export function attemptFor(
  script: Script,
  worker: { readonly task: string; readonly role: string; readonly number: number },
): Attempt | null {
  const rows = (worker.role === 'reviewer' ? script.reviews : script.tasks)[worker.task]
  return rows?.[Math.min(worker.number, rows.length) - 1] ?? null
}
