/** What `plan`, `spec check`, `simulate`, `run` and `start` print with `--json`. */
import { z } from 'zod'
import { planAnswer, taskRow } from '../../../src/protocol/answers.ts'
import { intakeAnswer } from '../../../src/protocol/intake.ts'
import { pmStatus } from '../../../src/protocol/interview.ts'
import { inboxEntry } from '../../../src/protocol/rows.ts'

const texts = z.array(z.string())
const count = z.int().nonnegative()
const tier = taskRow.shape.tier

const problem = z.strictObject({
  severity: z.enum(['error', 'warning']),
  file: z.string(),
  line: z.int(),
  message: z.string(),
  remedy: z.string(),
})

export const planDocument = z.strictObject({
  plan: z.strictObject({
    id: z.string(),
    title: z.string(),
    source: z.string(),
    design: z.string().nullable(),
    format: z.enum(['markdown', 'yaml', 'spec-kit', 'task-master']),
  }),
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      tier,
      tier_reasons: texts,
      security_flags: texts,
      ownership: z.string(),
      layer: z.string().nullable(),
      depends_on: texts,
      acceptance_criteria: texts,
      files: z.strictObject({ create: texts, modify: texts, delete: texts }),
      tests_to_add: texts,
      tests_to_run: texts,
      /** Beyond those of every task: kinds, and custom gates by name. */
      gates: texts,
      /** As in bosun.yaml: `30m`. */
      time_budget: z.string(),
      /** The fields that the plan does not give. */
      inferred: texts,
      line: z.int(),
      requirements: texts,
      story: z.string().nullable(),
      role: z.string().nullable(),
      scope: z.string().nullable(),
      /** Whether its new tests have to fail on the base; null where its criteria decide. */
      red_on_base: z.boolean().nullable(),
    }),
  ),
  /** Ids in the order of execution; empty when there is a cycle. */
  order: texts,
  /** Steps withheld from workers. */
  removed_steps: z.array(
    z.strictObject({ task: z.string(), line: z.int(), text: z.string(), reason: z.string() }),
  ),
  problems: z.array(problem),
  /** What the plan leaves open. */
  questions: z.array(
    z.strictObject({
      task: z.string(),
      line: z.int(),
      kind: z.enum(['undecided', 'alternatives']),
      words: z.string(),
      choices: texts,
    }),
  ),
})

const priority = z.string()

export const specDocument = z.strictObject({
  file: z.string(),
  valid: z.boolean(),
  /** Null where there is an error. */
  spec: z
    .strictObject({
      title: z.string(),
      version: z.string(),
      priority,
      created: z.string(),
      vision: z.string(),
      in_scope: texts,
      out_of_scope: texts,
      requirements: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          type: z.string(),
          priority,
          dependencies: texts,
          description: z.string(),
          acceptance_criteria: texts,
          line: z.int(),
        }),
      ),
    })
    .nullable(),
  problems: z.array(problem),
})

/** Times are simulated, from the start of the plan. */
const simulatedMs = z.number()

export const simulationDocument = z.strictObject({
  plan: planDocument.shape.plan.pick({ id: true, title: true, source: true }),
  seed: count,
  faults: texts,
  outcome: z.enum(['running', 'waiting', 'deadlocked', 'paused', 'done']),
  why: z.string(),
  elapsed_ms: simulatedMs,
  pm_crashes: count,
  events: count,
  tasks: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      status: taskRow.shape.status,
      tier,
      attempts: count,
      started_ms: simulatedMs.nullable(),
      ended_ms: simulatedMs.nullable(),
    }),
  ),
  inbox: z.array(
    inboxEntry
      .pick({ id: true, kind: true, plan: true, task: true, problem: true, impact: true, recommended: true })
      .extend({
        subject: z.string(),
        about: z.string().nullable(),
        options: z.array(z.strictObject({ key: z.string(), label: z.string() })),
        blocking: z.boolean(),
        issue: z.string().optional(),
        since_ms: simulatedMs,
      }),
  ),
  timeline: z.array(
    z.strictObject({
      at_ms: simulatedMs,
      event: z.string(),
      task: z.string().nullable(),
      text: z.string(),
      details: texts.optional(),
    }),
  ),
  log_sha256: z.string(),
  /** Null unless Bosun broke one of its own rules. */
  violation: z.string().nullable(),
})

const { manifest, commits, inbox, outcome } = planAnswer.shape

/** The last line of `run` and `start`: how it ended. */
export const outcomeDocument = z.strictObject({
  plan: z.string().nullable(),
  outcome: z.enum([...outcome.options, 'detached']),
  branch: z.string().nullable(),
  manifest,
  commits,
  inbox,
  /** With `--dry-run`. */
  dry_run: z.strictObject({ folder: z.string(), repository: z.string(), home: z.string() }).optional(),
})

/** The first line of `start`: what was understood. */
export const intakeDocument = z.strictObject({ intake: intakeAnswer })
export const notStartedDocument = z.strictObject({ outcome: z.literal('not_started') })
/** The last line of a `start` with a question. */
export const questionAnsweredDocument = z.strictObject({ outcome: z.literal('answered'), answer: z.string() })
/** The last line of a `start` that needs an interview. */
export const interviewBegunDocument = z.strictObject({
  outcome: z.literal('needs_person'),
  interview: pmStatus,
})

const demoPlace = {
  folder: z.string(),
  repository: z.string(),
  home: z.string(),
}
const demoEnd = {
  outcome: z.enum([...outcome.options, 'cut_short']),
  branch: z.string().nullable(),
  manifest,
  commits,
  summary: z.string().nullable(),
  graph: z.string(),
  /** What should have happened and did not. */
  missing: texts,
  elapsed_ms: z.number(),
  /** The command that removes everything again. */
  cleanup: z.string(),
}

export const demoDocument = z.strictObject({
  ...demoPlace,
  plan: z.string(),
  completed: count,
  ...demoEnd,
  story: z.array(
    z.strictObject({ name: z.string(), task: z.string(), told: z.string(), happened: z.boolean() }),
  ),
  commands: z.array(z.strictObject({ line: z.string(), what: z.string() })),
})

export const sentenceDocument = z.strictObject({
  ...demoPlace,
  sentence: z.string(),
  type: intakeAnswer.shape.type,
  scope: intakeAnswer.shape.scope,
  workflow: intakeAnswer.shape.workflow,
  plan: z.string().nullable(),
  ...demoEnd,
})
