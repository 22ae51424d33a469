/** Why the interview takes no such call, and what to do instead. */
import type { Machine } from '../../core/interview/machine.ts'
import type { PreviewActionName } from '../../core/interview/states.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'

export const openElsewhere = ({ session, state }: Machine): Refusal =>
  new Refusal({
    code: 'conflict',
    message: `an interview is open in this repository (session ${session?.id ?? 'unknown'}, ${state})`,
    remedy: 'Continue it: bosun interview. A repository has one interview at a time.',
  })

export const undecided = (): Refusal =>
  new Refusal({
    code: 'conflict',
    message: 'an earlier interview of this repository ended with an error and can be continued',
    remedy:
      'Continue it: bosun interview --resume (start with "resume": true), or begin anew: bosun interview --new ("resume": false).',
  })

export const wouldBeDropped = (): Refusal =>
  new Refusal({
    code: 'conflict',
    message: 'an earlier interview of this repository can be continued, and a spec would take its place',
    remedy:
      'Continue it: bosun interview --resume. To drop it: bosun start FILE --yes, or upload with "resume": false.',
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
