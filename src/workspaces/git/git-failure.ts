/** Why git failed, in one line for people, and what to do about it. */
import { outOfProcesses } from '../../core/gates/out-of-processes.ts'
import { isFullDisk } from '../../lib/files/full-disk.ts'
import { GitFailed, type GitOutcome } from './git.ts'

export interface GitFailure {
  readonly reason: string
  readonly remedy: string
}

/** `otherwise` is the remedy unless the machine refused git what it needs. */
export function gitFailure(outcome: GitOutcome, otherwise: string): GitFailure {
  const printed = outcome.kind === 'exited' ? outcome.stderr : ''
  const failed = new GitFailed([], outcome)
  const noProcesses = outOfProcesses(outcome.kind === 'not_started' ? outcome.reason : printed)
  const last = printed.trim().split('\n').at(-1) ?? ''
  const whole = failed.message.replace(/\s+/g, ' ').replace(/:? $/, '')
  return {
    reason: noProcesses ?? (last === '' ? whole : last),
    remedy: remedyFor(failed, noProcesses !== null) ?? otherwise,
  }
}

function remedyFor(failed: GitFailed, isOutOfProcesses: boolean): string | null {
  if (isOutOfProcesses) return 'Stop some processes, or raise the limit (ulimit -u).'
  return isFullDisk(failed) ? 'Free some space and try again.' : null
}
