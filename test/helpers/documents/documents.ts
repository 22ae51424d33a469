/**
 * What commands print with `--json`, which scripts rely on: the answers of the HTTP API with `schema`, and what the command line
 * adds. `daemon` is there where the answer came from the database.
 */
import { z } from 'zod'
import * as answers from '../../../src/protocol/answers.ts'
import * as machine from './machine-documents.ts'
import * as plans from './plan-documents.ts'
import { errorAnswer } from '../../../src/protocol/error-answer.ts'
import { pmStatus } from '../../../src/protocol/interview.ts'
import { inboxAnswer, workersAnswer } from '../../../src/protocol/plan-views.ts'
import {
  permissionsAnswer,
  revokedPermissionAnswer,
  reviewAnswer,
  taskAnswer,
} from '../../../src/protocol/task-answer.ts'
import { releaseAnswer, signedAnswer, traceAnswer } from '../../../src/protocol/plan-views.ts'
import { codeAnswer, revokeAnswer } from '../../../src/protocol/machine-answer.ts'
import { transcriptAnswer, instructedAnswer, workerActionAnswer } from '../../../src/protocol/worker-views.ts'

/** The daemon, with all keys whether one runs or not. */
export const daemonDocument = z.strictObject({
  pid: z.int().positive().nullable(),
  port: z.int().nullable(),
  url: z.string().nullable(),
  version: z.string().nullable(),
  build: z.string().nullable(),
  started_at: answers.timestamp.nullable(),
  running: z.boolean(),
  /** How old the data is that was read from the database. */
  as_of: answers.timestamp.nullable(),
})

const offline = { daemon: daemonDocument.optional() }

/** As `/api/workers` lists it, with the time that it has left until `time_limit_at`. */
export const workerDocument = answers.workerRow.extend({ time_left_ms: z.number().nonnegative().nullable() })

const statusFields = {
  ...answers.statusAnswer.shape,
  daemon: daemonDocument,
  workers: z.array(workerDocument),
  /** With `--progress`. */
  progress: answers.progressAnswer.shape.progress.optional(),
}

const steeredDocument = z.strictObject({ plans: z.array(answers.steeredAnswer) })

/** The last line of a command that prints until it is interrupted. */
const endedDocument = z.strictObject({ ended: z.boolean() })

/** What `checkin`, `request` and `report` print; `accepted` is null where the message was left in `file` for later. */
const deliveredDocument = z.strictObject({
  accepted: z.boolean().nullable(),
  file: z.string().nullable(),
  instructions: z.array(answers.checkinAnswer.shape.instructions.element),
  notes: z.array(z.string()),
})

const overviewDocument = z.strictObject({
  repository: z.string().nullable(),
  settings: z.enum(['absent', 'valid', 'invalid']),
  plans: z.array(z.string()),
  /** Null where there is nothing to show. */
  status: z.strictObject(statusFields).nullable(),
  /** Why the daemon does not respond; null where it does or need not. */
  offline: z.strictObject({ message: z.string(), remedy: z.string() }).nullable(),
  next: z.array(z.strictObject({ command: z.string(), why: z.string() })),
})

const verifiedDocument = z.strictObject({
  plan: z.string(),
  manifest: z.string().optional(),
  sha: z.string().optional(),
  /** Null where it was interrupted. */
  ok: z.boolean().nullable(),
  checks: z.array(
    z.strictObject({ id: z.string(), task: z.string().nullable(), ok: z.boolean(), message: z.string() }),
  ),
})

const { takeover } = answers.workerAnswer.shape
const openedWorkerDocument = z.strictObject({
  id: z.string(),
  ...takeover.unwrap().pick({ by: true, agent: true, session: true }).shape,
  workspace: z.string(),
  command: z.array(z.string()).nullable(),
  /** Names only. */
  variables: z.array(z.string()),
})

const { error } = errorAnswer.shape
const errorDocument = z.strictObject({
  error: error.extend({ code: z.enum([...error.shape.code.options, 'internal']) }),
})

/** By how it was called; the first word names the `schema`. A `line` is one of several, and comes before the last. */
export const DOCUMENTS = {
  help: z.strictObject({ text: z.string() }),
  version: z.strictObject({ version: z.string() }),
  error: errorDocument,
  overview: overviewDocument,
  status: z.strictObject(statusFields),
  inbox: inboxAnswer.extend(offline),
  'inbox ID': reviewAnswer.extend(offline),
  'inbox --remembered': permissionsAnswer.extend(offline),
  'inbox --revoke': revokedPermissionAnswer,
  /** At a terminal: what was decided there. */
  'inbox decided': z.strictObject({
    decided: z.array(z.strictObject({ id: z.string(), choice: z.string() })),
  }),
  log: answers.activityAnswer.extend(offline),
  'log --follow line': answers.activityLine,
  'log --follow': endedDocument,
  'watch line': answers.activityLine,
  watch: endedDocument,
  'worker list': workersAnswer.extend({ ...offline, workers: z.array(workerDocument) }),
  'worker show': answers.workerAnswer.extend(offline),
  'worker log': transcriptAnswer.pick({ id: true, protocol: true, entries: true, ended: true }),
  'worker log --follow line': transcriptAnswer.shape.entries.element.extend({ id: z.string() }),
  'worker log --follow': endedDocument,
  'worker adopt': workerDocument,
  'worker instruct': instructedAnswer,
  'worker nudge': workerActionAnswer,
  'worker extend': workerActionAnswer,
  'worker kill': answers.workerRow,
  'worker open': openedWorkerDocument,
  /** `handed_back` is null where the person keeps the work. */
  'worker open --return': z.strictObject({
    id: z.string(),
    handed_back: z.enum(['gates', 'agent']).nullable(),
  }),
  'task show': taskAnswer.extend(offline),
  trace: traceAnswer.extend(offline),
  'release show': releaseAnswer.extend(offline),
  'release verify': verifiedDocument,
  'release sign': signedAnswer,
  crew: machine.crewDocument,
  'crew install': machine.adaptersDocument,
  doctor: machine.doctorDocument,
  init: machine.initDocument,
  'init interrupted': machine.initCutDocument,
  'init --skill': machine.skillDocument,
  answer: answers.answeredAnswer,
  pause: steeredDocument,
  resume: steeredDocument,
  cancel: steeredDocument,
  clean: answers.cleanedAnswer,
  'clean --unknown-workers': machine.putAsideDocument,
  plan: plans.planDocument,
  'spec check': plans.specDocument,
  simulate: plans.simulationDocument,
  'run line': answers.activityLine,
  run: plans.outcomeDocument,
  'start intake line': plans.intakeDocument,
  'start line': answers.activityLine,
  start: plans.outcomeDocument,
  'start declined': plans.notStartedDocument,
  'start answered': plans.questionAnsweredDocument,
  'start interview': plans.interviewBegunDocument,
  interview: pmStatus,
  demo: plans.demoDocument,
  'demo --from-sentence': plans.sentenceDocument,
  'demo interrupted': z.strictObject({ outcome: z.literal('interrupted') }),
  open: z.strictObject({ url: z.string(), opened: z.literal(true) }),
  'open --print': codeAnswer.pick({ link: true, expires_at: true }).extend({ opened: z.literal(false) }),
  'open --revoke': revokeAnswer,
  'serve line': answers.daemonFacts,
  serve: endedDocument,
  stop: z.strictObject({ stopped: z.boolean() }),
  'service install --print': machine.servicePrintDocument,
  'service install': machine.serviceInstallDocument,
  'service uninstall': machine.serviceUninstallDocument,
  'service status': machine.serviceStatusDocument,
  export: machine.exportDocument,
  import: machine.importDocument,
  mcp: z.strictObject({}),
  checkin: deliveredDocument,
  request: deliveredDocument,
  report: deliveredDocument,
} as const satisfies Readonly<Record<string, z.ZodObject>>

export type DocumentName = keyof typeof DOCUMENTS
