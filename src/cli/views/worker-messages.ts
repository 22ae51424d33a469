/** The result of a worker's check-in, report or request. */
import type { CommandResult } from '../command.ts'

export interface DaemonAnswer {
  readonly accepted: boolean
  readonly instructions: readonly { readonly kind: string; readonly text: string }[]
  readonly notes?: readonly string[]
  readonly why?: string
}

/** `answer` is null when no daemon answered and the message was left as a file. */
export function deliveryResult(answer: DaemonAnswer | null, file: string | null): CommandResult {
  if (answer === null)
    return {
      exit: 'ok',
      document: { accepted: null, file, instructions: [], notes: [] },
      text: () => `No daemon is responding; saved to ${file} for later delivery.\n`,
    }
  const { accepted, instructions, notes = [], why } = answer
  const remarks = why === undefined ? notes : [...notes, why]
  const lines = [...instructions.map(({ kind, text }) => `${kind}: ${text}`), ...remarks]
  return {
    exit: 'ok',
    document: { accepted, file: null, instructions, notes: remarks },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}
