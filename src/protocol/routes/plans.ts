/** Plans, tasks and releases. */
import * as answers from '../answers.ts'
import { diffAnswer, taskAnswer } from '../task-answer.ts'
import { plansAnswer, tasksAnswer, changes, reads, type RouteTable } from './route-document.ts'
import { listQuery } from '../requests.ts'
import * as views from '../plan-views.ts'
import { forecastAnswer, releaseAnswer, signedAnswer, traceAnswer } from '../plan-views.ts'
import * as requests from '../requests.ts'

export const PLAN_ROUTES = {
  'GET /api/plans': reads('Plans', plansAnswer, listQuery),
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
  'POST /api/plans/{id}/sign': changes('Sign off the release of a plan', requests.actRequest, signedAnswer),
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
    forecastAnswer,
    requests.repoQuery,
  ),
  'GET /api/plans/{id}/release': reads('The release manifest of a plan', releaseAnswer, requests.repoQuery),
  'GET /api/tasks': reads('Tasks of all plans', tasksAnswer, listQuery),
  'GET /api/tasks/{id}': reads('One task whole', taskAnswer, requests.taskQuery),
  'GET /api/tasks/{id}/diff': reads(
    'What a task changes, with the findings on its lines',
    diffAnswer,
    requests.taskQuery,
  ),
  'GET /api/trace': reads('From requirements to tasks, tests and commits', traceAnswer, requests.traceQuery),
  'GET /api/progress': reads('A progress report of every open plan', answers.progressAnswer),
} as const satisfies RouteTable
