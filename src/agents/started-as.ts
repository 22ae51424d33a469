import type { Started } from '../ports/agent.ts'
import type { JobRecord } from './worker-records.ts'

/** What is known of a worker that was started. */
export function startedAs(job: JobRecord | null): Started {
  if (job === null) return { agent: null }
  const { agent = null, protocol, choice } = job
  return {
    agent,
    protocol,
    ...(choice?.model ? { model: choice.model } : {}),
    ...(choice?.effort ? { effort: choice.effort } : {}),
    ...(choice?.why ? { why: choice.why } : {}),
    ...(choice?.candidates ? { candidates: choice.candidates } : {}),
  }
}
