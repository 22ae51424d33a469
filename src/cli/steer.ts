/** Pausing, resuming and cancelling from the command line: the plan that is named, or the ones that are here. */
import type { Daemon } from '../client/daemon.ts'
import { Refusal } from '../lib/refusal.ts'
import { terminalLine } from '../lib/text/terminal-text.ts'
import type { PlanRow, StatusAnswer, SteeredAnswer } from '../protocol/answers.ts'
import type { Call, CommandResult } from './command.ts'
import { callerName, repoHere } from './caller.ts'
import { idSegment } from './id-segment.ts'
import type { WritableLog } from './services.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

const DONE = { pause: 'paused', resume: 'resumed', cancel: 'cancelled' } as const
const ALREADY = {
  pause: 'was paused already',
  resume: 'was not paused',
  cancel: 'was cancelled already',
} as const

export async function steer(call: Call, what: Steering): Promise<CommandResult> {
  // A plan that is to stand still is not set going first, as a daemon that is started would do.
  const isLeftAlone =
    what !== 'resume' && !call.flag('damaged') && (await call.parts.runningDaemon()) === null
  const alone = isLeftAlone ? await steeredAlone(call, what) : null
  const steered = alone ?? (await steeredByDaemon(call, what))
  const lines = steered.map(
    ({ plan, changed }) => `${plan} ${changed ? `is ${DONE[what]}` : ALREADY[what]}\n`,
  )
  const left = what === 'resume' && lines.length === 0 ? await leftOut(call) : []
  return {
    exit: 'ok',
    document: { plans: steered },
    text: () => lines.join('') || nothingText(what, left),
  }
}

type LeftOut = Pick<StatusAnswer['unreadable'][number], 'plan' | 'why'>

const leftOut = async (call: Call): Promise<readonly LeftOut[]> =>
  (await (await call.parts.daemon()).get<StatusAnswer>('/api/status')).unreadable

/** Plans that could not be taken up are no plans to steer, and are not passed over in silence. */
export function nothingText(what: Steering, left: readonly LeftOut[]): string {
  const lines = left.map(
    ({ plan, why }) => `${terminalLine(plan)} cannot be taken up: ${terminalLine(why)}\n`,
  )
  const next = lines.length === 0 ? '' : 'see what can be done: bosun inbox\n'
  return `nothing to ${what} here\n${lines.join('')}${next}`
}

async function steeredByDaemon(call: Call, what: Steering): Promise<readonly SteeredAnswer[]> {
  const daemon = await call.parts.daemon()
  const said = await saidBy(call)
  const [named] = call.args
  const plans = named === undefined ? await plansHere(daemon, said.repo, what) : [named]
  const steered: SteeredAnswer[] = []
  for (const plan of plans)
    steered.push(await daemon.post<SteeredAnswer>(`/api/plans/${idSegment(plan)}/${what}`, said))
  return steered
}

/** Null where a daemon has the plans after all, or is about to. */
async function steeredAlone(call: Call, what: Steering): Promise<readonly SteeredAnswer[] | null> {
  const [{ quietReading }, { steerWithoutDaemon }] = await Promise.all([
    import('./reading.ts'),
    import('../app/plans/steer-without-daemon.ts'),
  ])
  const { repo, ...said } = await saidBy(call)
  const [named] = call.args
  const plans =
    named === undefined ? await quietReading(call, (from) => plansHere(from, repo, what)) : [named]
  const opened = await openedAlone(call)
  if (opened === null) return null
  try {
    const steered: SteeredAnswer[] = []
    for (const plan of plans) {
      const request = { what, plan, repository: repo, now: false, at: Date.now(), ...said }
      const { repository, workers, ...done } = await steerWithoutDaemon(opened, request)
      const cause = what === 'pause' ? 'paused' : 'cancelled'
      if (repository !== null) await call.parts.stopOrphans(repository, workers, cause)
      steered.push(done)
    }
    return steered
  } finally {
    await opened.close()
  }
}

async function openedAlone(call: Call): Promise<WritableLog | null> {
  try {
    return await call.parts.openLogToWrite('steer')
  } catch (error) {
    if (error instanceof Refusal && error.code === 'conflict') return null
    throw error
  }
}

async function saidBy(call: Call) {
  return {
    by: callerName(call),
    reason: call.option('reason') ?? '',
    repo: await repoHere(call),
    ...(call.flag('now') ? { now: true } : {}),
    ...(call.flag('damaged') ? { damaged: true } : {}),
  }
}

/** The plans of this repository that are not done; outside of any, of all. What ends a plan for good must name it. */
async function plansHere(
  daemon: Pick<Daemon, 'get'>,
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
