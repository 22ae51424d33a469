/** Pausing, resuming and cancelling from the command line: the plan that is named, or the ones that are here. */
import type { Daemon } from '../client/daemon.ts'
import { Refusal } from '../lib/refusal.ts'
import type { PlanRow, SteeredAnswer } from '../protocol/answers.ts'
import type { Call, CommandResult } from './command.ts'
import { callerName, repoHere } from './here.ts'
import { idSegment } from './id-segment.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

const DONE = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' } as const
const ALREADY = {
  pause: 'was paused already',
  resume: 'was not paused',
  cancel: 'was cancelled already',
} as const

export async function steer(call: Call, what: Steering): Promise<CommandResult> {
  const daemon = await call.parts.daemon()
  const repo = await repoHere(call)
  const [named] = call.args
  const plans = named === undefined ? await plansHere(daemon, repo, what) : [named]
  const body = {
    by: callerName(call),
    reason: call.option('reason') ?? '',
    repo,
    ...(call.flag('now') ? { now: true } : {}),
    ...(call.flag('damaged') ? { damaged: true } : {}),
  }
  const steered: SteeredAnswer[] = []
  for (const plan of plans)
    steered.push(await daemon.post<SteeredAnswer>(`/api/plans/${idSegment(plan)}/${what}`, body))
  const lines = steered.map(
    ({ plan, changed }) => `${plan} ${changed ? `is ${DONE[what]}` : ALREADY[what]}\n`,
  )
  return {
    exit: 'ok',
    document: { plans: steered },
    text: () => lines.join('') || `nothing to ${what} here\n`,
  }
}

/** The plans of this repository that are not done; outside of any, of all. What ends a plan for good must name it. */
async function plansHere(
  daemon: Daemon,
  repo: string | undefined,
  what: Steering,
): Promise<readonly string[]> {
  const { plans } = await daemon.get<{ readonly plans: readonly PlanRow[] }>('/api/plans')
  const isOpen = ({ state }: PlanRow): boolean => state !== 'done' && state !== 'damaged'
  const open = plans.filter((plan) => isOpen(plan) && (repo === undefined || plan.repo === repo))
  const ids = open.map((plan) => plan.id)
  if (ids.length > 1 && (what === 'cancel' || repo === undefined)) {
    throw new Refusal({
      code: 'usage',
      message: `there is more than one plan here: ${ids.join(', ')}`,
      remedy: `Name the one that is meant: bosun ${what} ${ids[0] ?? 'PLAN'}`,
    })
  }
  return ids
}
