import type { Style } from './style.ts'

export type { Style } from './style.ts'

/**
 * Where a command reads from and writes to.
 * - `print` is for the answer, on stdout; `unwanted` means that nobody reads any more, which is no failure.
 * - `onUnread` calls when nobody reads any more, also while nothing is printed, as far as the system tells; what it
 *   gives back ends the looking.
 * - `say` is talk, on stderr; it is never part of the answer. What a terminal would obey in it is dropped, colours aside.
 * - `converse` is for where a person sits at it; whoever begins it closes it.
 * - `readInput` gives all of stdin, or refuses what is longer than `maxBytes`.
 */
export interface Terminal {
  /** Throws WorkingFolderGone where it was removed: read it only where it is needed. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person sits at it: `input` can be asked, `output` can be drawn on. */
  readonly input: 'terminal' | 'other'
  readonly output: 'terminal' | 'other'
  /** Columns of what is printed to. */
  readonly width: number
  /** Rows of it. */
  readonly height: number
  /** For what is printed. */
  readonly style: Style
  /** For what is said. */
  readonly talkStyle: Style
  print(text: string): Promise<'written' | 'unwanted'>
  onUnread(call: () => void): () => void
  say(text: string): void
  readInput(maxBytes: number): Promise<Uint8Array>
  converse(): Promise<Dialogue>
}

/**
 * Questions and answers with a person.
 * - `ask` gives the line they typed, or null when they have gone.
 * - `edit` lets them write at length, beginning with a text; null where that did not work.
 */
export interface Dialogue {
  ask(question: string): Promise<string | null>
  edit(text: string): Promise<string | null>
  close(): void
}
