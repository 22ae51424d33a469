/** What needs a person, how a request is understood, and the interview. */
import * as answers from '../answers.ts'
import { intakeAnswer, intakeRequest } from '../intake.ts'
import * as pm from '../interview.ts'
import { inboxAnswer, changes, reads, type RouteTable } from './route-document.ts'
import { listQuery } from '../requests.ts'
import { permissionsAnswer, revokedPermissionAnswer, reviewAnswer } from '../task-answer.ts'
import * as requests from '../requests.ts'
import * as session from '../machine-answer.ts'

export const PEOPLE_ROUTES = {
  'POST /api/session/codes': {
    summary: 'Make a code for a link to the page',
    caller: 'token',
    body: requests.codeRequest,
    answer: session.codeAnswer,
  },
  'POST /api/session': {
    summary: 'Exchange a code for a page session',
    caller: 'anybody',
    body: requests.sessionRequest,
    answer: session.sessionAnswer,
  },
  'POST /api/session/revoke': changes(
    'End this page session or every one',
    requests.revokeRequest,
    session.revokeAnswer,
  ),
  'GET /api/inbox': reads('What needs a person', inboxAnswer, listQuery),
  'GET /api/inbox/{id}': reads(
    'One item that needs a person, with its evidence',
    reviewAnswer,
    requests.repoQuery,
  ),
  'POST /api/inbox/{id}/answer': changes(
    'Answer what needs a person',
    requests.answerRequest,
    answers.answeredAnswer,
  ),
  'GET /api/permissions': reads(
    'Permissions that are remembered for a task or a plan',
    permissionsAnswer,
    listQuery,
  ),
  'POST /api/permissions/{id}/revoke': changes(
    'Forget a remembered permission, so that it is asked again',
    requests.actRequest,
    revokedPermissionAnswer,
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
