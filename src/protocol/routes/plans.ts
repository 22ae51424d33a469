/** Plans, tasks and releases. */
import * as answers from '../answers.ts'
import { diffAnswer } from '../diff-answer.ts'
import { plansAnswer, tasksAnswer } from './lists.ts'
import { listQuery } from '../paging.ts'
import * as views from '../plan-views.ts'
import { forecastAnswer, releaseAnswer, signedAnswer } from '../release-answer.ts'
import * as requests from '../requests.ts'
import { taskAnswer } from '../task-answer.ts'
import { traceAnswer } from '../trace-answer.ts'
import type { RouteTable } from './route-document.ts'

export const PLAN_ROUTES = {
  'GET /api/plans': { summary: 'Plans', caller: 'user', query: listQuery, answer: plansAnswer },
  'POST /api/plans': {
    summary: 'Register a plan, attach to it, or edit it',
    caller: 'user',
    body: requests.registerRequest,
    answer: answers.registeredAnswer,
  },
  'GET /api/plans/{id}': {
    summary: 'One plan with its tasks, workers and inbox',
    caller: 'user',
    query: requests.repoQuery,
    answer: answers.planAnswer,
  },
  'GET /api/plans/{id}/text': {
    summary: 'The text of a plan, and its version: what an edit begins with',
    caller: 'user',
    query: requests.repoQuery,
    answer: views.planTextAnswer,
  },
  'POST /api/plans/{id}/pause': {
    summary: 'Pause a plan; with `now`, stop its workers too',
    caller: 'user',
    body: requests.steerRequest,
    answer: answers.steeredAnswer,
  },
  'POST /api/plans/{id}/resume': {
    summary: 'Resume a paused plan',
    caller: 'user',
    body: requests.steerRequest,
    answer: answers.steeredAnswer,
  },
  'POST /api/plans/{id}/cancel': {
    summary: 'Cancel a plan; what its workers wrote is saved',
    caller: 'user',
    body: requests.steerRequest,
    answer: answers.steeredAnswer,
  },
  'POST /api/plans/{id}/sign': {
    summary: 'Sign off the release of a plan',
    caller: 'user',
    body: requests.signRequest,
    answer: signedAnswer,
  },
  'GET /api/plans/{id}/tasks': {
    summary: 'Tasks of a plan, a page at a time',
    caller: 'user',
    query: requests.planTasksQuery,
    answer: views.planTasksAnswer,
  },
  'GET /api/plans/{id}/graph': {
    summary: 'Every task of a plan as a card, with its dependencies',
    caller: 'user',
    query: requests.repoQuery,
    answer: views.graphAnswer,
  },
  'GET /api/plans/{id}/timeline': {
    summary: 'Who worked when, gates and waits',
    caller: 'user',
    query: requests.repoQuery,
    answer: views.timelineAnswer,
  },
  'GET /api/plans/{id}/budget': {
    summary: 'What a plan used, against its limits',
    caller: 'user',
    query: requests.repoQuery,
    answer: views.budgetAnswer,
  },
  'GET /api/plans/{id}/forecast': {
    summary: 'Whether the plan would merge into its base branch',
    caller: 'user',
    query: requests.repoQuery,
    answer: forecastAnswer,
  },
  'GET /api/plans/{id}/release': {
    summary: 'The release manifest of a plan',
    caller: 'user',
    query: requests.repoQuery,
    answer: releaseAnswer,
  },
  'GET /api/tasks': { summary: 'Tasks of all plans', caller: 'user', query: listQuery, answer: tasksAnswer },
  'GET /api/tasks/{id}': {
    summary: 'One task whole',
    caller: 'user',
    query: requests.taskQuery,
    answer: taskAnswer,
  },
  'GET /api/tasks/{id}/diff': {
    summary: 'What a task changes, with the findings on its lines',
    caller: 'user',
    query: requests.taskQuery,
    answer: diffAnswer,
  },
  'GET /api/trace': {
    summary: 'From requirements to tasks, tests and commits',
    caller: 'user',
    query: requests.traceQuery,
    answer: traceAnswer,
  },
  'GET /api/progress': {
    summary: 'A progress report of every open plan',
    caller: 'user',
    answer: answers.progressAnswer,
  },
} as const satisfies RouteTable
