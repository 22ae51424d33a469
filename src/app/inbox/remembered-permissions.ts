/** Decisions about permissions that are remembered for a task or a plan: listed, and revoked. */
import type { RememberedPermission } from '../../core/event-schemas/requests.ts'
import { pageOf } from '../../lib/page-of.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { PermissionsAnswer, RevokedPermissionAnswer } from '../../protocol/permissions.ts'
import type { Host } from '../host/host.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'
import type { ListAsked } from '../plans/list-pages.ts'

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
    at: at === undefined ? null : new Date(at).toISOString(),
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
  const parts = id.split(':')
  const item = (parts.at(-1) ?? '').toUpperCase()
  const named = parts.slice(0, -1).join(':')
  const isNamed = (plan: HostedPlan): boolean =>
    named === '' || named === plan.id || named === `${plan.home.repository.id}:${plan.id}`
  const found = host
    .plans()
    .filter((plan) => isNamed(plan) && decisionsOf(plan).some((one) => one.item === item))
  const near = found.filter((plan) => plan.home.repository.id === repository)
  const [plan, other] = near.length > 0 ? near : found
  if (plan === undefined) throw notRemembered(id)
  if (other !== undefined)
    throw new Refusal({
      code: 'conflict',
      message: `${id} is ambiguous: ${found.map((one) => longId(one, item)).join(', ')}`,
      remedy: 'Use one of these ids.',
    })
  const done = await plan.propose({ type: 'permission.revoked', v: 1, item, by })
  // Another person was faster.
  if (!done.ok) throw notRemembered(id)
  return { id, plan: plan.id }
}

const notRemembered = (id: string): Refusal =>
  new Refusal({
    code: 'not_found',
    message: `no remembered permission ${id}`,
    remedy: 'List them: bosun inbox --remembered',
  })
