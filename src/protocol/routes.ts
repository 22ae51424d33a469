/**
 * Every route of the HTTP API with the schemas of its query, body and answer. The daemon's handlers are called by this table
 * (src/server/routing.ts); `/openapi.json` is made from it when Bosun is built, and the page's client takes its types from it.
 */
import { z } from 'zod'
import * as answers from './answers.ts'
import type { Frozen, Wire } from './answers.ts'
import { intakeAnswer, intakeRequest } from './intake.ts'
import * as pm from './interview.ts'
import * as machine from './machine-answer.ts'
import * as views from './plan-views.ts'
import * as requests from './requests.ts'
import * as task from './task-answer.ts'
import * as workers from './worker-views.ts'

/** Who may call it: with the user's token or a page session, with the token alone, as the worker itself, or anybody. */
export type Caller = 'user' | 'token' | 'worker' | 'anybody'

export interface RouteDocument {
  readonly summary: string
  /** `user` where it is absent. */
  readonly caller?: Exclude<Caller, 'user'>
  readonly query?: z.ZodType | undefined
  readonly body?: z.ZodType
  /** Of a success; of an event stream, one message. */
  readonly answer: z.ZodType
  /** Of a success, where it is not 200. */
  readonly status?: number
  /** Of the answer, where it is not JSON. */
  readonly content?: string
}

/** A route that changes nothing. */
const reads = <A extends z.ZodType, Q extends z.ZodType | undefined = undefined>(
  summary: string,
  answer: A,
  query?: Q,
) => ({ summary, answer, query: query as Q })

const changes = <B extends z.ZodType, A extends z.ZodType>(summary: string, body: B, answer: A) => ({
  summary,
  body,
  answer,
})

type RouteTable = Readonly<Record<string, RouteDocument>>

/** Its format is docs/schemas/checkin.schema.json; what is wrong with one is answered with its key. */
const checkinRequest = z.record(z.string(), z.json())

/** By method and path; `{name}` is a segment of any value. */
export const ROUTES = {
  // The daemon, the machine, and what happens on it.
  'GET /api/snapshot': reads(
    'What every screen shows, with its place in the event stream',
    machine.snapshotAnswer,
  ),
  'GET /api/status': reads('Plans, tasks, workers and inbox, all of them', answers.statusAnswer),
  'GET /api/events': {
    summary: 'Everything that happens, as server-sent events; Last-Event-ID resumes without a gap',
    query: requests.eventsQuery,
    answer: answers.eventMessage,
    content: 'text/event-stream',
  },
  'GET /api/activity': reads(
    'What happened, the newest lines',
    answers.activityAnswer,
    requests.activityQuery,
  ),
  'GET /api/crew': reads('Agents found, and what they did', machine.crewAnswer, requests.repoQuery),
  'GET /api/brain': reads(
    "Who answers Bosun's own questions, what that costs and how long it takes",
    machine.brainAnswer,
    requests.repoQuery,
  ),
  'GET /api/metrics': reads('Figures of this moment', answers.metricsAnswer),
  'GET /api/metrics/history': reads('Figures over time', machine.historyAnswer, requests.historyQuery),
  'GET /api/settings': reads('The settings in effect', machine.settingsAnswer, requests.repoQuery),
  'GET /api/doctor': reads('What is missing on this machine', machine.doctorAnswer, requests.repoQuery),
  'GET /api/daemon': reads('The daemon itself', answers.daemonFacts),
  'POST /api/daemon/stop': changes(
    'Stop the daemon; workers go on',
    requests.stopRequest,
    answers.stoppingAnswer,
  ),
  'POST /api/clean': changes(
    'Clean up after plans that have ended',
    requests.cleanRequest,
    answers.cleanedAnswer,
  ),
  'GET /metrics': {
    summary: 'Figures of this moment for scrapers, in OpenMetrics',
    answer: z.string(),
    content: 'application/openmetrics-text',
  },
  'GET /openapi.json': reads('This document', z.record(z.string(), z.json())),
  // Plans, tasks and releases.
  'GET /api/plans': reads('Plans', views.plansAnswer, requests.listQuery),
  'POST /api/plans': changes(
    'Register a plan, attach to it, or edit it',
    requests.registerRequest,
    answers.registeredAnswer,
  ),
  'GET /api/plans/{id}': reads(
    'One plan with its tasks, workers and inbox',
    answers.planAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/text': reads(
    'The text of a plan, and its version: what an edit begins with',
    views.planTextAnswer,
    requests.repoQuery,
  ),
  'POST /api/plans/{id}/pause': changes(
    'Pause a plan; with `now`, stop its workers too',
    requests.steerRequest,
    answers.steeredAnswer,
  ),
  'POST /api/plans/{id}/resume': changes(
    'Resume a paused plan',
    requests.steerRequest,
    answers.steeredAnswer,
  ),
  'POST /api/plans/{id}/cancel': changes(
    'Cancel a plan; what its workers wrote is saved',
    requests.steerRequest,
    answers.steeredAnswer,
  ),
  'POST /api/plans/{id}/sign': changes(
    'Sign off the release of a plan',
    requests.actRequest,
    views.signedAnswer,
  ),
  'GET /api/plans/{id}/tasks': reads(
    'Tasks of a plan, a page at a time',
    views.planTasksAnswer,
    requests.planTasksQuery,
  ),
  'GET /api/plans/{id}/graph': reads(
    'Every task of a plan as a card, with its dependencies',
    views.graphAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/timeline': reads(
    'Who worked when, gates and waits',
    views.timelineAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/budget': reads(
    'What a plan used, against its limits',
    views.budgetAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/forecast': reads(
    'Whether the plan would merge into its base branch',
    views.forecastAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/release': reads(
    'The release manifest of a plan',
    views.releaseAnswer,
    requests.repoQuery,
  ),
  'GET /api/tasks': reads('Tasks of all plans', views.tasksAnswer, requests.listQuery),
  'GET /api/tasks/{id}': reads('One task whole', task.taskAnswer, requests.taskQuery),
  'GET /api/tasks/{id}/diff': reads(
    'What a task changes, with the findings on its lines',
    task.diffAnswer,
    requests.taskQuery,
  ),
  'GET /api/trace': reads(
    'From requirements to tasks, tests and commits',
    views.traceAnswer,
    requests.traceQuery,
  ),
  'GET /api/progress': reads('A progress report of every open plan', answers.progressAnswer),
  // Workers: what people see and do, and what workers themselves send.
  'GET /api/workers': reads('Running workers', views.workersAnswer, requests.listQuery),
  'POST /api/workers': changes(
    'Watch a process that Bosun did not start',
    requests.adoptRequest,
    answers.workerRow,
  ),
  'GET /api/workers/{id}': reads('One worker whole', answers.workerAnswer, requests.repoQuery),
  'GET /api/workers/{id}/log': reads(
    'The transcript of a worker, a page at a time',
    workers.transcriptAnswer,
    requests.transcriptQuery,
  ),
  'GET /api/workers/{id}/journal': reads(
    'What happened to a worker',
    workers.journalAnswer,
    requests.journalQuery,
  ),
  'GET /api/workers/{id}/diff': reads(
    'What a worker has changed so far',
    task.diffAnswer,
    requests.repoQuery,
  ),
  'POST /api/workers/{id}/nudge': changes(
    'Ask a worker for a sign of life',
    requests.actRequest,
    workers.workerActionAnswer,
  ),
  'POST /api/workers/{id}/extend': changes(
    'Give a worker more time',
    requests.extendRequest,
    workers.workerActionAnswer,
  ),
  'POST /api/workers/{id}/instruct': changes(
    'Send a worker an instruction',
    requests.instructRequest,
    workers.instructedAnswer,
  ),
  'POST /api/workers/{id}/open': changes(
    'Take a worker over; it stops, and its task waits for the person',
    requests.actRequest,
    workers.openedAnswer,
  ),
  'POST /api/workers/{id}/kill': changes(
    'Stop a worker; what it wrote is saved first',
    requests.killRequest,
    answers.workerRow,
  ),
  'POST /api/workers/{id}/checkins': {
    summary: 'Report progress',
    caller: 'worker',
    body: checkinRequest,
    answer: answers.checkinAnswer,
    status: 202,
  },
  'POST /api/workers/{id}/requests': {
    summary: 'Ask for help, time, a decision or a permission',
    caller: 'worker',
    body: requests.workerRequest,
    answer: workers.channelAnswer,
    status: 202,
  },
  'POST /api/workers/{id}/reports': {
    summary: 'Hand in the report of the work',
    caller: 'worker',
    body: requests.workerReport,
    answer: workers.channelAnswer,
    status: 202,
  },
  'GET /api/workers/{id}/instructions': {
    summary: 'Take the messages that wait for the worker',
    caller: 'worker',
    answer: workers.instructionsAnswer,
  },
  'GET /mcp': {
    summary: 'MCP for workers: refused, since no stream is offered',
    caller: 'worker',
    answer: z.json(),
  },
  'POST /mcp': { summary: 'MCP for workers', caller: 'worker', body: z.json(), answer: z.json() },
  // What needs a person, how a request is understood, and the interview.
  'POST /api/session/codes': {
    summary: 'Make a code for a link to the page',
    caller: 'token',
    body: requests.codeRequest,
    answer: machine.codeAnswer,
  },
  'POST /api/session': {
    summary: 'Exchange a code for a page session',
    caller: 'anybody',
    body: requests.sessionRequest,
    answer: machine.sessionAnswer,
  },
  'POST /api/session/revoke': changes(
    'End this page session or every one',
    requests.revokeRequest,
    machine.revokeAnswer,
  ),
  'GET /api/inbox': reads('What needs a person', views.inboxAnswer, requests.listQuery),
  'GET /api/inbox/{id}': reads(
    'One item that needs a person, with its evidence',
    task.reviewAnswer,
    requests.repoQuery,
  ),
  'POST /api/inbox/{id}/answer': changes(
    'Answer what needs a person',
    requests.answerRequest,
    answers.answeredAnswer,
  ),
  'GET /api/permissions': reads(
    'Permissions that are remembered for a task or a plan',
    task.permissionsAnswer,
    requests.listQuery,
  ),
  'POST /api/permissions/{id}/revoke': changes(
    'Forget a remembered permission, so that it is asked again',
    requests.actRequest,
    task.revokedPermissionAnswer,
  ),
  'POST /api/intake': changes('Understand a request before anything is spent', intakeRequest, intakeAnswer),
  'POST /api/pm/start': changes(
    'Begin an interview, or continue one that ended with an error',
    pm.pmStartRequest,
    pm.pmStatus,
  ),
  'POST /api/pm/chat': changes('Send a message in the interview', pm.pmChatRequest, pm.pmStatus),
  'POST /api/pm/abandon': changes(
    'End the open interview; nothing of it goes on',
    pm.pmAbandonRequest,
    pm.pmStatus,
  ),
  'GET /api/pm/preview/outline': reads(
    'The spec as far as the interview has come',
    pm.outlineAnswer,
    pm.pmQuery,
  ),
  'GET /api/pm/chat': reads('The messages of the interview', pm.conversationAnswer, pm.pmChatQuery),
  'POST /api/pm/upload': changes('Upload a spec instead of an interview', pm.pmUploadRequest, pm.pmStatus),
  'GET /api/pm/preview/spec': reads('The spec as it would be submitted', pm.previewAnswer, pm.pmQuery),
  'POST /api/pm/preview/action': changes(
    'Continue the interview, or submit the spec',
    pm.pmActionRequest,
    pm.pmStatus,
  ),
  'GET /api/pm/status': reads('The interview of a repository', pm.pmStatus, pm.pmQuery),
} as const satisfies RouteTable

export type Routes = typeof ROUTES
export type RouteName = keyof Routes

/** What a success answers; of an event stream, one message. */
export type AnswerOf<R extends RouteName> = Wire<Routes[R]['answer']>

/** What a request sends; `undefined` where it has no body. */
export type BodyOf<R extends RouteName> = Routes[R] extends { readonly body: infer S extends z.ZodType }
  ? Frozen<z.input<S>>
  : undefined

/** The query of a request by its keys; `undefined` where it has none. Numbers and texts are sent as text. */
export type QueryOf<R extends RouteName> = Routes[R] extends { readonly query: infer S extends z.ZodType }
  ? { readonly [K in keyof z.input<S>]: K extends keyof z.output<S> ? z.output<S>[K] | undefined : never }
  : undefined
