/** This machine as the page shows it: crew, settings, figures over time, a browser's session, the snapshot of every screen. */
import { z } from 'zod'
import { timestamp, daemonFacts, interviewRow, planRow, pulse, workerRow, type Wire } from './answers.ts'
import { usageRow, inboxEntry } from './rows.ts'

/** `GET /api/crew?repo=` */
export const crewAnswer = z.strictObject({
  /** Those on the PATH, in the order in which Bosun takes one. */
  agents: z.array(
    z.strictObject({
      name: z.string(),
      title: z.string(),
      path: z.string(),
      /** Null where it did not say. */
      version: z.string().nullable(),
      sign_in: z.strictObject({
        by: z.enum(['subscription', 'key', 'configuration', 'none', 'unknown']),
        /** In words: `signed in by key (ANTHROPIC_API_KEY)`. */
        text: z.string(),
      }),
      /** How Bosun drives it. */
      protocol: z.enum(['command', 'acp']),
      /** The roles that bosun.yaml of the repository gives it. */
      roles: z.array(z.string()),
      /** What to do to use it, or to use it better; null where nothing is missing. */
      remedy: z.string().nullable(),
      /** What a user should know about what it may do; null where there is nothing. */
      caution: z.string().nullable(),
      /** Small work gets the first model that it offers whose name holds one of these; empty: its own model. */
      small_models: z.array(z.string()),
    }),
  ),
  /** What each agent and model has done; the agents that did most first. */
  results: z.array(
    z.strictObject({
      /** Null where the log does not name it. */
      agent: z.string().nullable(),
      model: z.string().nullable(),
      /** That it worked on. */
      tasks: z.int().nonnegative(),
      /** Of the tasks that it began and that are decided: how many landed without another attempt. */
      first_pass_rate: z.number().min(0).max(1).nullable(),
      first_pass_of: z.int().nonnegative(),
      /** Workers that wrote, and that reviewed. */
      attempts: z.int().nonnegative(),
      reviews: z.int().nonnegative(),
      /** Of all its workers. */
      work_ms: z.number().nonnegative(),
      usage: usageRow,
    }),
  ),
})
export type CrewPageAnswer = Wire<typeof crewAnswer>

/** `GET /api/brain?repo=`: who answers Bosun's own questions, as far as that is known without asking. */
export const brainAnswer = z.union([
  z.strictObject({
    who: z.string(),
    /** Null: its own. */
    models: z.strictObject({ small: z.string(), large: z.string() }).nullable(),
    cost: z.string(),
    usual_time: z.string(),
    /** In a line. */
    text: z.string(),
  }),
  z.strictObject({ who: z.null(), why: z.string(), text: z.string() }),
])
export type BrainAnswer = Wire<typeof brainAnswer>

/** `GET /api/settings?repo=` */
export const settingsAnswer = z.strictObject({
  /** Null where no repository was asked about: then these are the defaults. */
  repo: z.string().nullable(),
  /** The path of bosun.yaml; null where there is none. */
  file: z.string().nullable(),
  /** Of the file; while there are any, the rows are the defaults, and no plan can start. */
  problems: z.array(z.strictObject({ line: z.int(), message: z.string(), remedy: z.string() })),
  rows: z.array(
    z.strictObject({
      key: z.string(),
      value: z.string(),
      from: z.enum(['default', 'file', 'detected', 'environment']),
    }),
  ),
  /** The state root. */
  home: z.string(),
  version: z.string(),
  /** Page sessions that are open, and when the oldest of them was started. */
  sessions: z.strictObject({ count: z.int().nonnegative(), since: timestamp.nullable() }),
})
export type SettingsAnswer = Wire<typeof settingsAnswer>

/** `GET /api/doctor?repo=` */
export const doctorAnswer = z.strictObject({
  /** Without a problem. */
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({
      what: z.string(),
      state: z.enum(['ok', 'warning', 'problem']),
      text: z.string(),
      remedy: z.string().nullable(),
    }),
  ),
})
export type DoctorPageAnswer = Wire<typeof doctorAnswer>

/** Metrics over time. */
const rate = z.number().min(0).max(1).nullable()
const ms = z.number().nonnegative().nullable()

const figures = z.strictObject({
  /** Tasks that were completed, and that failed or were given up. */
  completed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  success_rate: rate,
  /** From a task's first dispatch to its commit, the median. */
  lead_time_ms: ms,
  /** Tasks whose first attempt was committed, of those completed. */
  first_pass_rate: rate,
  /** How long items waited for a person, all together. */
  person_wait_ms: z.number().nonnegative(),
  interventions: z.int().nonnegative(),
  usage: usageRow.nullable(),
  tokens_per_task: z.number().nonnegative().nullable(),
  /** Null where no price is known. */
  usd_per_task: z.number().nonnegative().nullable(),
})

export const historyAnswer = z.strictObject({
  from: timestamp,
  to: timestamp,
  total: figures,
  /** One for each hour for up to two days, else one for each day; those without anything too. */
  points: z.array(figures.extend({ from: timestamp })),
})
export type HistoryAnswer = Wire<typeof historyAnswer>

/** How a browser gets its session: a link holds a code, which is exchanged once. */
const secret = z.string().regex(/^[0-9a-f]{64}$/)

/** `POST /api/session/codes`, with the user's token only: a code for the fragment of a link. */
export const codeAnswer = z.strictObject({
  code: secret,
  expires_at: timestamp,
  /** The whole link: `http://127.0.0.1:PORT/#code=…` */
  link: z.string(),
})
export type CodeAnswer = Wire<typeof codeAnswer>

/** `POST /api/session`, without a token: the code for a session. It works once, within 60 seconds. */
export const sessionAnswer = z.strictObject({ session: secret, expires_at: timestamp })
export type SessionAnswer = Wire<typeof sessionAnswer>

/** `POST /api/session/revoke`: this session, or every one. */
export const revokeAnswer = z.strictObject({ revoked: z.int().nonnegative() })

/** `GET /api/snapshot`: without tasks, which a plan's own routes answer a page at a time. */
export const snapshotAnswer = z.strictObject({
  daemon: daemonFacts,
  pulse,
  plans: z.array(planRow),
  workers: z.array(workerRow),
  inbox: z.array(inboxEntry),
  /** Interviews that are open. */
  interviews: z.array(interviewRow),
  /** Repositories that plans or interviews were seen in, newest first. */
  repositories: z.array(z.string()),
  /** Work that is held back because people have too much to review; null where none is. */
  held_back: z
    .strictObject({ waiting: z.int().nonnegative(), most: z.int().nonnegative(), text: z.string() })
    .nullable(),
  unreadable: z.array(z.strictObject({ plan: z.string(), why: z.string() })),
  /** Follow `/api/events?after=seq` to keep it true. */
  seq: z.int().nonnegative(),
})
export type SnapshotAnswer = Wire<typeof snapshotAnswer>
