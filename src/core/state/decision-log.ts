/**
 * The decisions about a task, as a linked list from the latest back: adding to it copies nothing. A long log
 * keeps its latest part and notes the cut.
 */
export interface Decision {
  readonly at: number
  readonly text: string
}

export interface DecisionLog extends Decision {
  readonly earlier: DecisionLog | null
  /** The number of decisions up to this one. */
  readonly count: number
}

const LIMIT = 200

export function addDecision(log: DecisionLog | null, at: number, text: string): DecisionLog {
  const earlier = log === null || log.count < LIMIT ? log : shortened(log, at)
  return { at, text, earlier, count: (earlier?.count ?? 0) + 1 }
}

const shortened = (log: DecisionLog, at: number): DecisionLog | null =>
  decisionLog([
    { at, text: '(earlier decisions are in the log only)' },
    ...decisionsIn(log).slice(-LIMIT / 2),
  ])

/** Oldest first. */
export function decisionsIn(log: DecisionLog | null): Decision[] {
  const decisions: Decision[] = []
  for (let one = log; one !== null; one = one.earlier) decisions.push({ at: one.at, text: one.text })
  return decisions.reverse()
}

export function decisionLog(decisions: readonly Decision[]): DecisionLog | null {
  let log: DecisionLog | null = null
  for (const [place, { at, text }] of decisions.entries()) log = { at, text, earlier: log, count: place + 1 }
  return log
}
