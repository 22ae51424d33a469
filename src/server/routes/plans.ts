import { userInfo } from 'node:os'
import { forecastBase } from '../../app/plans/forecast-base.ts'
import { allPlanRows, reportOfPlan, statusOfPlans } from '../../app/plans/plan-status.ts'
import { readPlanFile, type PlanReading } from '../../app/plans/read-plan.ts'
import { registerPlan } from '../../app/plans/register-plan.ts'
import { progressOf } from '../../app/plans/progress.ts'
import { showTask } from '../../app/plans/show-task.ts'
import { showRelease } from '../../app/releases/show-release.ts'
import { signRelease } from '../../app/releases/sign-release.ts'
import { steerPlan, STEERINGS } from '../../app/plans/steer-plan.ts'
import { callerEnvironment } from '../../config/caller-environment.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findWorkTree } from '../../config/repository.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { ForecastAnswer, PlanAnswer, ProgressAnswer, RegisteredAnswer } from '../../protocol/answers.ts'
import type { TaskAnswer } from '../../protocol/task-answer.ts'
import { registerRequest, repoQuery, signRequest, steerRequest, taskQuery } from '../../protocol/requests.ts'
import type { Door, Routes } from '../app.ts'
import type { ReadingDoor } from '../reading-routes.ts'
import { readBody, readQuery } from '../read-request.ts'

export function planReadings(routes: Routes, { host }: ReadingDoor): void {
  routes.get('/plans', (c) => c.json({ plans: allPlanRows(host) }))

  routes.get('/tasks', (c) => c.json({ tasks: statusOfPlans(host).tasks }))

  routes.get('/tasks/:id', async (c) => {
    const { repo, plan } = readQuery(c, taskQuery)
    const repository = await host.repositoryAt(repo)
    const task = await showTask(host, { id: c.req.param('id'), plan, repository })
    return c.json(task satisfies TaskAnswer)
  })

  routes.get('/progress', (c) => c.json({ progress: progressOf(host) } satisfies ProgressAnswer))

  routes.get('/plans/:id', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const seq = await host.parts.log.head()
    const plan = await host.find(c.req.param('id'), repository)
    return c.json({ ...reportOfPlan(host, plan), seq } satisfies PlanAnswer)
  })

  routes.get('/plans/:id/release', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    return c.json(await showRelease(host, c.req.param('id'), repository))
  })

  routes.get('/plans/:id/forecast', async (c) => {
    const repository = await host.repositoryAt(readQuery(c, repoQuery).repo)
    const plan = await host.find(c.req.param('id'), repository)
    return c.json({ forecast: await forecastBase(plan.world) } satisfies ForecastAnswer)
  })
}

export function planRoutes(routes: Routes, { host }: Door): void {
  routes.post('/plans/:id/sign', async (c) => {
    const { repo, by } = await readBody(c, signRequest)
    const repository = await host.repositoryAt(repo)
    return c.json(await signRelease(host, { plan: c.req.param('id'), repository, by }))
  })

  routes.post('/plans', async (c) => {
    const request = await readBody(c, registerRequest)
    const { cwd, path, text, design, by = userInfo().username } = request
    const [repository, settings] = await Promise.all([findWorkTree(cwd), readSettings(cwd)])
    const environment = request.environment ?? callerEnvironment(settings, process.env)
    const nothing = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array())
    const asked = { path, text, cwd, env: process.env, repository, settings, design, readInput: nothing }
    const reading = await readPlanFile(asked)
    const seq = await host.parts.log.head()
    const asking = { reading, settings, repository, by, environment }
    const { plan, how, notices, changes = null } = await registerPlan(host, asking)
    const warnings = reading.plan.problems.map(({ file, line, message, remedy }) => ({
      file,
      line,
      message,
      remedy,
    }))
    const side_by_side = couldRunAtOnce(reading.figures, settings)
    return c.json({
      ...reportOfPlan(host, plan),
      seq,
      how,
      changes,
      side_by_side,
      warnings,
      notices,
    } satisfies RegisteredAnswer)
  })

  for (const what of STEERINGS) {
    routes.post(`/plans/:id/${what}`, async (c) => {
      const { repo, ...request } = await readBody(c, steerRequest)
      const repository = await host.repositoryAt(repo)
      return c.json(await steerPlan(host, { what, plan: c.req.param('id'), repository, ...request }))
    })
  }
}

/** How many tasks could run in parallel with more parallel tiers; null if no more. */
function couldRunAtOnce(
  { sideBySide, sideBySideWidened }: PlanReading['figures'],
  { pm }: Settings,
): number | null {
  const widened = Math.min(sideBySideWidened, pm.max_parallel_agents)
  return widened > Math.max(sideBySide, 1) ? widened : null
}
