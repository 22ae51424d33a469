/** What `bosun start` and the daemon exchange. */
import { z } from 'zod'
import type { Frozen, Wire } from './answers.ts'

const MAX_PATH = 4096
/** As long as a plan may be. */
const MAX_TEXT = 20 * 1024 * 1024

const workType = z.enum(['new_project', 'feature_request', 'bug_fix'])
const type = z.enum(['new_project', 'feature_request', 'bug_fix', 'question'])
const scope = z.enum(['trivial', 'small', 'medium', 'large'])
const workflow = z.enum(['fix', 'direct', 'light', 'planned', 'project'])

const line = z.string().min(1).max(2000)
const lines = z.array(line).max(40)
/** A question of an earlier round, and what the user said. */
const answered = z.strictObject({ question: line, answer: z.string().min(1).max(20_000) })
const MOST_ANSWERS = 12

/** Each wins over what is concluded. */
const decided = {
  type: workType.optional(),
  scope: scope.optional(),
  workflow: workflow.optional(),
  title: z.string().min(1).max(200).optional(),
  /** What must be true when it is done; empty: the request's own words. */
  criteria: lines.optional(),
}

/** What is to be done, as far as it is known. */
const work = z.strictObject({
  criteria: z.array(z.string()),
  files: z.strictObject({ create: z.array(z.string()), modify: z.array(z.string()) }),
  tests_to_add: z.array(z.string()),
  constraints: z.array(z.string()),
  out_of_scope: z.array(z.string()),
})

export const intakeRequest = z.strictObject({
  /** The caller's working directory. */
  cwd: z.string().min(1).max(MAX_PATH),
  text: z.string().min(1).max(MAX_TEXT),
  /** The name of the file that it came in. */
  file_name: z.string().max(MAX_PATH).nullable().default(null),
  ...decided,
  answers: z.array(answered).max(MOST_ANSWERS).default([]),
  /** What the user saw when they gave the last of these answers; null before that. */
  understood: work.extend({ title: z.string() }).nullable().default(null),
  /** How often questions were answered so far: a model asks twice at most. */
  round: z.int().min(0).max(100).default(0),
  /** False: no model is asked, and the user decides. */
  judge: z.boolean().default(true),
  /** Of the caller's environment, what a model may need: variables that the settings name. */
  variables: z.record(z.string().max(200), z.string().max(128 * 1024)).optional(),
})
export type IntakeRequest = Frozen<z.input<typeof intakeRequest>>

const range = z.strictObject({ least: z.number().nonnegative(), most: z.number().nonnegative() })

export const intakeAnswer = z.strictObject({
  title: z.string(),
  form: z.enum(['sentence', 'brief', 'spec', 'plan']),
  /** Null where nobody has said it yet; so are scope, workflow and estimate. */
  type: type.nullable(),
  scope: scope.nullable(),
  workflow: workflow.nullable(),
  /** The workflow in a line. */
  summary: z.string(),
  /** Provider and model; null where no model judged. */
  judged_by: z.string().nullable(),
  /** Why no model judged, such as `not judged: no model`; null where one did, and of plans and specs. */
  not_judged: z.string().nullable(),
  /** The answer to a question; null for work. */
  answer: z.string().nullable(),
  work,
  questions: z.array(
    z.strictObject({
      id: z.string(),
      text: z.string(),
      /** By one of the options; by one, or in words of one's own; in lines, of which there may be none. */
      by: z.enum(['option', 'option_or_words', 'lines']),
      options: z.array(z.strictObject({ key: z.string(), label: z.string(), consequence: z.string() })),
      default: z.string().nullable(),
    }),
  ),
  estimate: z
    .strictObject({
      tasks: range,
      workers: range,
      time_ms: range,
      tokens: range.nullable(),
      basis: z.enum(['history', 'guess']),
    })
    .nullable(),
  reasons: z.array(z.string()),
  /** What the plan leaves undecided, and its tasks wait for; absent where that is nothing. */
  open_points: z.int().positive().optional(),
  next: z.enum(['run_plan', 'upload_spec', 'answered', 'one_task', 'interview', 'ask']),
  /** For `one_task`: the plan that would be registered. */
  plan: z.strictObject({ id: z.string(), text: z.string() }).nullable(),
})
export type IntakeAnswer = Wire<typeof intakeAnswer>

/** What an interview begins with: what was understood, and what the user corrected. */
export const understoodRequest = z.strictObject({
  type: workType.nullable(),
  scope: scope.nullable(),
  workflow: workflow.nullable(),
  title: z.string().max(200).nullable(),
  /** Null where it was not looked at before. */
  understood: work
    .extend({
      judged_by: z.string().max(200).nullable(),
      answers: z.array(answered).max(MOST_ANSWERS),
      /** Questions of a model that are not answered yet: the interview asks them. */
      open: z.array(z.strictObject({ question: line, options: z.array(line).max(8) })).max(MOST_ANSWERS),
    })
    .nullable(),
})
export type UnderstoodRequest = Wire<typeof understoodRequest>
export type UnderstoodInput = Frozen<z.input<typeof understoodRequest>>
