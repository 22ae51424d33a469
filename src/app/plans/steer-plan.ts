/** Pauses, resumes and cancels a plan. Each is durable when it resolves. */
import type { PlanEvent } from '../../core/events/plan-events.ts'
import type { SteeredAnswer } from '../../protocol/answers.ts'
import type { SteerRequest as SteerBody } from '../../protocol/requests.ts'
import { giveUpPlan } from './give-up-plan.ts'
import { stateConflict } from '../host/find-stream.ts'
import type { Host } from '../host/host.ts'
import type { PlanState } from '../../core/state/state.ts'
import { isOver } from '../host/hosted-plan.ts'

export type Steering = 'pause' | 'resume' | 'cancel'

/** `now` with `pause`: workers are stopped, their work is saved. `damaged` with `cancel`: its events are not looked at. */
export interface SteerRequest extends Omit<SteerBody, 'repo'> {
  readonly what: Steering
  readonly plan: string
  readonly repository?: string | undefined
}

export async function steerPlan(host: Host, request: SteerRequest): Promise<SteeredAnswer> {
  if (request.what === 'cancel') {
    const { plan: id, repository, damaged: isDamaged = false } = request
    if (await giveUpPlan(host, { plan: id, repository, event: steeringEvent(request), isDamaged }))
      return { plan: id, changed: true }
  }
  const plan = await host.find(request.plan, request.repository)
  if (isSoAlready(plan.state, request.what)) return { plan: plan.id, changed: false }
  if (hasEnded(plan.state)) throw stateConflict(`plan ${plan.id} has ended`)
  const done = await plan.propose(steeringEvent(request))
  if (!done.ok && !isSoAlready(plan.state, request.what)) throw stateConflict(done.why)
  return { plan: plan.id, changed: done.ok }
}

export const hasEnded = (state: PlanState): boolean => state.cancelled !== null || isOver(state)

export function isSoAlready(state: PlanState, what: Steering): boolean {
  switch (what) {
    case 'pause':
      return state.paused !== null
    case 'resume':
      return state.paused === null
    case 'cancel':
      return state.cancelled !== null
  }
}

export function steeringEvent({ what, by, reason, now }: SteerRequest): PlanEvent {
  switch (what) {
    case 'pause':
      return {
        type: 'plan.paused',
        v: 1,
        by,
        reason: reason === '' ? `paused by ${by}` : reason,
        stopWorkers: now,
      }
    case 'resume':
      return { type: 'plan.resumed', v: 1, by }
    case 'cancel':
      return { type: 'plan.cancelled', v: 1, by, reason: reason === '' ? 'no reason given' : reason }
  }
}
