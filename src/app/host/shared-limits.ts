/**
 * Plans share what they find out about an agent's provider, since they share its limits. Each plan records it in its own
 * log; a plan that is loaded gets it again.
 */
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import type { HostParts } from './host.ts'
import { isOver, type HostedPlan } from './hosted-plan.ts'

type News = EventOf<'provider.limited'> | EventOf<'provider.freed'>

export type Sharing = Pick<HostParts, 'onError'> & { readonly plans: () => readonly HostedPlan[] }

const isNews = (event: PlanEvent): event is News =>
  (event.type === 'provider.limited' || event.type === 'provider.freed') && event.from === undefined

/** Passes on to the other plans what this one recorded. */
export function passOn(sharing: Sharing, stream: string, events: readonly PlanEvent[]): void {
  const plans = sharing.plans()
  const plan = plans.find(({ home }) => home.stream === stream)
  if (plan !== undefined && events.some(({ type }) => type === 'pm.started')) exchange(sharing, plan)
  const news = events.filter(isNews)
  if (news.length === 0) return
  const from = plan?.id ?? stream
  for (const other of plans) if (other.home.stream !== stream) pass(sharing, other, { news, from })
}

/** Exchanges known limits between a newly loaded plan and the others. */
export function exchange(sharing: Sharing, newcomer: HostedPlan): void {
  if (newcomer.state.clock === null) return
  const passed = new Set<string>()
  for (const plan of sharing.plans()) {
    if (plan.home.stream === newcomer.home.stream || isOver(plan.state)) continue
    const news = known(plan, newcomer).filter(({ agent }) => !passed.has(agent))
    for (const { agent } of news) passed.add(agent)
    pass(sharing, newcomer, { news, from: plan.id })
    pass(sharing, plan, { news: known(newcomer, plan), from: newcomer.id })
  }
}

function known(one: HostedPlan, other: HostedPlan): readonly News[] {
  return [...one.state.parked].flatMap(([agent, { until, why, signIn }]): News[] => {
    if (other.state.parked.has(agent)) return []
    const more = signIn === undefined ? {} : { signIn }
    return [{ type: 'provider.limited', v: 1, agent, until, why, ...more }]
  })
}

function pass(
  { onError }: Sharing,
  plan: HostedPlan,
  { news, from }: { readonly news: readonly News[]; readonly from: string },
): void {
  if (isOver(plan.state)) return
  for (const event of news) {
    // A plan that does not know a limit need not learn of its end.
    if (event.type === 'provider.freed' && !plan.state.parked.has(event.agent)) continue
    plan
      .propose({ ...event, from })
      .catch((error: unknown) => onError(`passing a provider limit to ${plan.id}`, error))
  }
}
