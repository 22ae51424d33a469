import type { Style } from './style.ts'

export type { Style } from './style.ts'

/**
 * Where a command reads from and writes to.
 * - `print` is for the answer, on stdout; `unwanted` means that nobody reads any more, which is no failure.
 * - `say` is talk, on stderr; it is never part of the answer.
 * - `readInput` gives all of stdin, or refuses what is longer than `maxBytes`.
 */
export interface Terminal {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person sits at it: `input` can be asked, `output` can be drawn on. */
  readonly input: 'terminal' | 'other'
  readonly output: 'terminal' | 'other'
  /** Columns of what is printed to. */
  readonly width: number
  /** For what is printed. */
  readonly style: Style
  /** For what is said. */
  readonly talkStyle: Style
  print(text: string): Promise<'written' | 'unwanted'>
  say(text: string): void
  readInput(maxBytes: number): Promise<Uint8Array>
}
