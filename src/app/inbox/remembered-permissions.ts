/** Decisions about permissions that are remembered for a task or a plan: listed, and revoked. */
import type { RememberedPermission } from '../../core/event-schemas/requests.ts'
import { pageOf } from '../../lib/page-of.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import type { PermissionsAnswer, RevokedPermissionAnswer } from '../../protocol/task-answer.ts'
import type { Host } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'
import { itemNamed, nearest } from '../host/stream-name.ts'
import type { ListAsked } from '../plans/plan-status.ts'
import { iso } from '../../lib/text/format-time.ts'

type Row = PermissionsAnswer['permissions'][number]

/** Of plans that have not ended, those of the oldest plan first; whole, or a page at a time. */
export function rememberedPermissions(
  host: HostToRead,
  { limit, cursor }: ListAsked = {},
): PermissionsAnswer {
  const all = host.plans().flatMap((plan) => decisionsOf(plan).map((decided) => ({ plan, decided })))
  const clashing = (item: string): boolean => all.filter(({ decided }) => decided.item === item).length > 1
  const keyOf = ({ plan, decided }: (typeof all)[number]): string => longId(plan, decided.item)
  const { rows, ...paged } = limit === undefined ? { rows: all } : pageOf(all, { limit, cursor }, keyOf)
  return {
    permissions: rows.map(({ plan, decided }) =>
      rowOf(plan, decided, clashing(decided.item) ? longId(plan, decided.item) : decided.item),
    ),
    ...paged,
  }
}

function rowOf(
  plan: HostedPlan,
  { item, decision, equalBy, task, by, at }: RememberedPermission,
  id: string,
): Row {
  return {
    id,
    plan: plan.id,
    repo: plan.home.repository.path,
    item,
    decision,
    what: equalBy,
    scope: task === null ? 'plan' : 'task',
    task,
    by,
    at: iso(at),
  }
}

const decisionsOf = ({ state }: HostedPlan): readonly RememberedPermission[] =>
  state.cancelled !== null || isOver(state) ? [] : state.permissions

const longId = (plan: HostedPlan, item: string): string => `${plan.home.repository.id}:${plan.id}:${item}`

export interface RevokeRequest {
  /** `P-3`, or with its plan: `shop:P-3`. */
  readonly id: string
  readonly repository?: string | undefined
  readonly by: string
}

/** Durable when it resolves. What was allowed before stays done; the next equal request is asked again. */
export async function revokePermission(host: Host, request: RevokeRequest): Promise<RevokedPermissionAnswer> {
  const { id, by, repository } = request
  const { item, mayBeIn } = itemNamed(id)
  const isIn = (plan: HostedPlan): boolean => decisionsOf(plan).some((one) => one.item === item)
  const found = host.plans().filter((plan) => mayBeIn(plan) && isIn(plan))
  const [plan, other] = nearest(found, repository)
  if (plan === undefined) throw notRemembered(id)
  if (other !== undefined)
    throw refusal(
      'conflict',
      `${id} is ambiguous: ${found.map((one) => longId(one, item)).join(', ')}`,
      'Use one of these ids.',
    )
  const done = await plan.propose({ type: 'permission.revoked', v: 1, item, by })
  // Another person was faster.
  if (!done.ok) throw notRemembered(id)
  return { id, plan: plan.id }
}

const notRemembered = (id: string): Refusal =>
  refusal('not_found', `no remembered permission ${id}`, 'List them: bosun inbox --remembered')
