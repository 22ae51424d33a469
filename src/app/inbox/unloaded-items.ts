/** Plans that could not be taken up, as a person sees and answers them. */
import { STATUSES, type Status } from '../../core/state/life.ts'
import { Refusal } from '../../lib/refusal.ts'
import { endForGood } from '../plans/give-up-plan.ts'
import type { Host } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { UnloadedPlan } from '../host/unloaded-plans.ts'
import { streamParts } from '../host/stream-name.ts'
import type { InboxEntry } from './inbox.ts'
import type { WorkerRow } from '../plans/plan-status.ts'

const PREFIX = 'plan:'

/** Only a damaged one is a row of its own: of the others it is said why they rest. */
export function damagedRows(host: HostToRead) {
  return host.unloaded
    .all()
    .filter(({ kind }) => kind === 'damaged')
    .map(({ stream, repository, why }) => ({
      id: planOf(stream),
      repo: repository?.path ?? '',
      state: 'damaged' as const,
      why,
      branch: null,
      counts: Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>,
      notes: [
        `save what can be read with bosun export FILE, then end it: bosun cancel --damaged ${planOf(stream)}`,
      ],
      trouble: null,
    }))
}

/** The workers of damaged plans that run: their plan is not driven, and they are at work all the same. */
export function damagedWorkers(host: {
  readonly unloaded: HostToRead['unloaded']
  readonly parts: Pick<HostToRead['parts'], 'livingWorkers'>
}): readonly WorkerRow[] {
  const { livingWorkers = () => [] } = host.parts
  return host.unloaded
    .all()
    .filter(({ kind }) => kind === 'damaged')
    .flatMap(({ stream, repository, since }) => {
      const place = streamParts(stream)
      const living = place === null ? [] : livingWorkers(place.repository, place.plan)
      return living.map(({ worker, plan, pid }) => ({
        id: worker,
        plan,
        repo: repository?.path ?? '',
        task: null,
        role: 'unknown',
        attempt: 1,
        health: 'unwatched',
        reason: `its plan is damaged, and its process ${pid} goes on; cancelling the plan ends it and saves its work`,
        pid,
        since: new Date(since).toISOString(),
        last_checkin: null,
        progress_pct: null,
        current_step: null,
        time_remaining: null,
        time_limit_at: null,
      }))
    })
}

/** Each of them needs a person, and keeps no other plan from going on. */
export function unloadedItems(host: HostToRead): readonly InboxEntry[] {
  return host.unloaded.all().map((unloaded) => {
    const { stream, kind, why, since } = unloaded
    const plan = planOf(stream)
    const isDamaged = kind === 'damaged'
    return {
      id: idOf(host, unloaded),
      kind: 'escalation',
      plan,
      task: null,
      problem: isDamaged ? `plan ${plan} is damaged: ${why}` : `plan ${plan} cannot be taken up: ${why}`,
      impact: isDamaged
        ? 'It goes no further; other plans go on. bosun export writes everything before the damage.'
        : 'It goes no further until that is settled; it is tried again by itself. Other plans go on.',
      options: [
        { key: 'retry', label: 'try now whether it can go on' },
        { key: 'cancel', label: 'end it for good; its workers are stopped, their work is saved' },
      ],
      recommended: isDamaged ? 'cancel' : 'retry',
      blocking: true,
      since: new Date(since).toISOString(),
    }
  })
}

export const isUnloadedItem = (id: string): boolean => id.startsWith(PREFIX)

/** It is durable when this resolves. */
export async function answerUnloadedItem(
  host: Host,
  {
    id,
    choice,
    feedback,
    by = 'user',
  }: { id: string; choice: string; feedback: string; by?: string | undefined },
): Promise<{ readonly id: string; readonly plan: string; readonly choice: string }> {
  const unloaded = host.unloaded.all().find((one) => idOf(host, one) === id)
  if (unloaded === undefined) {
    throw new Refusal({
      code: 'not_found',
      message: `nothing open is called ${id}`,
      remedy: 'List the open items: bosun inbox',
    })
  }
  const plan = planOf(unloaded.stream)
  switch (choice) {
    case 'cancel': {
      const reason = feedback.trim() === '' ? `it could not be taken up: ${unloaded.why}` : feedback
      await endForGood(host, unloaded, { type: 'plan.cancelled', v: 1, by, reason })
      return { id, plan, choice }
    }
    case 'retry': {
      await host.retry(unloaded.stream)
      const still = host.unloaded.get(unloaded.stream)
      if (still === undefined) return { id, plan, choice }
      throw new Refusal({
        code: 'conflict',
        message: `plan ${plan} still cannot be taken up: ${still.why}`,
        remedy: `Settle that and try again, or end it: bosun answer ${id} cancel`,
      })
    }
    default:
      throw new Refusal({
        code: 'usage',
        message: `${id} cannot be answered with ${choice}`,
        remedy: 'Choose one of: retry (try now whether it can go on), cancel (end it for good).',
      })
  }
}

const planOf = (stream: string): string => streamParts(stream)?.plan ?? stream

/** With its repository where two of them have a plan of that name that rests. */
function idOf(host: HostToRead, { stream }: UnloadedPlan): string {
  const isOnly = host.unloaded.all().filter((one) => planOf(one.stream) === planOf(stream)).length === 1
  return `${PREFIX}${isOnly ? planOf(stream) : stream.replace('/', ':')}`
}
