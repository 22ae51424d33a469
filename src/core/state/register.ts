/** Turns a complete plan into its first event. */
import type { EventOf } from '../events/plan-events.ts'
import { planSettings } from '../settings/plan-settings.ts'
import type { Plan } from '../planning/plan.ts'
import type { Settings } from '../settings/settings.ts'
import type { PlanState } from './state.ts'

export function registration(
  plan: Pick<Plan, 'header' | 'tasks' | 'integration'>,
  settings: Settings,
  {
    repo,
    hasBrain = false,
    proposal = null,
  }: { readonly repo: string; readonly hasBrain?: boolean; readonly proposal?: PlanState['proposal'] },
): EventOf<'plan.registered'> {
  return {
    type: 'plan.registered',
    v: 1,
    repo,
    plan: { ...plan.header, constraints: [...plan.header.constraints] },
    settings: planSettings(settings, { hasBrain }),
    tasks: [...plan.tasks],
    integration: [...plan.integration],
    ...(proposal === null ? {} : { proposal }),
  }
}
