/** Picks the few lines of an output that show what happened. */

const MOST_LINES = 20
const LAST_LINES = 5
const LONGEST_LINE = 240
const LOOKED_AT = 200_000
const TELLING =
  /\b(error|errors|failed|failing|failure|fail|FAILED|panicked|exception|assert\w*|expected|actual|cannot|undefined|not found|not ok)\b|^\s{0,20}[✖✗×✕●]|^E {2}/i

/** `text` has no escape sequences. The last lines are always included. */
export function keyLines(text: string): string[] {
  const lines = text
    .slice(-LOOKED_AT)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
  const end = Math.max(0, lines.length - LAST_LINES)
  const telling = lines.slice(0, end).filter((line) => TELLING.test(line.slice(0, LONGEST_LINE)))
  return [...telling.slice(0, MOST_LINES - LAST_LINES), ...lines.slice(end)].map(shortened)
}

/** The lines that name an error, of a bounded part of the output. */
export function tellingLines(text: string): readonly string[] {
  const lines = text.slice(-LOOKED_AT).split('\n')
  return lines.filter((line) => !ANNOUNCED.test(line) && TELLING.test(line.slice(0, LONGEST_LINE)))
}

const MISSING = /not found|no module named|no such file|cannot find|not recognized|command failed to start/i
/** The script that npm, pnpm and yarn print before they run it. */
const ANNOUNCED = /^\s{0,9}(>|\$)\s/

/** The line that best explains why a command failed or could not run; empty without output. */
export function mainErrorLine(lines: readonly string[]): string {
  const printed = lines.filter((line) => !ANNOUNCED.test(line) && line.trim() !== '')
  return (printed.find((line) => MISSING.test(line)) ?? printed[0] ?? '').trim()
}

/** Appends the main error line to a summary. */
export function withErrorLine(summary: string, lines: readonly string[]): string {
  const line = mainErrorLine(lines)
  return line === '' ? summary : `${summary}: ${line}`
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
}
