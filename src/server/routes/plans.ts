import { forecastBase } from '../../app/plans/forecast-base.ts'
import { listPlans, listTasks } from '../../app/plans/list-pages.ts'
import { reportOfPlan } from '../../app/plans/plan-status.ts'
import { progressOf } from '../../app/plans/progress.ts'
import { showTask } from '../../app/plans/show-task.ts'
import { steerPlan, STEERINGS } from '../../app/plans/steer-plan.ts'
import { showRelease } from '../../app/releases/show-release.ts'
import { signRelease } from '../../app/releases/sign-release.ts'
import type { PlanAnswer, ProgressAnswer } from '../../protocol/answers.ts'
import { listQuery } from '../../protocol/paging.ts'
import type { GraphAnswer } from '../../protocol/plan-views.ts'
import type { ForecastAnswer } from '../../protocol/release-answer.ts'
import type { TaskAnswer } from '../../protocol/task-answer.ts'
import {
  planTasksQuery,
  registerRequest,
  repoQuery,
  signRequest,
  steerRequest,
  taskQuery,
  traceQuery,
} from '../../protocol/requests.ts'
import type { Door } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readBody, readQuery } from '../read-request.ts'
import type { Routes } from '../routing.ts'

export function planReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/plans', (c) => c.json(listPlans(host, readQuery(c, listQuery))))

  routes.get('/tasks', (c) => c.json(listTasks(host, readQuery(c, listQuery))))

  routes.get('/tasks/:id', async (c) => {
    const { repo, plan } = readQuery(c, taskQuery)
    const repository = await host.repositoryAt(repo)
    const task = await showTask(host, { id: c.param('id'), plan, repository })
    return c.json(task satisfies TaskAnswer)
  })

  routes.get('/tasks/:id/diff', async (c) => {
    const { repo, plan } = readQuery(c, taskQuery)
    const repository = await host.repositoryAt(repo)
    const { taskDiff } = await import('../../app/plans/task-diff.ts')
    return c.json(await taskDiff(host, { id: c.param('id'), plan, repository }))
  })

  routes.get('/trace', async (c) => {
    const { repo, plan, requirement } = readQuery(c, traceQuery)
    const repository = await host.repositoryAt(repo)
    // It reads plans and specs, whose readers are loaded when they are needed (bench/idle-memory).
    const { traceRequirement } = await import('../../app/plans/trace-requirement.ts')
    return c.json(await traceRequirement(host, { requirement, plan, repository }))
  })

  routes.get('/progress', (c) => c.json({ progress: progressOf(host) } satisfies ProgressAnswer))

  routes.get('/plans/:id', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const seq = await host.parts.log.head()
    const plan = await host.find(c.param('id'), repository)
    return c.json({ ...reportOfPlan(host, plan), seq } satisfies PlanAnswer)
  })

  routes.get('/plans/:id/release', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    return c.json(await showRelease(host, c.param('id'), repository))
  })

  // The views of the page are loaded when it is open (bench/idle-memory).
  routes.get('/plans/:id/tasks', async (c) => {
    const { repo, ...wanted } = readQuery(c, planTasksQuery)
    const plan = await host.find(c.param('id'), await host.repositoryAt(repo))
    const { planTasks } = await import('../../app/plan-views/plan-tasks.ts')
    return c.json(planTasks(plan, wanted, host.parts.clock.now()))
  })

  routes.get('/plans/:id/graph', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const { planGraph } = await import('../../app/plan-views/plan-graph.ts')
    const seq = await host.parts.log.head()
    const plan = await host.find(c.param('id'), repository)
    return c.json({ ...planGraph(host, plan), seq } satisfies GraphAnswer)
  })

  routes.get('/plans/:id/timeline', async (c) => {
    const plan = await host.find(c.param('id'), await host.repositoryAt(readQuery(c, repoQuery).repo))
    const { planTimeline } = await import('../../app/plan-views/plan-timeline.ts')
    return c.json(await planTimeline(host, plan))
  })

  routes.get('/plans/:id/budget', async (c) => {
    const plan = await host.find(c.param('id'), await host.repositoryAt(readQuery(c, repoQuery).repo))
    const { planBudget } = await import('../../app/plan-views/plan-budget.ts')
    return c.json(await planBudget(host, plan))
  })

  routes.get('/plans/:id/forecast', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const plan = await host.find(c.param('id'), repository)
    return c.json({ forecast: await forecastBase(plan.world) } satisfies ForecastAnswer)
  })
}

export function planRoutes(routes: Routes, { host }: Door): void {
  routes.post('/plans/:id/sign', async (c) => {
    const { repo, by } = await readBody(c, signRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await signRelease(host, { plan: c.param('id'), repository, by }))
  })

  routes.post('/plans', async (c) => {
    const request = await readBody(c, registerRequest)
    // The readers of plans are loaded with the first one (bench/idle-memory).
    const { registerFrom } = await import('./register-from.ts')
    return c.json(await registerFrom(host, request))
  })

  for (const what of STEERINGS) {
    routes.post(`/plans/:id/${what}`, async (c) => {
      const { repo, ...request } = await readBody(c, steerRequest)
      const repository = await host.repositoryAt(repo)
      return c.json(await steerPlan(host, { what, plan: c.param('id'), repository, ...request }))
    })
  }
}
