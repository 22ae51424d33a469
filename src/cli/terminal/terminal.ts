/**
 * Where a command reads from and writes to.
 * - `print` writes the result to stdout; `unwanted` means that the reader has gone, which is not an error.
 * - `onUnread` calls when the reader has gone, also while nothing is printed, where the system can detect it; the
 *   returned function stops watching.
 * - `printMessage` writes messages to stderr, never part of the result. Control sequences other than colours are dropped.
 * - `attach` runs a program at this terminal, which it has to itself until it ends; `not_started` says why there is none.
 * - `converse` asks at the terminal, or reads lines of a pipe; the caller closes it. `echo`: where answers of a pipe are
 *   shown with their questions.
 * - `readInput` reads all of stdin, or refuses input longer than `maxBytes`.
 */
export interface Terminal {
  /** Throws WorkingFolderGone where it was removed, so read it only when needed. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether it is interactive: `input` can answer questions, `output` can be redrawn. */
  readonly input: 'terminal' | 'other'
  readonly output: 'terminal' | 'other'
  /** In columns. */
  readonly width: number
  /** In rows. */
  readonly height: number
  /** For stdout. */
  readonly style: Style
  /** For stderr. */
  readonly messageStyle: Style
  print(text: string): Promise<'written' | 'unwanted'>
  onUnread(call: () => void): () => void
  printMessage(text: string): void
  readInput(maxBytes: number): Promise<Uint8Array>
  converse(how?: { readonly echo: 'stdout' | 'none' }): Promise<Dialogue>
  attach(program: AttachedProgram): Promise<AttachedEnd>
}

export interface AttachedProgram {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

export type AttachedEnd = { readonly kind: 'ended' } | { readonly kind: 'not_started'; readonly why: string }

/**
 * Questions and answers with a person.
 * - `ask` resolves to the typed line, or null at the end of input.
 * - `edit` opens an editor on a text; null where that failed.
 */
export interface Dialogue {
  ask(question: string): Promise<string | null>
  edit(text: string): Promise<string | null>
  close(): void
}

/**
 * Colours, or none. Not a library: the usual ones touch `process.stdout` when loaded, and creating that
 * stream takes longer than printing a whole plan.
 */
export interface Style {
  readonly isColorSupported: boolean
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

type Paint = (text: string) => string

/** The text unchanged where no colour is wanted. */
export function styleOf(wanted: 'coloured' | 'plain'): Style {
  const paint = (open: number, close: number): Paint => {
    if (wanted === 'plain') return (text) => text
    const [start, end] = [`\u001b[${open}m`, `\u001b[${close}m`]
    // A nested colour ends with the same code, so the outer one is started again.
    return (text) => `${start}${text.replaceAll(end, `${end}${start}`)}${end}`
  }
  return {
    isColorSupported: wanted === 'coloured',
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
