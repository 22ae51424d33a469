/** The few lines of an output that tell what happened: what a person would quote. */

const MOST_LINES = 20
const LAST_LINES = 5
const LONGEST_LINE = 240
const LOOKED_AT = 200_000
const TELLING =
  /\b(error|errors|failed|failing|failure|fail|FAILED|panicked|exception|assert\w*|expected|actual|cannot|undefined|not found|not ok)\b|^\s{0,20}[✖✗×✕●]|^E {2}/i

/** `text` is free of escape sequences. The end of an output is always among them. */
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

const MISSING = /not found|no such file|cannot find|not recognized|command failed to start/i
/** What npm, pnpm and yarn print of a script before they run it, and what is left of an empty line. */
const ANNOUNCED = /^\s{0,9}(>|\$)\s/

/** The one line that says best why a command could not run or failed; empty where it said nothing. */
export function tellingLine(lines: readonly string[]): string {
  const said = lines.filter((line) => !ANNOUNCED.test(line) && line.trim() !== '')
  return (said.find((line) => MISSING.test(line)) ?? said[0] ?? '').trim()
}

/** `words`, and that line after them. */
export function withTellingLine(words: string, lines: readonly string[]): string {
  const said = tellingLine(lines)
  return said === '' ? words : `${words}: ${said}`
}

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
}
