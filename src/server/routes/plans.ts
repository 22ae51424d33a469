/** Plans, tasks and releases. */
import { planBudget, planGraph, planTasks, planTimeline } from '../../app/plans/plan-views.ts'
import { readDocument } from '../../app/host/plan-place.ts'
import { forecastBase } from '../../app/plans/forecast-base.ts'
import { listPlans, listTasks, reportOfPlan, progressOf } from '../../app/plans/plan-status.ts'
import { showTask } from '../../app/plans/show-task.ts'
import { steerPlan, type Steering } from '../../app/plans/steer-plan.ts'
import { taskDiff } from '../../app/plans/task-diff.ts'
import { showRelease, signRelease } from '../../app/releases/show-release.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { jsonHandlers, subjectOf, type Call } from '../routing.ts'

export const planReadings = ({ host }: ReadingDoor) => {
  const planOf = async (id: string, repo: string | undefined) => host.find(id, await host.repositoryAt(repo))
  return jsonHandlers({
    'GET /api/plans': ({ query }) => listPlans(host, query),
    'GET /api/tasks': ({ query }) => listTasks(host, query),
    'GET /api/tasks/{id}': async ({ id, query }) => showTask(host, await subjectOf(host, id, query)),
    'GET /api/tasks/{id}/diff': async ({ id, query }) => taskDiff(host, await subjectOf(host, id, query)),
    'GET /api/trace': async ({ query: { repo, ...asked } }) => {
      // It reads plans and specs, whose readers take long to load.
      const { traceRequirement } = await import('../../app/plans/trace-requirement.ts')
      return traceRequirement(host, { ...asked, repository: await host.repositoryAt(repo) })
    },
    'GET /api/progress': () => ({ progress: progressOf(host) }),
    'GET /api/plans/{id}/text': async ({ id, query: { repo } }) => {
      const { home, state } = await planOf(id, repo)
      const document = await readDocument(host.parts.log, home.stream, state.documentedAt)
      if (document === null) throw new Error('the text of the plan was not kept')
      return { text: document.text, version: state.documentedAt }
    },
    'GET /api/plans/{id}': async ({ id, query: { repo } }) => {
      const seq = await host.parts.log.head()
      return { ...reportOfPlan(host, await planOf(id, repo)), seq }
    },
    'GET /api/plans/{id}/release': async ({ id, query: { repo } }) =>
      showRelease(host, id, await host.repositoryAt(repo)),
    'GET /api/plans/{id}/tasks': async ({ id, query: { repo, ...wanted } }) =>
      planTasks(await planOf(id, repo), wanted, host.parts.clock.now()),
    'GET /api/plans/{id}/graph': async ({ id, query: { repo } }) => {
      const seq = await host.parts.log.head()
      return { ...planGraph(host, await planOf(id, repo)), seq }
    },
    'GET /api/plans/{id}/timeline': async ({ id, query: { repo } }) =>
      planTimeline(host, await planOf(id, repo)),
    'GET /api/plans/{id}/budget': async ({ id, query: { repo } }) => planBudget(host, await planOf(id, repo)),
    'GET /api/plans/{id}/forecast': async ({ id, query: { repo } }) => {
      const { world } = await planOf(id, repo)
      return { forecast: await forecastBase(world) }
    },
  })
}

export const planRoutes = ({ host }: Door) => {
  const steer =
    (what: Steering) =>
    async ({ id, body: { repo, ...request } }: Pick<Call<'POST /api/plans/{id}/pause'>, 'id' | 'body'>) =>
      steerPlan(host, { what, plan: id, repository: await host.repositoryAt(repo), ...request })
  return jsonHandlers({
    'POST /api/plans': async ({ body, request }) => {
      // With the readers of plans.
      const { registerFrom } = await import('./register-from.ts')
      return registerFrom(host, body, request.origin?.())
    },
    'POST /api/plans/{id}/pause': steer('pause'),
    'POST /api/plans/{id}/resume': steer('resume'),
    'POST /api/plans/{id}/cancel': steer('cancel'),
    'POST /api/plans/{id}/sign': async ({ id, body: { repo, by }, request }) =>
      signRelease(host, {
        plan: id,
        repository: await host.repositoryAt(repo),
        by,
        origin: request.origin?.(),
      }),
  })
}
