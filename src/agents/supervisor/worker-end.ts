/** Turns what ended a worker into its recorded end. */
import type { TurnOutcome } from '../../core/crew/turn-outcome.ts'
import type { StopCause, WorkerEnd } from '../../core/event-schemas/schemas.ts'
import { providerTrouble, type ProviderTrouble } from '../../core/watch/providers/provider-limits.ts'
import type { ReadAt } from '../../core/watch/providers/reset-times.ts'
import type { ProgramExit } from '../../lib/process/spawn-contained.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'

export type Ending =
  | ProgramExit
  /** Its last turn ended; its program may still run. */
  | { readonly kind: 'turn'; readonly outcome: TurnOutcome }
  | { readonly kind: 'not_started'; readonly why: string }
  /** It cannot be driven over the Agent Client Protocol, and has another way. */
  | { readonly kind: 'not_opened'; readonly why: string }
  | { readonly kind: 'stop_wanted'; readonly cause: StopCause; readonly why?: string | undefined }
  | { readonly kind: 'supervisor_ended'; readonly signal: string }
  /** A file of its folder is damaged or gone. */
  | { readonly kind: 'damaged'; readonly why: string }

type Request = Extract<Ending, { kind: 'stop_wanted' | 'supervisor_ended' | 'damaged' }>

/** Whether it is to be ended, and has not ended by itself. */
export const isRequest = (ending: Ending): ending is Request =>
  ending.kind === 'stop_wanted' || ending.kind === 'supervisor_ended' || ending.kind === 'damaged'

export function whyRequested(request: Request): string {
  if (request.kind === 'supervisor_ended') return request.signal
  return request.kind === 'damaged' ? request.why : (request.why ?? request.cause)
}

const MAX_LAST_LINE = 200
/** A limit of the machine or the user (ulimit -u), which says nothing about the agent and passes. */
const NO_PROCESS_LEFT = /\b(EAGAIN|ENOMEM|ENFILE|EMFILE)\b/

/** The state of a worker after it was asked to stop. */
export interface AfterStopRequest {
  /** How it ended by itself; null if it did not, or that is unknown. */
  readonly own: Ending | null
  /** Whether anything of it had to be asked to end. */
  readonly wasAsked: boolean
  /** Whether its report is there, whole. */
  readonly hasReport: boolean
}

/**
 * A worker that had already ended keeps its own end. So does one that was asked to stop but finished, with a complete
 * report, unless the report was the reason to stop it.
 */
export function endingAfterRequest(
  requested: Ending,
  { own, wasAsked, hasReport }: AfterStopRequest,
): Ending {
  if (own === null) return requested
  if (!wasAsked) return own
  const isFinished =
    (own.kind === 'exited' && own.code === 0) || (own.kind === 'turn' && own.outcome.kind === 'finished')
  const wasAwaited = requested.kind === 'stop_wanted' && requested.cause === 'finished'
  return isFinished && hasReport && !wasAwaited ? own : requested
}

/** The last observations of a worker that has ended. */
export interface LastSeen extends ReadAt {
  /** The end of what it printed: its last line usually says more than a number does. */
  readonly output: string
  /** Whether it left a report or changed a file. Asked only where that makes a difference. */
  readonly hasDoneAnything: () => boolean
  /** What to do where it is not signed in. */
  readonly signIn: string
}

/** Some agents exit with 0 when their provider refuses them; those have changed nothing. */
export function workerEnd(ending: Ending, seen: LastSeen): WorkerEnd {
  const { output } = seen
  switch (ending.kind) {
    case 'exited': {
      const trouble = providerTrouble(output, seen)
      const isDone = ending.code === 0 && (trouble === null || seen.hasDoneAnything())
      if (isDone) return { kind: 'done' }
      if (trouble !== null) return turnedAway(trouble, seen)
      return { kind: 'failed', reason: withLastLine(`it exited with code ${ending.code}`, output) }
    }
    case 'signalled':
      return { kind: 'failed', reason: withLastLine(`it was killed by ${ending.signal}`, output) }
    case 'turn':
      return endOfTurn(ending.outcome, seen)
    case 'not_started':
      if (NO_PROCESS_LEFT.test(ending.why))
        return { kind: 'interrupted', reason: `the system could not start a process: ${ending.why}` }
      return { kind: 'failed', reason: `it could not be started: ${ending.why}` }
    case 'not_opened': {
      const reason = `it could not be driven over the Agent Client Protocol: ${ending.why}`
      return {
        kind: 'interrupted',
        reason: `${withLastLine(reason, output)}; it runs as a plain command from now on`,
        protocol: 'acp',
      }
    }
    case 'stop_wanted':
      return { kind: 'stopped', cause: ending.cause }
    case 'damaged':
      return { kind: 'failed', reason: ending.why }
    case 'supervisor_ended':
      return { kind: 'interrupted', reason: `its supervisor was ended by ${ending.signal}` }
  }
}

/** A turn that did nothing is done too: the empty change says the rest. */
function endOfTurn(outcome: TurnOutcome, seen: LastSeen): WorkerEnd {
  switch (outcome.kind) {
    case 'finished':
    case 'nothing_done':
      return { kind: 'done' }
    case 'failed':
      return { kind: 'failed', reason: withLastLine(outcome.why, seen.output) }
    case 'limited':
    case 'sign_in':
      return turnedAway(outcome, seen)
  }
}

/** Neither is a failure of the worker: both use no attempt. */
const turnedAway = (trouble: ProviderTrouble, { signIn }: LastSeen): WorkerEnd =>
  trouble.kind === 'limited' ? trouble : { kind: 'limited', until: null, why: trouble.why, signIn }

function withLastLine(reason: string, output: string): string {
  const last = lastLine(output)
  return last === null ? reason : `${reason}; last output: ${lastPart(last)}`
}

/** Null where nothing was printed. */
export function lastLine(output: string): string | null {
  const lines = terminalText(output)
    .split('\n')
    .map((line) => line.replaceAll('\t', ' ').trim())
  return lines.findLast((line) => line !== '') ?? null
}

/** The last words of an agent, safe to print and on one line; null where it left none. */
export function lastWordsIn(text: string): string | null {
  const line = oneLine(terminalText(text))
  return line === '' ? null : lastPart(line)
}

const lastPart = (line: string): string =>
  line.length > MAX_LAST_LINE ? `…${line.slice(-MAX_LAST_LINE)}` : line

/** The end without the values of secrets in its reason. */
export function withoutSecrets(ending: Ending, hide: Redactor): Ending {
  if (ending.kind === 'not_opened') return { ...ending, why: hide.text(ending.why) }
  if (ending.kind !== 'turn' || !('why' in ending.outcome)) return ending
  return { kind: 'turn', outcome: { ...ending.outcome, why: hide.text(ending.outcome.why) } }
}
