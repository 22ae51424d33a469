/** Pauses, resumes and cancels plans: the named one, or those of the current repository. */
import type { Steering } from '../../app/plans/steer-plan.ts'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal, usageRefusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { PlanRow, StatusAnswer, SteeredAnswer } from '../../protocol/answers.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { callerName, repoHere } from '../caller.ts'
import type { WritableLog } from '../services.ts'

const DONE = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' } as const
const ALREADY = {
  pause: 'is already paused',
  resume: 'is not paused',
  cancel: 'is already cancelled',
} as const

export async function steer(call: Call, what: Steering): Promise<CommandResult> {
  // Pause and cancel start no daemon: it would run the plan first.
  const isOffline =
    what !== 'resume' && !call.flag('damaged') && (await call.services.runningDaemon()) === null
  const offline = isOffline ? await steerOffline(call, what) : null
  const steered = offline ?? (await steerByDaemon(call, what))
  const lines = steered.map(
    ({ plan, changed }) => `${plan} ${changed ? `is ${DONE[what]}` : ALREADY[what]}\n`,
  )
  const unloaded = what === 'resume' && lines.length === 0 ? await unloadedPlans(call) : []
  return resultOf({ plans: steered }, lines.join('') || nothingText(what, unloaded))
}

type UnloadedPlan = Pick<StatusAnswer['unreadable'][number], 'plan' | 'why'>

const unloadedPlans = async (call: Call): Promise<readonly UnloadedPlan[]> =>
  (await (await call.services.daemon()).get('/api/status')).unreadable

/** Plans that failed to load cannot be steered, so they are listed. */
export function nothingText(what: Steering, unloaded: readonly UnloadedPlan[]): string {
  const lines = unloaded.map(({ plan, why }) => `cannot load ${terminalLine(plan)}: ${terminalLine(why)}\n`)
  const next = lines.length === 0 ? '' : 'for the options, run: bosun inbox\n'
  return `nothing to ${what}\n${lines.join('')}${next}`
}

async function steerByDaemon(call: Call, what: Steering): Promise<readonly SteeredAnswer[]> {
  const daemon = await call.services.daemon()
  const request = await requestBody(call)
  const [named] = call.args
  const plans = named === undefined ? await plansHere(daemon, request.repo, what) : [named]
  const steered: SteeredAnswer[] = []
  for (const plan of plans) steered.push(await daemon.post(`/api/plans/{id}/${what}`, request, { id: plan }))
  return steered
}

/** Null where a daemon has started in the meantime. */
async function steerOffline(call: Call, what: Steering): Promise<readonly SteeredAnswer[] | null> {
  const { steerWithoutDaemon } = await import('../../app/plans/steer-plan.ts')
  const { repo, ...body } = await requestBody(call)
  const [named] = call.args
  const plans = named === undefined ? await openPlans(call, repo, what) : [named]
  await using opened = await openLogIfFree(call)
  if (opened === null) return null
  const steered: SteeredAnswer[] = []
  for (const plan of plans) {
    const request = { what, plan, repository: repo, at: Date.now(), ...body }
    const { repository, workers, ...done } = await steerWithoutDaemon(opened, request)
    const cause = what === 'pause' ? 'paused' : 'cancelled'
    if (repository !== null) await call.services.stopOrphans(repository, workers, cause)
    steered.push(done)
  }
  return steered
}

async function openPlans(call: Call, repo: string | undefined, what: Steering): Promise<readonly string[]> {
  await using from = await call.services.reading()
  return await plansHere(from, repo, what)
}

async function openLogIfFree(call: Call): Promise<WritableLog | null> {
  try {
    return await call.services.openLogToWrite('steer')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return null
    throw error
  }
}

async function requestBody(call: Call) {
  return {
    by: callerName(call),
    reason: call.option('reason') ?? '',
    repo: await repoHere(call),
    now: call.flag('now'),
    damaged: call.flag('damaged'),
  }
}

/** The open plans of this repository, or of all outside one. Cancelling with several open plans requires a name. */
async function plansHere(
  daemon: Pick<Daemon, 'get'>,
  repo: string | undefined,
  what: Steering,
): Promise<readonly string[]> {
  const { plans } = await daemon.get('/api/plans')
  const isOpen = ({ state }: PlanRow): boolean => state !== 'done' && state !== 'damaged'
  const open = plans.filter((plan) => isOpen(plan) && (repo === undefined || plan.repo === repo))
  const ids = open.map((plan) => plan.id)
  if (ids.length > 1 && (what === 'cancel' || repo === undefined)) {
    throw usageRefusal(
      `several plans are open: ${ids.join(', ')}`,
      `Name one: bosun ${what} ${ids[0] ?? 'PLAN'}`,
    )
  }
  return ids
}
