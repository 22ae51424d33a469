/** How a worker's end is told, from what ended it. */
import type { StopCause, WorkerEnd } from '../../core/events/parts.ts'
import type { ProgramExit } from '../../lib/process/spawn-contained.ts'

export type Ending =
  | ProgramExit
  | { readonly kind: 'not_started'; readonly why: string }
  | { readonly kind: 'stop_wanted'; readonly cause: StopCause; readonly why?: string | undefined }
  | { readonly kind: 'supervisor_ended'; readonly signal: string }

const MAX_LAST_LINE = 200

/** `output` is the end of what it printed: its last line usually says more than a number does. */
export function workerEnd(ending: Ending, output: string): WorkerEnd {
  switch (ending.kind) {
    case 'exited':
      if (ending.code === 0) return { kind: 'done' }
      return { kind: 'failed', reason: withLastLine(`it exited with code ${ending.code}`, output) }
    case 'signalled':
      return { kind: 'failed', reason: withLastLine(`it was killed by ${ending.signal}`, output) }
    case 'not_started':
      return { kind: 'failed', reason: `it could not be started: ${ending.why}` }
    case 'stop_wanted':
      return { kind: 'stopped', cause: ending.cause }
    case 'supervisor_ended':
      return { kind: 'interrupted', reason: `its supervisor was ended by ${ending.signal}` }
  }
}

function withLastLine(reason: string, output: string): string {
  const lines = output.split(/[\r\n]+/).map((line) => line.replace(/\p{Cc}/gu, '').trim())
  const last = lines.findLast((line) => line !== '')
  if (last === undefined) return reason
  return `${reason}; its last words: ${last.length > MAX_LAST_LINE ? `…${last.slice(-MAX_LAST_LINE)}` : last}`
}
