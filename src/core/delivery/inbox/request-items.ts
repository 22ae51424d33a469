/** The inbox item of a worker's request. */
import type { InboxItem } from '../../event-schemas/schemas.ts'
import type { RequestKind } from '../../event-schemas/requests.ts'
import type { AskedRequest, LiveWorker, PlanState, TaskState } from '../../state/state.ts'
import { newItem } from './inbox-items.ts'

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
