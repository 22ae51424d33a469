/** Workers: what people see and do, and what workers themselves send. */
import { z } from 'zod'
import * as answers from '../answers.ts'
import { diffAnswer } from '../diff-answer.ts'
import { workersAnswer } from './lists.ts'
import { listQuery } from '../paging.ts'
import * as requests from '../requests.ts'
import { transcriptAnswer } from '../transcript-answer.ts'
import * as worker from '../worker-views.ts'
import type { RouteTable } from './route-document.ts'

/** Its format is docs/schemas/checkin.schema.json; what is wrong with one is answered with its key. */
const checkinRequest = z.record(z.string(), z.json())

export const WORKER_ROUTES = {
  'GET /api/workers': { summary: 'Running workers', caller: 'user', query: listQuery, answer: workersAnswer },
  'POST /api/workers': {
    summary: 'Watch a process that Bosun did not start',
    caller: 'user',
    body: requests.adoptRequest,
    answer: answers.workerRow,
  },
  'GET /api/workers/{id}': {
    summary: 'One worker whole',
    caller: 'user',
    query: requests.repoQuery,
    answer: answers.workerAnswer,
  },
  'GET /api/workers/{id}/log': {
    summary: 'The transcript of a worker, a page at a time',
    caller: 'user',
    query: requests.transcriptQuery,
    answer: transcriptAnswer,
  },
  'GET /api/workers/{id}/journal': {
    summary: 'What happened to a worker',
    caller: 'user',
    query: requests.journalQuery,
    answer: worker.journalAnswer,
  },
  'GET /api/workers/{id}/diff': {
    summary: 'What a worker has changed so far',
    caller: 'user',
    query: requests.repoQuery,
    answer: diffAnswer,
  },
  'POST /api/workers/{id}/nudge': {
    summary: 'Ask a worker for a sign of life',
    caller: 'user',
    body: requests.nudgeRequest,
    answer: worker.workerActionAnswer,
  },
  'POST /api/workers/{id}/extend': {
    summary: 'Give a worker more time',
    caller: 'user',
    body: requests.extendRequest,
    answer: worker.workerActionAnswer,
  },
  'POST /api/workers/{id}/instruct': {
    summary: 'Send a worker an instruction',
    caller: 'user',
    body: requests.instructRequest,
    answer: worker.instructedAnswer,
  },
  'POST /api/workers/{id}/open': {
    summary: 'Take a worker over; it stops, and its task waits for the person',
    caller: 'user',
    body: requests.openRequest,
    answer: worker.openedAnswer,
  },
  'POST /api/workers/{id}/kill': {
    summary: 'Stop a worker; what it wrote is saved first',
    caller: 'user',
    body: requests.killRequest,
    answer: answers.workerRow,
  },
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
    answer: worker.channelAnswer,
    status: 202,
  },
  'POST /api/workers/{id}/reports': {
    summary: 'Hand in the report of the work',
    caller: 'worker',
    body: requests.workerReport,
    answer: worker.channelAnswer,
    status: 202,
  },
  'GET /api/workers/{id}/instructions': {
    summary: 'Take the messages that wait for the worker',
    caller: 'worker',
    answer: worker.instructionsAnswer,
  },
  'GET /mcp': {
    summary: 'MCP for workers: refused, since no stream is offered',
    caller: 'worker',
    answer: z.json(),
  },
  'POST /mcp': { summary: 'MCP for workers', caller: 'worker', body: z.json(), answer: z.json() },
} as const satisfies RouteTable
