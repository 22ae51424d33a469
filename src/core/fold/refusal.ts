/** Compares what the gates hold against a work with what they held against the one before. */
import type { Verdict } from '../event-schemas/schemas.ts'
import type { Refusal } from '../state/draft.ts'
import type { TaskState } from '../state/state.ts'

/** The same attempt fails again on another base without a new worker, which repeats nothing. */
export function refusalOf({ refusal, attempt, verdicts }: TaskState, of: Refusal['outcome']): Refusal {
  const reasons = reasonsIn((verdicts ?? []).filter(({ outcome }) => outcome === of))
  const isNext = of === 'failed' ? refusal?.attempt !== attempt : refusal?.attempt === attempt
  const isSame = reasons !== null && refusal?.outcome === of && isEqual(refusal.reasons ?? [], reasons)
  return { attempt, outcome: of, reasons, isRepeated: isNext && isSame }
}

/** Null where a gate does not name its reasons. */
function reasonsIn(verdicts: readonly Verdict[]): readonly string[] | null {
  const all: string[] = []
  for (const { gate, evidence } of verdicts) {
    if (evidence.failures === undefined) return null
    all.push(...evidence.failures.map((failure) => `${gate}: ${failure}`))
  }
  return all.sort()
}

const isEqual = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((item, at) => item === other[at])
