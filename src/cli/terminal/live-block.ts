/** A block of lines at the bottom of a terminal, redrawn in place below permanent lines. */
import { terminalText, terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import { cutText, textWidth } from '../../lib/text/text-width.ts'
import type { Terminal } from './terminal.ts'

const MOST_LINES = 18

export class LiveBlock {
  readonly #terminal: Terminal
  #drawn = 0

  constructor(terminal: Terminal) {
    this.#terminal = terminal
  }

  /** Prints permanent lines above the block and redraws the block. */
  async draw(above: readonly string[], block: readonly string[]): Promise<'written' | 'unwanted'> {
    const { width } = this.#terminal
    const safe = (lines: readonly string[]): string =>
      lines.map((line) => `${terminalTextWithColours(fitted(line, width))}\n`).join('')
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`
    const shown = shortened(block)
    this.#drawn = shown.length
    return this.#terminal.print(`${back}\u001b[J${safe(above)}${safe(shown)}`)
  }

  /** Removes the block. */
  async clear(): Promise<void> {
    if (this.#drawn > 0) await this.#terminal.print(`\u001b[${this.#drawn}A\u001b[J`)
    this.#drawn = 0
  }
}

/** Cuts a line that would wrap; a cut line loses its colours. */
function fitted(line: string, width: number): string {
  const plain = terminalText(line)
  return textWidth(plain) < width ? line : cutText(plain, width - 1)
}

/** A block taller than the terminal could not be redrawn in place. */
function shortened(block: readonly string[]): readonly string[] {
  const rest = block.length - MOST_LINES
  return rest <= 0 ? block : [...block.slice(0, MOST_LINES), `  … ${rest} more lines (bosun status)`]
}
