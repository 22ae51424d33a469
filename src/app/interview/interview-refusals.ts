/** Why the interview takes no such call, and what to do instead. */
import type { Machine } from '../../core/interview/machine.ts'
import type { PreviewActionName } from '../../core/interview/states.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'

export const openElsewhere = ({ session, state }: Pick<Machine, 'session' | 'state'>): Refusal =>
  new Refusal({
    code: 'conflict',
    message: `an interview is open in this repository (session ${session?.id ?? 'unknown'}, ${state})`,
    remedy: 'Continue it: bosun interview. To end it: bosun interview --abandon.',
  })

export const nothingToAbandon = ({ state }: Pick<Machine, 'state'>): Refusal =>
  new Refusal({
    code: 'conflict',
    message: `no interview is open (${state})`,
    remedy: 'Start one: bosun interview.',
  })

export const otherSession = (
  { session, state }: Pick<Machine, 'session' | 'state'>,
  asked: string,
): Refusal =>
  new Refusal({
    code: 'conflict',
    message:
      session === null
        ? `no interview is open (session ${asked} has ended; the machine is in ${state})`
        : `session ${asked} has ended; session ${session.id} is open`,
    remedy: 'Read the session to use from GET /api/pm/status, or start an interview.',
  })

export const notInPreview = (action: PreviewActionName, { state }: Pick<Machine, 'state'>): Refusal =>
  new Refusal({
    code: 'conflict',
    message:
      action === 'submit_to_architect'
        ? `no spec can be submitted now: the interview is in ${state}, not in PREVIEW`
        : `there is no preview to go on from: the interview is in ${state}`,
    remedy: 'Check its state: GET /api/pm/status, or bosun interview.',
  })

/** `theirs` is the spec as it is, `yours` the one that was shown. */
export function changedSpec(theirs: string, yours: string): Refusal {
  const details: ConflictDetails = { theirs: { spec_sha: theirs }, yours: { spec_sha: yours } }
  return new Refusal({
    code: 'conflict',
    message: 'the spec has changed since it was shown',
    remedy: 'Read it again (GET /api/pm/preview/spec) and send its spec_sha.',
    details,
  })
}

export const invalidSpec = (checked: {
  readonly faults: Refusal['faults']
  readonly problems: readonly string[]
}): Refusal =>
  new Refusal({
    code: 'failed',
    message: checked.faults[0]?.message ?? checked.problems[0] ?? 'the spec is invalid',
    remedy: checked.faults[0]?.remedy ?? 'Correct the spec: bosun spec check FILE',
    faults: checked.faults,
  })
