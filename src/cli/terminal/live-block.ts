/** A few lines at the bottom of a terminal that are drawn again and again, with lines of their own above them. */
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

  /** Puts these lines above the block for good, and draws the block anew. */
  async draw(above: readonly string[], block: readonly string[]): Promise<'written' | 'unwanted'> {
    const { width } = this.#terminal
    const safe = (lines: readonly string[]): string =>
      lines.map((line) => `${terminalTextWithColours(fitted(line, width))}\n`).join('')
    const back = this.#drawn === 0 ? '' : `\u001b[${this.#drawn}A`
    const shown = shortened(block)
    this.#drawn = shown.length
    return this.#terminal.print(`${back}\u001b[J${safe(above)}${safe(shown)}`)
  }

  /** Takes the block away. */
  async clear(): Promise<void> {
    if (this.#drawn > 0) await this.#terminal.print(`\u001b[${this.#drawn}A\u001b[J`)
    this.#drawn = 0
  }
}

/** A line that wraps would make the block taller than it knows. One that is too long loses its colours. */
function fitted(line: string, width: number): string {
  const plain = terminalText(line)
  return textWidth(plain) < width ? line : cutText(plain, width - 1)
}

/** A block that is taller than the terminal could not be drawn over. */
function shortened(block: readonly string[]): readonly string[] {
  const rest = block.length - MOST_LINES
  return rest <= 0 ? block : [...block.slice(0, MOST_LINES), `  … ${rest} more lines: bosun status`]
}
