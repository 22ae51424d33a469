/** The invariants at the end of a simulation. */
import type { PlanStanding } from '../../core/decide/standing.ts'
import type { Ledger } from './ledger.ts'

export interface End {
  readonly ledger: Ledger
  readonly outcome: PlanStanding
  readonly landed: readonly { readonly task: string; readonly sha: string }[]
  /** Workers that still run. */
  readonly running: readonly string[]
  /** Whether folding the log again gives the engine's state. */
  readonly isSameState: boolean
}

export function endBreaks(end: End): string | null {
  return landingBreaks(end) ?? orphanBreaks(end) ?? outcomeBreaks(end)
}

function landingBreaks({ ledger, landed }: End): string | null {
  const seen = new Set<string>()
  for (const { task, sha } of landed) {
    if (seen.has(task)) return `task ${task} landed twice`
    seen.add(task)
    const isKnown = ledger.events.some((event) => event.type === 'task.committed' && event.sha === sha)
    if (!isKnown) return `the commit of task ${task} is in the repository but not in the log`
  }
  return null
}

function orphanBreaks({ running, isSameState }: End): string | null {
  if (running.length > 0) return `${running.join(', ')} still run although nothing is scheduled`
  return isSameState ? null : "the PM's state differs from the fold of its log"
}

function outcomeBreaks({ ledger, outcome }: End): string | null {
  const isAsking = [...ledger.items.values()].some((item) => item.blocking)
  switch (outcome.state) {
    case 'done':
      return ledger.prepared > 0 || ledger.cancelled ? null : 'the plan is done, but nothing was released'
    case 'waiting':
    case 'deadlocked':
      return isAsking ? null : `the plan is ${outcome.state} (${outcome.why}) without an open item`
    case 'paused':
      return ledger.paused ? null : 'the plan is paused without a pause event'
    case 'running':
      return `the plan is running (${outcome.why}) although nothing is scheduled`
  }
}
