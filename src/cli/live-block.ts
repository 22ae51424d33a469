/** A few lines at the bottom of a terminal that are drawn again and again, with lines of their own above them. */
import { terminalTextWithColours } from '../lib/terminal-text.ts'
import { cutText } from '../lib/text-width.ts'
import type { Terminal } from './terminal.ts'

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
    this.#drawn = block.length
    return this.#terminal.print(`${back}\u001b[J${safe(above)}${safe(block)}`)
  }

  /** Takes the block away. */
  async clear(): Promise<void> {
    if (this.#drawn > 0) await this.#terminal.print(`\u001b[${this.#drawn}A\u001b[J`)
    this.#drawn = 0
  }
}

/** A line that wraps would make the block taller than it knows; colours have no width, and painted lines are short. */
function fitted(line: string, width: number): string {
  return line.includes('\u001b') ? line : cutText(line, width - 1)
}
