/** What a worker is told when it has said something. */
import type { CommandResult } from '../command.ts'

export interface Told {
  readonly accepted: boolean
  readonly instructions: readonly { readonly kind: string; readonly text: string }[]
  readonly notes?: readonly string[]
  readonly why?: string
}

/** Null for what was left as a file. */
export function saidResult(told: Told | null, file: string | null): CommandResult {
  if (told === null)
    return {
      exit: 'ok',
      document: { accepted: null, file, instructions: [], notes: [] },
      text: () => `No daemon answers: it is left at ${file} and heard later.\n`,
    }
  const { accepted, instructions, notes = [], why } = told
  const remarks = why === undefined ? notes : [...notes, why]
  const lines = [...instructions.map(({ kind, text }) => `${kind}: ${text}`), ...remarks]
  return {
    exit: 'ok',
    document: { accepted, file: null, instructions, notes: remarks },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}
