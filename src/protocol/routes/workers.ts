/** Workers: what people see and do, and what workers themselves send. */
import { z } from 'zod'
import * as answers from '../answers.ts'
import { diffAnswer } from '../task-answer.ts'
import { workersAnswer, changes, reads, type RouteTable } from './route-document.ts'
import { listQuery } from '../requests.ts'
import * as requests from '../requests.ts'
import { transcriptAnswer } from '../worker-views.ts'
import * as worker from '../worker-views.ts'

/** Its format is docs/schemas/checkin.schema.json; what is wrong with one is answered with its key. */
const checkinRequest = z.record(z.string(), z.json())

export const WORKER_ROUTES = {
  'GET /api/workers': reads('Running workers', workersAnswer, listQuery),
  'POST /api/workers': changes(
    'Watch a process that Bosun did not start',
    requests.adoptRequest,
    answers.workerRow,
  ),
  'GET /api/workers/{id}': reads('One worker whole', answers.workerAnswer, requests.repoQuery),
  'GET /api/workers/{id}/log': reads(
    'The transcript of a worker, a page at a time',
    transcriptAnswer,
    requests.transcriptQuery,
  ),
  'GET /api/workers/{id}/journal': reads(
    'What happened to a worker',
    worker.journalAnswer,
    requests.journalQuery,
  ),
  'GET /api/workers/{id}/diff': reads('What a worker has changed so far', diffAnswer, requests.repoQuery),
  'POST /api/workers/{id}/nudge': changes(
    'Ask a worker for a sign of life',
    requests.actRequest,
    worker.workerActionAnswer,
  ),
  'POST /api/workers/{id}/extend': changes(
    'Give a worker more time',
    requests.extendRequest,
    worker.workerActionAnswer,
  ),
  'POST /api/workers/{id}/instruct': changes(
    'Send a worker an instruction',
    requests.instructRequest,
    worker.instructedAnswer,
  ),
  'POST /api/workers/{id}/open': changes(
    'Take a worker over; it stops, and its task waits for the person',
    requests.actRequest,
    worker.openedAnswer,
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
