/** What `bosun start` and the daemon exchange. */
import { z } from 'zod'
import type { Wire } from './answers.ts'

const MAX_PATH = 4096
/** As long as a plan may be. */
const MAX_TEXT = 20 * 1024 * 1024

const type = z.enum(['new_project', 'feature_request', 'bug_fix'])
const scope = z.enum(['trivial', 'small', 'medium', 'large'])
const workflow = z.enum(['fix', 'direct', 'light', 'planned', 'project'])

export const intakeRequest = z.strictObject({
  /** The caller's working directory. */
  cwd: z.string().min(1).max(MAX_PATH),
  text: z.string().min(1).max(MAX_TEXT),
  /** The name of the file that it came in. */
  file_name: z.string().max(MAX_PATH).nullable().default(null),
  /** What the user decided; each wins over what is concluded. */
  type: type.optional(),
  scope: scope.optional(),
  workflow: workflow.optional(),
  /** Of the caller's environment, what a model may need: variables that the settings name. */
  variables: z.record(z.string().max(200), z.string().max(128 * 1024)).optional(),
})
export type IntakeRequest = z.input<typeof intakeRequest>

const range = z.strictObject({ least: z.number().nonnegative(), most: z.number().nonnegative() })

export const intakeAnswer = z.strictObject({
  title: z.string(),
  form: z.enum(['sentence', 'brief', 'issue', 'spec', 'plan']),
  type,
  scope,
  workflow,
  /** The workflow in a line. */
  summary: z.string(),
  questions: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      options: z.array(z.strictObject({ key: z.string(), label: z.string(), consequence: z.string() })),
      default: z.string().nullable(),
    }),
  ),
  estimate: z.strictObject({
    tasks: range,
    workers: range,
    time_ms: range,
    tokens: range.nullable(),
    basis: z.enum(['history', 'guess']),
  }),
  reasons: z.array(z.string()),
  /** What the plan leaves undecided, and its tasks wait for; absent where that is nothing. */
  open_points: z.int().positive().optional(),
  next: z.enum(['run_plan', 'upload_spec', 'one_task', 'interview', 'ask']),
  /** For `one_task`: the plan that would be registered. */
  plan: z.strictObject({ id: z.string(), text: z.string() }).nullable(),
})
export type IntakeAnswer = Wire<typeof intakeAnswer>
