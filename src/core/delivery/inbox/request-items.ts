/** The inbox item of a worker's request. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { RequestKind } from '../../event-schemas/requests.ts'
import type { AskedRequest, LiveWorker, PlanState, TaskState } from '../../state/state.ts'
import { newItem, PAUSE } from './inbox-items.ts'
import type { Breaker, Parked } from '../../state/providers-state.ts'
import { firstFew } from '../../../lib/text/counted.ts'

type Option = InboxItem['options'][number]

const ANSWER: Option = { key: 'answer', label: 'answer it: --feedback "…"' }
const DECIDE: Option = { key: 'decide', label: 'let it decide itself and report its assumption' }
const RESTART: Option = { key: 'restart', label: 'save its work and replace it now' }
const DENY: Option = { key: 'deny', label: 'deny it' }
const ALLOW: Option = { key: 'allow', label: 'allow it, this once' }

interface Asked {
  readonly live: LiveWorker
  readonly request: AskedRequest
  /** What happens to the request without an answer. */
  readonly otherwise: string
}

/** Blocks no worker: an unanswered request expires, and the worker gets a message. */
export function requestItem(
  state: PlanState,
  task: TaskState,
  { live, request, otherwise }: Asked,
): InboxItem {
  const { kind, text, to, priority, by } = request
  const whose = by === live.worker ? '' : ' (asked on its behalf; it reported this as an issue)'
  const whom = to === undefined || to === 'human' || to === 'user' ? '' : ` from the ${to}`
  const name = `${live.worker} at task ${task.spec.id} (${task.spec.title})`
  return newItem(state, {
    kind: itemKind(kind, priority),
    subject: 'request',
    about: request.id,
    task: task.spec.id,
    problem: `${name} ${ASKS[kind]}${whom}${amount(request)}${text === '' ? '' : `: ${text}`}${whose}`,
    impact:
      kind === 'permission'
        ? `the worker waits; ${otherwise}`
        : `the worker continues meanwhile if it can; ${otherwise}`,
    ...choices(request),
    blocking: false,
    issue: kind,
  })
}

function itemKind(kind: RequestKind, priority: AskedRequest['priority']): InboxItem['kind'] {
  if (kind === 'permission') return 'permission'
  return kind === 'blocked' || priority === 'critical' ? 'escalation' : 'question'
}

const ASKS = {
  need_clarification: 'needs clarification',
  need_time: 'needs more time',
  need_resources: 'needs more resources',
  blocked: 'is blocked',
  need_help: 'needs help',
  permission: 'asks for permission',
} as const satisfies Record<RequestKind, string>

function amount({ minutes, tokens }: AskedRequest): string {
  if (minutes !== undefined) return `, ${minutes} min`
  return tokens === undefined ? '' : `, ${tokens} tokens`
}

function choices({ kind, tokens }: AskedRequest): Pick<InboxItem, 'options'> & Partial<InboxItem> {
  if (kind === 'permission') return { options: [ALLOW, DENY], recommended: 'deny' }
  if (kind === 'need_time') {
    const label = 'grant it, or as much as you set: --feedback "45 min"'
    return { options: [{ key: 'grant', label }, DENY] }
  }
  if (kind === 'need_resources') {
    const label = 'grant its task that many more, or as many as you set: --feedback "tokens=200000"'
    if (tokens === undefined) return { options: [ANSWER, DENY] }
    return { options: [{ key: 'grant', label }, DENY], recommended: 'deny' }
  }
  return { options: kind === 'blocked' ? [ANSWER, DECIDE, RESTART] : [ANSWER, DECIDE] }
}

/** About a limit it needs no answer: the provider is probed all the while. */
export function providerAlert(
  state: PlanState,
  agent: string,
  { why, signIn, waiting }: Pick<Parked, 'why' | 'signIn'> & { readonly waiting: number },
): InboxItem {
  if (signIn !== undefined) return signInQuestion(state, { agent, why, signIn, waiting })
  return newItem(state, {
    subject: 'provider',
    about: agent,
    problem: `${agent} has been unavailable for 15 min: ${why}`,
    impact: 'workers that need it are on hold; one probe every 5 min, which uses no attempt',
    options: [{ key: 'retry', label: 'probe it now' }, PAUSE],
    recommended: 'pause',
    blocking: false,
  })
}

/** One question for all tasks that need the agent; nothing is tried before its answer. */
function signInQuestion(state: PlanState, { agent, why, signIn, waiting }: SignedOut): InboxItem {
  return newItem(state, {
    subject: 'provider',
    about: agent,
    problem: `${agent} is not signed in: ${why}. ${signIn}`,
    impact:
      waiting === 0
        ? 'another agent does its work meanwhile; no attempt was used'
        : 'workers that need it are on hold; no attempt was used',
    options: [
      {
        key: 'retry',
        label: 'it is signed in now: continue (after setting a variable, call bosun run on the plan first)',
      },
      PAUSE,
    ],
    ...(waiting === 0 ? { blocking: false } : {}),
  })
}

interface SignedOut {
  readonly agent: string
  readonly why: string
  readonly signIn: string
  /** Tasks that no other agent can do. */
  readonly waiting: number
}

/** One question for all tasks, since the cause is in none of them. */
export function breakerEscalation(state: PlanState, { tasks, times, reason }: Breaker): InboxItem {
  return newItem(state, {
    subject: 'breaker',
    problem: `workers fail the same way on every task (${times} times, tasks ${firstFew(tasks, 5)}): ${reason}`,
    impact: 'no new worker is started, except for an occasional probe',
    options: [
      { key: 'retry', label: 'the cause is fixed: continue, with fresh attempts for these tasks' },
      PAUSE,
    ],
    recommended: 'pause',
  })
}
