/** How the commands of a project ended when they last ran on one of its commits. */
import type { CheckName, StartFacts } from '../event-schemas/baseline.ts'

export type TriedOutcomes = ReadonlyMap<CheckName, 'passed' | 'failed'>

/** What is known of one run. */
interface Outcome {
  readonly check: CheckName
  readonly outcome: string
}

/** A test run that names no tests passes; what could not run at all has failed. */
export function outcomesOf(tried: readonly Outcome[]): TriedOutcomes {
  return new Map(
    tried.flatMap(({ check, outcome }): [CheckName, 'passed' | 'failed'][] => {
      if (outcome === 'passed' || outcome === 'unnamed') return [[check, 'passed']]
      return outcome === 'failed' || outcome === 'cannot_run' ? [[check, 'failed']] : []
    }),
  )
}

/** Of the baseline of a plan. A check that cannot run, and one that fails, is among its trials. */
export function outcomesAtStart({ tests, checks, trials }: StartFacts): TriedOutcomes {
  const ran: Outcome[] = [
    { check: 'test', outcome: tests.outcome },
    ...(['lint', 'typecheck', 'build'] as const).flatMap((check) => {
      const found = checks.find(({ gate }) => gate === check)
      return found === undefined ? [] : [{ check, outcome: found.outcome }]
    }),
  ]
  const troubled = trials.map(({ check, state }) => ({
    check,
    outcome: state === 'unnamed' ? 'passed' : 'failed',
  }))
  const outcomes = outcomesOf([...ran, ...troubled])
  // Nothing runs before the set-up has succeeded.
  const isSetUp = outcomes.size > 0 && !outcomes.has('setup')
  return isSetUp ? new Map([['setup', 'passed'], ...outcomes]) : outcomes
}
