/** Answers an inbox item in a person's name; items and rows for plans that could not be loaded. */
import type { Origin } from '../../core/event-schemas/origin.ts'
import { STATUSES } from '../../core/state/life.ts'
import { refusal } from '../../lib/refusal.ts'
import { plainLine } from '../../lib/text/quoted.ts'
import type { AnsweredAnswer, InboxEntry, PlanRow, WorkerRow } from '../../protocol/answers.ts'
import { endForGood } from '../plans/steer-plan.ts'
import type { Host } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { UnloadedPlan } from '../host/unloaded-plans.ts'
import { noOpenItem, answerConflict, findItem } from './inbox.ts'
import { streamParts } from '../host/stream-name.ts'
import { NO_CLAIM, NOTHING_KNOWN } from '../workers/worker-rows.ts'
import type { AnswerRequest as AnswerBody } from '../../protocol/requests.ts'
import { iso } from '../../lib/text/format-time.ts'

const PREFIX = 'plan:'
const LONGEST_WHY = 300

/** Rows for damaged plans; the others are listed with their reason elsewhere. */
export function damagedRows(host: HostToRead): readonly PlanRow[] {
  return host.unloaded
    .all()
    .filter(({ kind }) => kind === 'damaged')
    .map(({ stream, repository, why }) => ({
      id: planOf(stream),
      title: null,
      repo: repository?.path ?? '',
      state: 'damaged',
      why,
      branch: null,
      counts: Object.fromEntries(STATUSES.map((status) => [status, 0])),
      notes: [
        `save what is readable with bosun export FILE, then cancel it: bosun cancel --damaged ${planOf(stream)}`,
      ],
      trouble: null,
      usage: null,
      thinking: null,
    }))
}

/** Running workers of damaged plans, which nothing drives. */
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
        reason: `its plan is damaged, but its process ${pid} still runs; cancelling the plan stops it and saves its work`,
        pid,
        since: iso(since),
        ...NO_CLAIM,
        ...NOTHING_KNOWN,
        time_limit_at: null,
      }))
    })
}

/** One item for each; other plans are not affected. */
export function unloadedItems(host: HostToRead): readonly InboxEntry[] {
  return host.unloaded.all().map((unloaded) => {
    const { stream, repository, kind, why, since } = unloaded
    const plan = planOf(stream)
    const isDamaged = kind === 'damaged'
    return {
      id: idOf(host, unloaded),
      kind: 'escalation',
      plan,
      task: null,
      task_title: null,
      problem: isDamaged ? `plan ${plan} is damaged: ${why}` : `cannot load plan ${plan}: ${why}`,
      impact: isDamaged
        ? 'The plan is stuck; other plans continue. bosun export writes everything before the damage.'
        : 'The plan is stuck until that is fixed; loading is retried automatically. Other plans continue.',
      options: [
        {
          key: 'retry',
          label: 'try to load it now',
          consequence: 'It is loaded at once and continues, or this item says why it still cannot be loaded.',
        },
        {
          key: 'cancel',
          label: 'cancel the plan; its workers are stopped, their work is saved',
          consequence: 'The plan ends for good. Its workers are stopped, and their work is saved.',
        },
      ],
      recommended: isDamaged ? 'cancel' : 'retry',
      blocking: true,
      since: iso(since),
      repo: repository?.path ?? '',
      // Its tasks cannot be read.
      blocks: [],
      evidence: [plainLine(why, LONGEST_WHY)],
      group: [],
      scopes: [],
      reason_needed: [],
      feedback_needed: [],
    }
  })
}

export const isUnloadedItem = (id: string): boolean => id.startsWith(PREFIX)

/** It is durable when this resolves. */
export async function answerUnloadedItem(
  host: Host,
  { id, choice, feedback, by = 'user' }: AnswerRequest,
): Promise<AnsweredAnswer> {
  const unloaded = host.unloaded.all().find((one) => idOf(host, one) === id)
  if (unloaded === undefined) throw noOpenItem(id)
  const plan = planOf(unloaded.stream)
  switch (choice) {
    case 'cancel': {
      const reason = feedback.trim() === '' ? `it could not be loaded: ${unloaded.why}` : feedback
      await endForGood(host, unloaded, { type: 'plan.cancelled', v: 1, by, reason })
      return { id, plan, choice }
    }
    case 'retry': {
      await host.retry(unloaded.stream)
      const still = host.unloaded.get(unloaded.stream)
      if (still === undefined) return { id, plan, choice }
      throw refusal(
        'conflict',
        `still cannot load plan ${plan}: ${still.why}`,
        `Fix that and try again, or cancel it: bosun answer ${id} cancel`,
      )
    }
    default:
      throw refusal(
        'usage',
        `${id} cannot be answered with ${choice}`,
        'Choose one of: retry (try to load it now), cancel (cancel the plan).',
      )
  }
}

const planOf = (stream: string): string => streamParts(stream)?.plan ?? stream

/** With its repository if two have an unloaded plan of that name. */
function idOf(host: HostToRead, { stream }: UnloadedPlan): string {
  const isOnly = host.unloaded.all().filter((one) => planOf(one.stream) === planOf(stream)).length === 1
  return `${PREFIX}${isOnly ? planOf(stream) : stream.replace('/', ':')}`
}

/** Answers an inbox item in a person's name; the caller has the user's token. */
interface AnswerRequest extends Omit<AnswerBody, 'repo'> {
  readonly id: string
  /** How it came; what the daemon saw. */
  readonly origin?: Origin | undefined
  /** The person's repository, to decide between plans with the same id. */
  readonly repository?: string | undefined
}

/** It is durable when this resolves. What an answer needs is decided in core/answers/answer-rules.ts. */
export async function answerItem(host: Host, request: AnswerRequest): Promise<AnsweredAnswer> {
  if (isUnloadedItem(request.id)) return answerUnloadedItem(host, request)
  const { choice, feedback, by = null, scope, diff_opened: diffOpened } = request
  const yours = { choice, feedback, ...(by === null ? {} : { by }) }
  const { plan, id } = findItem(host, request.id, {
    repository: request.repository,
    plan: request.plan,
    yours,
  })
  const given = { id, choice, feedback, by, scope, diffOpened, calledAs: request.id }
  const done = await plan.answer({ ...given, proof: 'token', origin: request.origin })
  if (done.ok) return { id: request.id, plan: plan.id, choice }
  const { kind, why, remedy } = done.refusal
  if (kind === 'over') throw answerConflict(done.refusal, yours)
  throw refusal('usage', why, remedy)
}
