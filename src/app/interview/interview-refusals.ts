/** Why the interview takes no such call, and what to do instead. */
import type { Machine } from '../../core/interview/machine.ts'
import type { PreviewActionName } from '../../core/interview/transitions.ts'
import { Refusal, refusal } from '../../lib/refusal.ts'
import type { ConflictDetails } from '../../protocol/error-answer.ts'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'

export const openElsewhere = ({ session, state }: Pick<Machine, 'session' | 'state'>): Refusal =>
  refusal(
    'conflict',
    `an interview is open in this repository (session ${session?.id ?? 'unknown'}, ${state})`,
    'Continue it: bosun interview. To end it: bosun interview --abandon.',
  )

export const nothingToAbandon = ({ state }: Pick<Machine, 'state'>): Refusal =>
  refusal('conflict', `no interview is open (${state})`, 'Start one: bosun interview.')

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

export const notKept = (session: string): Refusal =>
  refusal(
    'not_found',
    `there is no interview ${session} that can be continued`,
    'See which there are: bosun interview --json (kept), or GET /api/pm/status.',
  )

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

/** As the command line has it: the place and the remedy of each thing that is wrong. */
export function refusalText({
  message,
  remedy,
  faults,
}: Pick<Refusal, 'message' | 'remedy' | 'faults'>): string {
  const places = faults.map((fault) => `${fault.file}:${fault.line}: ${fault.message}\n  ${fault.remedy}`)
  return [`${message}. ${remedy}`, ...places].join('\n')
}

/** The folder of a project as a caller names it, without symbolic links. Refuses a relative path, and what is no folder. */
export async function projectFolder(path: string): Promise<string> {
  // The daemon's own folder says nothing about the caller's.
  if (!isAbsolute(path)) throw noProject('usage', `${path} is not an absolute path`)
  try {
    const real = await realpath(path)
    if ((await stat(real)).isDirectory()) return real
  } catch (cause) {
    throw noProject('not_found', `no folder ${path}`, cause)
  }
  throw noProject('usage', `${path} is not a folder`)
}

const noProject = (code: 'usage' | 'not_found', message: string, cause?: unknown): Refusal =>
  refusal(code, message, 'Send the absolute path of the project folder as repo.', cause)
