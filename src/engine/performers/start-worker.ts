import { NOT_STARTED } from '../../core/delivery/not-started.ts'
import type { StartWorker } from '../../core/decide/effects.ts'
import { AgentUnavailable } from '../../ports/agent.ts'
import type { Performer } from './performer.ts'

export const startWorker: Performer<StartWorker> = async (effect, { world, plan, signal }) => {
  const about = { worker: effect.worker, task: effect.spec.id, attempt: effect.attempt }
  try {
    const { agent } = await world.agent.start({ ...effect, plan: plan.id, design: plan.design }, signal)
    return [{ type: 'worker.started', v: 1, ...about, ...(agent === null ? {} : { agent }) }]
  } catch (error) {
    if (!(error instanceof AgentUnavailable)) throw error
    const end = { kind: 'failed', reason: `${NOT_STARTED}${error.message}` } as const
    return [{ type: 'worker.ended', v: 1, ...about, end, report: null }]
  }
}
