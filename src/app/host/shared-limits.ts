/**
 * What one plan finds out about an agent's provider is the business of every plan: they share its limits. Each keeps what
 * it was told in its own log, so nothing is lost with the daemon but the telling, and a plan that is taken up is told anew.
 */
import type { EventOf, PlanEvent } from '../../core/events/plan-events.ts'
import { isOver, type HostedPlan } from './hosted-plan.ts'

type News = EventOf<'provider.limited'> | EventOf<'provider.freed'>

export interface Sharing {
  readonly plans: () => readonly HostedPlan[]
  readonly onError: (what: string, error: unknown) => void
}

const isNews = (event: PlanEvent): event is News =>
  (event.type === 'provider.limited' || event.type === 'provider.freed') && event.from === undefined

/** Tells the other plans what this one has written down. */
export function passOn(sharing: Sharing, stream: string, events: readonly PlanEvent[]): void {
  const plans = sharing.plans()
  const plan = plans.find(({ home }) => home.stream === stream)
  if (plan !== undefined && events.some(({ type }) => type === 'pm.started')) exchange(sharing, plan)
  const news = events.filter(isNews)
  if (news.length === 0) return
  const from = plan?.id ?? stream
  for (const other of plans) if (other.home.stream !== stream) tell(sharing, other, { news, from })
}

/** A plan that comes to the others hears what they know, and they hear what it knows; a new one once its PM is there. */
export function exchange(sharing: Sharing, newcomer: HostedPlan): void {
  if (newcomer.state.clock === null) return
  const heard = new Set<string>()
  for (const plan of sharing.plans()) {
    if (plan.home.stream === newcomer.home.stream || isOver(plan.state)) continue
    const news = known(plan, newcomer).filter(({ agent }) => !heard.has(agent))
    for (const { agent } of news) heard.add(agent)
    tell(sharing, newcomer, { news, from: plan.id })
    tell(sharing, plan, { news: known(newcomer, plan), from: newcomer.id })
  }
}

function known(one: HostedPlan, other: HostedPlan): readonly News[] {
  return [...one.state.parked].flatMap(([agent, { until, why }]): News[] =>
    other.state.parked.has(agent) ? [] : [{ type: 'provider.limited', v: 1, agent, until, why }],
  )
}

interface Told {
  readonly news: readonly News[]
  readonly from: string
}

function tell({ onError }: Sharing, plan: HostedPlan, { news, from }: Told): void {
  if (isOver(plan.state)) return
  for (const event of news) {
    // A plan that does not know of a limit need not hear that it is over.
    if (event.type === 'provider.freed' && !plan.state.parked.has(event.agent)) continue
    plan
      .propose({ ...event, from })
      .catch((error: unknown) => onError(`telling ${plan.id} of a limit`, error))
  }
}
