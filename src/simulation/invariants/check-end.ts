/** What must hold once nothing moves any more. */
import type { PlanStanding } from '../../core/decide/standing.ts'
import type { Ledger } from './ledger.ts'

export interface End {
  readonly ledger: Ledger
  readonly outcome: PlanStanding
  readonly landed: readonly { readonly task: string; readonly sha: string }[]
  /** Workers that still run. */
  readonly running: readonly string[]
  /** Folding the log anew gives the state the engine has. */
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
    if (!isKnown) return `the commit of task ${task} is in the repository, and nobody knows of it`
  }
  return null
}

function orphanBreaks({ running, isSameState }: End): string | null {
  if (running.length > 0) return `${running.join(', ')} still run, and nothing will ever happen`
  return isSameState ? null : 'the log does not say what the PM believes'
}

function outcomeBreaks({ ledger, outcome }: End): string | null {
  const isAsking = [...ledger.items.values()].some((item) => item.blocking)
  switch (outcome.state) {
    case 'done':
      return ledger.prepared > 0 || ledger.cancelled ? null : 'it says it is done, and nothing was released'
    case 'waiting':
    case 'deadlocked':
      return isAsking ? null : `it is ${outcome.state} (${outcome.why}), and nobody was asked anything`
    case 'paused':
      return ledger.paused ? null : 'it says it is paused, and nobody paused it'
    case 'running':
      return `it says it is running (${outcome.why}), and nothing will ever happen`
  }
}
