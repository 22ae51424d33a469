/** The daemon's responses, shared with its clients. */
import { z } from 'zod'
import { pageNotice, inboxEntry, thinkingRow, usageRow, workerEnd, workerMessage } from './rows.ts'

/** Responses are read-only. */
export type Wire<S extends z.ZodType> = Frozen<z.infer<S>>
export type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T

export const timestamp = z.iso.datetime()
const counts = z.record(z.string(), z.int().nonnegative())

/** The running daemon, as in `daemon.json` and every status. */
export const daemonFacts = z.strictObject({
  pid: z.int().positive(),
  port: z.int().min(1).max(65_535),
  url: z.string(),
  version: z.string(),
  build: z.string(),
  started_at: timestamp,
})
export type DaemonFacts = Wire<typeof daemonFacts>

export type InboxEntry = Wire<typeof inboxEntry>
export type InboxAnswer = Pick<StatusAnswer, 'inbox' | 'interviews'>

/** A failed effect that is retried. */
const trouble = z.strictObject({
  what: z.string(),
  reason: z.string(),
  failures: z.int().positive(),
  retry_at: timestamp,
})
export type Trouble = Wire<typeof trouble>
export type UsageRow = Wire<typeof usageRow>

export const planRow = z.strictObject({
  id: z.string(),
  /** Null where the plan cannot be read. */
  title: z.string().nullable(),
  repo: z.string(),
  state: z.enum(['running', 'waiting', 'deadlocked', 'paused', 'done', 'damaged']),
  why: z.string(),
  /** Null until something is committed. */
  branch: z.string().nullable(),
  counts,
  /** Findings of the baseline, a line each. */
  notes: z.array(z.string()),
  /** Retried effects of the plan as a whole. */
  trouble: trouble.nullable(),
  /** Of all its workers, running ones too; null where the plan cannot be read. */
  usage: usageRow.nullable(),
  /** What it asked the brain, in `usage` too; null where no model was asked. */
  thinking: thinkingRow.nullable(),
  /** The plan's whole record; only where it was asked for. */
  record: z.record(z.string(), z.unknown()).optional(),
})
export type PlanRow = Wire<typeof planRow>

export const taskRow = z.strictObject({
  plan: z.string(),
  /** Path of the repository; plans of two may have the same id. */
  repo: z.string(),
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'ready', 'in_progress', 'completed', 'failed', 'escalated']),
  stage: z.string(),
  /** The command that its gates run at this moment, the tests it has named so far and how long it took last time. */
  check: z
    .strictObject({
      command: z.string(),
      started_at: timestamp,
      tests: z.int().nonnegative(),
      last_ms: z.number().nonnegative().nullable(),
    })
    .nullable(),
  /** Its place in the landing queue as text; null if it is not in the queue. */
  landing: z.string().nullable(),
  tier: z.enum(['critical', 'normal', 'low']),
  attempt: z.int().nonnegative(),
  commit_sha: z.string().nullable(),
  /** When it entered its stage. */
  since: timestamp,
  /** Its retried effects. */
  trouble: trouble.nullable(),
  /** Of all its workers, a running one too. */
  usage: usageRow,
})
export type TaskRow = Wire<typeof taskRow>

export const workerRow = z.strictObject({
  id: z.string(),
  /** Null for a process that Bosun did not start; its task also where the plan is damaged. */
  plan: z.string().nullable(),
  repo: z.string().nullable(),
  task: z.string().nullable(),
  task_title: z.string().nullable(),
  role: z.string(),
  attempt: z.int().positive(),
  health: z.string(),
  reason: z.string(),
  pid: z.int().nullable(),
  since: timestamp,
  /** Its claim; null before the first check-in. */
  last_checkin: timestamp.nullable(),
  progress_pct: z.number().nullable(),
  current_step: z.string().nullable(),
  /** Its own estimate of the remaining time. */
  time_remaining: z.string().nullable(),
  /** Null while it starts. */
  time_limit_at: timestamp.nullable(),
  /** So far; null for a process that Bosun did not start. */
  usage: usageRow.nullable(),
  /** Null where it is not known, or not known yet. */
  agent: z.string().nullable(),
  /** What its agent was asked to use; null: the agent's own. */
  model: z.string().nullable(),
  /** When Bosun itself last saw it do something; null where it saw nothing. */
  observed_at: timestamp.nullable(),
  /** Its claims. */
  next_step: z.string().nullable(),
  issues: z.array(z.string()),
  /** Warnings that it was sent about its time. */
  warnings: z.array(z.string()),
  /** Interventions in effect, a line each. */
  interventions: z.array(z.string()),
})
export type WorkerRow = Wire<typeof workerRow>

const status = {
  plans: z.array(planRow),
  tasks: z.array(taskRow),
  workers: z.array(workerRow),
  inbox: z.array(inboxEntry),
}

/** The health of the daemon itself. */
export const pulse = z.strictObject({
  /** When its last loop was completed; null before the first. */
  last_loop: timestamp.nullable(),
  loops_completed: z.int().nonnegative(),
  /** Why it does not keep up; null when it does. */
  overloaded: z.string().nullable(),
  /** A problem with the whole database, and the remedy; null without one. */
  damage: z.string().nullable(),
})
export type Pulse = Wire<typeof pulse>

/** An open interview. */
export const interviewRow = z.strictObject({
  session_id: z.string(),
  repo: z.string(),
  title: z.string(),
  state: z.string(),
  /** Whether it waits for an answer of the user. */
  waits: z.boolean(),
})
export type InterviewRow = Wire<typeof interviewRow>

export const statusAnswer = z.strictObject({
  daemon: daemonFacts,
  pulse,
  ...status,
  /** Those that are open. */
  interviews: z.array(interviewRow),
  /** Plans that could not be loaded. */
  unreadable: z.array(z.strictObject({ plan: z.string(), why: z.string() })),
  /** The newest event. */
  seq: z.int().nonnegative(),
})
export type StatusAnswer = Wire<typeof statusAnswer>
/** The same from the database, without a daemon. */
export type StatusReading = Omit<StatusAnswer, 'daemon'> & { readonly daemon: DaemonFacts | null }

const count = z.int().nonnegative()
/** Metrics of workers within 24 hours and since midnight. */
export const watchMetrics = z.strictObject({
  completed: count,
  failed: count,
  success_rate: z.number().nullable(),
  mean_completion_ms: z.number().nullable(),
  completed_today: count,
  failed_today: count,
  interventions_today: count,
  interventions: counts,
  /** Interventions in effect for running workers, by kind. */
  interventions_active: counts,
  workers: count,
})
export type WatchMetrics = Wire<typeof watchMetrics>

export const metricsAnswer = z.strictObject({
  plans: counts,
  tasks: counts,
  /** By health; every health is there. Those that have ended are of the last 24 hours. */
  workers: counts,
  inbox: counts,
  repositories: count,
  events: count,
  watch: watchMetrics,
})
export type MetricsAnswer = Wire<typeof metricsAnswer>

const outcome = z.enum([
  'moving',
  'released',
  'cancelled',
  'gate_failed',
  'no_agent',
  'budget',
  'needs_person',
])

export const planAnswer = z.strictObject({
  ...status,
  outcome,
  manifest: z.string().nullable(),
  commits: z.array(z.strictObject({ task: z.string(), sha: z.string() })),
  parallel: z.int().positive(),
  /** How many events the plan has. */
  version: z.int().positive(),
  /** Changes with every edit of its text; an edit may send it as `expected_version`. */
  text_version: z.int().positive(),
  seq: z.int().nonnegative(),
})
export type PlanAnswer = Wire<typeof planAnswer>

export const registeredAnswer = z.strictObject({
  ...planAnswer.shape,
  how: z.enum(['registered', 'attached', 'edited']),
  /** The changes of an edit; null if the plan was not edited. */
  changes: z
    .strictObject({
      changed: z.array(z.strictObject({ id: z.string(), fields: z.array(z.string()) })),
      reworded: z.array(z.string()),
      added: z.array(z.string()),
      removed: z.array(z.string()),
      affected: z.array(z.string()),
      untouched: z.array(z.string()),
    })
    .nullable(),
  /** How many tasks could run in parallel if normal ones could too; null if no more. */
  side_by_side: z.int().positive().nullable(),
  warnings: z.array(
    z.strictObject({ file: z.string(), line: z.int(), message: z.string(), remedy: z.string() }),
  ),
  /** Notices about the repository when the plan begins. */
  notices: z.array(z.string()),
})
export type RegisteredAnswer = Wire<typeof registeredAnswer>

export const activityLine = z.strictObject({
  timestamp,
  event: z.string(),
  /** What happened, in one sentence. */
  text: z.string(),
  worker_id: z.string().optional(),
  task_id: z.string().optional(),
  /** Only in answers, and only of a plan that is loaded: the log itself has ids. */
  task_title: z.string().optional(),
  plan_id: z.string().optional(),
  data: z.record(z.string(), z.unknown()),
})
export type ActivityLine = Wire<typeof activityLine>

export const activityAnswer = z.strictObject({
  activity: z.array(activityLine),
  truncated: z.boolean(),
  /** Lines that could not be read, of those that were looked at. */
  unreadable: z.int().nonnegative(),
  /** Earlier lines: send it as `before`; null where there are none. */
  next: z.string().nullable(),
})
export type ActivityAnswer = Wire<typeof activityAnswer>

/** One message of the event stream: an event as text and as activity lines. */
export const eventMessage = z.strictObject({
  /** Null for what was only noted. */
  seq: z.int().positive().nullable(),
  /** Its place among the events of its plan. */
  version: z.int().positive().nullable(),
  timestamp,
  plan: z.string().nullable(),
  /** The machine of an interview; absent for everything else. */
  interview: z.string().optional(),
  task: z.string().nullable(),
  /** For people; null for internal events. */
  text: z.string().nullable(),
  /** More of it, a line each. */
  details: z.array(z.string()),
  activity: z.array(activityLine),
  /** The plan's state at that time or later; only for clients that follow one plan. */
  outcome: outcome.optional(),
  /** A notice that is due now, by the rules of `notify` in bosun.yaml; only for clients that ask for notices. */
  notice: pageNotice.optional(),
})
export type EventMessage = Wire<typeof eventMessage>

export const workerAnswer = z.strictObject({
  id: z.string(),
  plan: z.string().nullable(),
  task: z.string().nullable(),
  /** Path of its repository. */
  repo: z.string().nullable(),
  task_title: z.string().nullable(),
  now: workerRow.nullable(),
  /** How it ended and what followed; null while it runs. */
  end: workerEnd.nullable(),
  /** The folder it works in; null once that was given back. What could not be saved whole is not given back. */
  workspace: z.string().nullable(),
  /** Where all it wrote is saved: a ref in a repository of Bosun's. */
  salvage: z.strictObject({ ref: z.string(), repository: z.string().nullable() }).nullable(),
  /** Of its agent, the last one; null where it had none. */
  session: z
    .strictObject({
      id: z.string(),
      agent: z.string().nullable(),
      protocol: z.enum(['acp']),
      /** How a later worker continues it; null where its agent cannot. */
      continues: z.enum(['load', 'resume']).nullable(),
      /** It is the session of an earlier worker. */
      continued: z.boolean(),
    })
    .nullable(),
  /** Set while a person works in its place. */
  takeover: z
    .strictObject({
      by: z.string(),
      /** Whether it has stopped, so that the person can begin. */
      ready: z.boolean(),
      /** The inbox item whose answer hands the work back; null before it is open. */
      item: z.string().nullable(),
      /** The id of its repository. */
      repository: z.string(),
      agent: z.string().nullable(),
      /** The session of its agent; null where it has none. */
      session: z.string().nullable(),
    })
    .nullable(),
  /** The messages to it, in order. */
  messages: z.array(workerMessage),
  history: z.array(z.strictObject({ timestamp, text: z.string() })),
})
export type WorkerAnswer = Wire<typeof workerAnswer>

/** The progress of every open plan, as in a progress report. */
export const progressAnswer = z.strictObject({
  progress: z.array(z.strictObject({ plan: z.string(), repo: z.string(), text: z.string() })),
})
export type ProgressAnswer = Wire<typeof progressAnswer>

/** `changed` is false if the plan was in that state already. */
export const steeredAnswer = z.strictObject({ plan: z.string(), changed: z.boolean() })
export type SteeredAnswer = Wire<typeof steeredAnswer>

export const answeredAnswer = z.strictObject({ id: z.string(), plan: z.string(), choice: z.string() })
export type AnsweredAnswer = Wire<typeof answeredAnswer>

export const stoppingAnswer = z.strictObject({ stopping: z.literal(true) })

export const cleanedAnswer = z.strictObject({
  repositories: z.array(
    z.strictObject({
      repo: z.string(),
      /** Those that were cleaned up after. */
      plans: z.array(z.string()),
      released: z.array(z.string()),
      folders: z.int().nonnegative(),
      forgotten: z.array(z.string()),
      kept: z.array(z.string()),
      caches: z.boolean(),
    }),
  ),
})
export type CleanedAnswer = Wire<typeof cleanedAnswer>

/** The response to a worker's check-in. */
export const checkinAnswer = z.strictObject({
  /** Whether it counts; else it was a sign of life only. */
  accepted: z.boolean(),
  instructions: z.array(
    z.strictObject({
      id: z.number(),
      kind: z.string(),
      text: z.string(),
      about: z.string(),
      by: z.string(),
      instruction: z.string().optional(),
    }),
  ),
  /** Corrections, and why it does not count. */
  notes: z.array(z.string()),
})
export type CheckinAnswer = Wire<typeof checkinAnswer>
