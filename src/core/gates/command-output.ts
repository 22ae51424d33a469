/** What the output of a command says: the lines that explain a failure, and findings that can be compared between trees. */
import type { Finding } from '../event-schemas/evidence.ts'

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

/**
 * Findings of a linter or compiler in a form that can be compared between trees: each line without numbers, prefixed with its
 * file, and its count. Numbers are dropped because line numbers move with every change.
 */
export interface KnownFindings {
  /** Count per line. */
  readonly lines: Readonly<Record<string, number>>
  /** Totals that the tool prints ("12 errors"), by noun: some tools list only the first few findings. */
  readonly totals: Readonly<Record<string, number>>
}

interface ToolOutput {
  readonly text: string
  /** Paths of the checkout, which are removed from the lines. */
  readonly folders: readonly string[]
}

const NOUN = '(error|warning|problem|issue|finding|violation|offense|failure)s?'
const TOTAL = new RegExp(`\\b(\\d+) ${NOUN}\\b`, 'gi')
/** Quoted source lines around a finding, and the marks below them. */
const SHOWN_SOURCE = /^\s*(\d+\s*)?[|│]|^[\s|│]*[\^~─-]+\s*$|^\s*[>→]\s*\d+\s*[|│]/u

export function knownFindings({ text, folders }: ToolOutput): KnownFindings {
  const lines = new Map<string, number>()
  const totals = new Map<string, number>()
  let above = ''
  for (const raw of text.split('\n')) {
    const plain = withoutFolders(raw, folders).trimEnd()
    if (plain.trim() === '' || SHOWN_SOURCE.test(plain)) continue
    for (const [, count, noun] of plain.matchAll(TOTAL))
      add(totals, (noun ?? '').toLowerCase(), Number(count))
    const isIndented = /^\s/.test(plain)
    const line = withoutNumbers(plain.trim())
    // Some tools print the file name once and list its findings indented below.
    if (!isIndented) above = line
    add(lines, isIndented ? `${above} › ${line}` : line, 1)
  }
  return { lines: Object.fromEntries(lines), totals: Object.fromEntries(totals) }
}

/** Findings that are new, as the tool prints them but without numbers. */
export function newFindings(now: KnownFindings, before: KnownFindings): readonly string[] {
  const added = Object.entries(now.lines).flatMap(([line, count]) => {
    const more = count - (before.lines[line] ?? 0)
    if (more <= 0) return []
    return [more === 1 ? line : `${line} (${more} times more)`]
  })
  const totals = Object.entries(now.totals).flatMap(([noun, count]) => {
    const known = before.totals[noun] ?? 0
    return count > known ? [`${count} ${noun}s in all, ${known} at the start commit`] : []
  })
  return [...added, ...totals]
}

/** What any of two runs found: tools that end in a hurry do not print everything each time. */
export const foundByEither = (one: KnownFindings, other: KnownFindings): KnownFindings => ({
  lines: higherCounts(one.lines, other.lines),
  totals: higherCounts(one.totals, other.totals),
})

type Counts = Readonly<Record<string, number>>

const higherCounts = (one: Counts, other: Counts): Counts => ({
  ...one,
  ...Object.fromEntries(
    Object.entries(other).map(([key, count]) => [key, Math.max(count, one[key] ?? 0)] as const),
  ),
})

function withoutFolders(line: string, folders: readonly string[]): string {
  let plain = line
  for (const folder of folders) if (folder !== '') plain = plain.replaceAll(`${folder}/`, '')
  return plain
}

/** Singular and plural totals count as the same line. */
const withoutNumbers = (line: string): string =>
  line
    .replace(/\d+/g, '#')
    .replace(/# (\w+?)s\b/g, '# $1')
    .replace(/\s+/g, ' ')

const add = (counts: Map<string, number>, key: string, more: number): void =>
  void counts.set(key, (counts.get(key) ?? 0) + more)

/** How a finding begins that names a test. */
export const FAILING_TEST = /^(?:fails|still fails, as on the base|passed on the base, now failed): /
const TEST_COUNT = /\d+ of \d+ tests passed(?:, \d+ skipped)?(?:; |, but )?/g
const FATAL_NOUNS: ReadonlySet<string> = new Set(['error', 'failure'])

/**
 * Names what did not pass, so that two runs of a gate on different bases can be compared: a person's override holds for the
 * same failures, whatever else landed. Counts and line numbers are left out, because they change with every landing. The
 * blocking findings or, without any, the summary.
 */
export function failuresIn(summary: string, findings: readonly Finding[]): readonly string[] {
  const blocks = findings.filter(({ weight }) => weight === 'blocks')
  return blocks.length === 0 ? [summary.replaceAll(TEST_COUNT, '')] : withOrdinals(blocks)
}

/** A test fails once, however many runs show it; of other equal findings, each counts. */
function withOrdinals(blocks: readonly Finding[]): readonly string[] {
  const times = new Map<string, number>()
  const names = blocks.map(({ text, file }) => {
    if (FAILING_TEST.test(text)) return text.replace(FAILING_TEST, 'fails: ')
    const name = file === null ? text : `${file}: ${text}`
    const time = (times.get(name) ?? 0) + 1
    times.set(name, time)
    return time === 1 ? name : `${name} (${time})`
  })
  return [...new Set(names)]
}

/** What a tool without a report printed about its errors; empty if it printed nothing of the kind. */
export function failuresPrinted(text: string, folders: readonly string[]): readonly string[] {
  const { lines, totals } = knownFindings({ text: tellingLines(text).join('\n'), folders })
  const printed = Object.entries(lines).flatMap(([line, count]) =>
    Array.from({ length: count }, (_, at) => (at === 0 ? line : `${line} (${at + 1})`)),
  )
  const counted = Object.entries(totals).filter(([noun]) => FATAL_NOUNS.has(noun))
  return [...printed, ...counted.map(([noun, count]) => `${count} ${noun}s in all`)]
}

const SIGNS: readonly RegExp[] = [
  // dash, busybox, bash, zsh, make, git
  /^(?:\S*sh|\S*dash): (?:\d+: |line \d+: )?Cannot fork\s*$/,
  /\b(?:v?fork|can't fork|cannot fork\(\) for [^:]{1,80}|fork\/exec [^:]{1,300})(?: failed)?: (?:retry: )?resource temporarily unavailable/i,
  // Node
  /\bspawn(?:Sync)? \S{1,300} EAGAIN\b/,
  // Python
  /\bRuntimeError: can't start new thread\b/,
  // Go
  /\bruntime: failed to create new OS thread\b/,
  // Java
  /\bunable to create (?:new )?native thread\b/i,
  // Rust
  /\bfailed to spawn thread: Os \{ code: 11\b/,
  // C and C++ programs
  /\bpthread_create(?:\(\))?(?: failed)?: (?:Resource temporarily unavailable|EAGAIN)/,
]

const LONGEST_SEARCHED = 500
const SHOWN = 160

/**
 * Detects that a command failed because of a process limit (ulimit -u, a container limit) by the messages of shells, runtimes
 * and tools. Such a command checked nothing. The matching line, or null.
 */
export function outOfProcesses(output: string): string | null {
  const lines = output.split('\n').map((line) => line.slice(0, LONGEST_SEARCHED).trimEnd())
  const found = lines.find((line) => SIGNS.some((sign) => sign.test(line)))
  return (found ?? forkOfPython(lines))?.trim().slice(0, SHOWN) ?? null
}

/** EAGAIN alone may come from any non-blocking file or socket; the call above shows that it was a fork. */
function forkOfPython(lines: readonly string[]): string | undefined {
  const fork = lines.findIndex((line) => /\b(?:_fork_exec|os\.fork)\(/.test(line))
  if (fork === -1) return undefined
  return lines
    .slice(fork)
    .find((line) => /\[Errno (?:11|35)\] Resource temporarily unavailable\s*$/.test(line))
}
