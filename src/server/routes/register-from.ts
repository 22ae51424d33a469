/** Registers a plan, or an edit of it, from the text that a command sent. */
import { userInfo } from 'node:os'
import type { z } from 'zod'
import type { Host } from '../../app/host/host.ts'
import { estimatePlan } from '../../app/intake/recent-history.ts'
import { reportOfPlan } from '../../app/plans/plan-status.ts'
import { readPlanFile, type PlanReading } from '../../app/plans/read-plan.ts'
import { registerPlan } from '../../app/plans/register-plan.ts'
import { callerEnvironment } from '../../config/caller-environment.ts'
import { readSettings } from '../../config/read-settings.ts'
import { findWorkTree } from '../../config/repository.ts'
import type { Settings } from '../../core/settings/settings.ts'
import type { Origin } from '../../core/event-schemas/origin.ts'
import { usageRefusal } from '../../lib/refusal.ts'
import type { RegisteredAnswer } from '../../protocol/answers.ts'
import type { registerRequest } from '../../protocol/requests.ts'

export async function registerFrom(
  host: Host,
  request: z.output<typeof registerRequest>,
  origin?: Origin,
): Promise<RegisteredAnswer> {
  const { cwd, path, text, design, by = userInfo().username, expected_version: expectedVersion } = request
  const [repository, settings] = await Promise.all([findWorkTree(cwd), readSettings(cwd)])
  const edited = request.plan
  const environment =
    request.environment ?? (edited === undefined ? callerEnvironment(settings, process.env) : undefined)
  const nothing = (): Promise<Uint8Array> => Promise.resolve(new Uint8Array())
  const asked = { path, text, cwd, env: process.env, repository, settings, design, readInput: nothing }
  const reading = await readPlanFile(asked)
  if (edited !== undefined) refuseOtherPlan(edited, reading)
  const estimate = (tasks: number): Promise<string> => estimatePlan(host, tasks)
  const proposal =
    request.propose === true ? { estimate: await estimate(reading.plan.tasks.length) } : undefined
  const seq = await host.parts.log.head()
  const asking = {
    reading,
    settings,
    repository,
    by,
    expectedVersion,
    environment,
    proposal,
    estimate,
    origin,
  }
  const { plan, how, notices, changes = null } = await registerPlan(host, asking)
  const warnings = reading.plan.problems.map(({ file, line, message, remedy }) => ({
    file,
    line,
    message,
    remedy,
  }))
  const side_by_side = couldRunAtOnce(reading.figures, settings)
  return {
    ...reportOfPlan(host, plan),
    seq,
    how,
    changes,
    side_by_side,
    warnings,
    notices,
  }
}

/** An edit whose text names another plan would start that one, and leave the plan that was edited as it is. */
function refuseOtherPlan(edited: string, { plan }: PlanReading): void {
  const { id } = plan.header
  if (id === edited) return
  throw usageRefusal(
    `this is an edit of plan ${edited}, and its text names plan ${id}`,
    `Keep the id of the plan (plan: ${edited}).`,
  )
}

/** How many tasks could run in parallel with more parallel tiers; null if no more. */
function couldRunAtOnce(
  { sideBySide, sideBySideWidened }: PlanReading['figures'],
  { pm }: Settings,
): number | null {
  const widened = Math.min(sideBySideWidened, pm.max_parallel_agents)
  return widened > Math.max(sideBySide, 1) ? widened : null
}
