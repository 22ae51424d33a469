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

function shortened(line: string): string {
  return line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line
}
