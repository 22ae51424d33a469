/** What needs a person, how a request is understood, and the interview. */
import * as answers from '../answers.ts'
import { intakeAnswer, intakeRequest } from '../intake.ts'
import * as pm from '../interview.ts'
import { inboxAnswer } from './lists.ts'
import { listQuery } from '../paging.ts'
import { permissionsAnswer, revokedPermissionAnswer } from '../permissions.ts'
import * as requests from '../requests.ts'
import { reviewAnswer } from '../review-answer.ts'
import * as session from '../session.ts'
import type { RouteTable } from './route-document.ts'

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
  'POST /api/session/revoke': {
    summary: 'End this page session or every one',
    caller: 'user',
    body: requests.revokeRequest,
    answer: session.revokeAnswer,
  },
  'GET /api/inbox': { summary: 'What needs a person', caller: 'user', query: listQuery, answer: inboxAnswer },
  'GET /api/inbox/{id}': {
    summary: 'One item that needs a person, with its evidence',
    caller: 'user',
    query: requests.repoQuery,
    answer: reviewAnswer,
  },
  'POST /api/inbox/{id}/answer': {
    summary: 'Answer what needs a person',
    caller: 'user',
    body: requests.answerRequest,
    answer: answers.answeredAnswer,
  },
  'GET /api/permissions': {
    summary: 'Permissions that are remembered for a task or a plan',
    caller: 'user',
    query: listQuery,
    answer: permissionsAnswer,
  },
  'POST /api/permissions/{id}/revoke': {
    summary: 'Forget a remembered permission, so that it is asked again',
    caller: 'user',
    body: requests.revokePermissionRequest,
    answer: revokedPermissionAnswer,
  },
  'POST /api/intake': {
    summary: 'Understand a request before anything is spent',
    caller: 'user',
    body: intakeRequest,
    answer: intakeAnswer,
  },
  'POST /api/pm/start': {
    summary: 'Begin an interview, or continue one that ended with an error',
    caller: 'user',
    body: pm.pmStartRequest,
    answer: pm.pmStatus,
  },
  'POST /api/pm/chat': {
    summary: 'Send a message in the interview',
    caller: 'user',
    body: pm.pmChatRequest,
    answer: pm.pmStatus,
  },
  'POST /api/pm/abandon': {
    summary: 'End the open interview; nothing of it goes on',
    caller: 'user',
    body: pm.pmAbandonRequest,
    answer: pm.pmStatus,
  },
  'GET /api/pm/preview/outline': {
    summary: 'The spec as far as the interview has come',
    caller: 'user',
    query: pm.pmQuery,
    answer: pm.outlineAnswer,
  },
  'GET /api/pm/chat': {
    summary: 'The messages of the interview',
    caller: 'user',
    query: pm.pmChatQuery,
    answer: pm.conversationAnswer,
  },
  'POST /api/pm/upload': {
    summary: 'Upload a spec instead of an interview',
    caller: 'user',
    body: pm.pmUploadRequest,
    answer: pm.pmStatus,
  },
  'GET /api/pm/preview/spec': {
    summary: 'The spec as it would be submitted',
    caller: 'user',
    query: pm.pmQuery,
    answer: pm.previewAnswer,
  },
  'POST /api/pm/preview/action': {
    summary: 'Continue the interview, or submit the spec',
    caller: 'user',
    body: pm.pmActionRequest,
    answer: pm.pmStatus,
  },
  'GET /api/pm/status': {
    summary: 'The interview of a repository',
    caller: 'user',
    query: pm.pmQuery,
    answer: pm.pmStatus,
  },
} as const satisfies RouteTable
