/** What became of a replayed plan, from what `bosun run --json` printed and how it ended. */

export interface Line {
  readonly event?: string
  readonly task_id?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly outcome?: string
  readonly commits?: readonly { readonly task: string; readonly sha: string }[]
  readonly inbox?: readonly { readonly problem: string; readonly blocking: boolean }[]
}

export interface Run {
  /** Null: it was ended at its limit. */
  readonly exit: number | null
  readonly lines: readonly Line[]
  readonly stderr: string
  readonly tasks: number
}

export type Outcome =
  | 'landed'
  | 'landed later'
  | 'taken as existing'
  | 'asked'
  | 'waiting'
  | 'refused'
  | 'not started'
  | 'out of time'

export interface Judged {
  readonly outcome: Outcome
  /** The most attempts that one of its tasks took. */
  readonly attempts: number
  /** The first refusal, else what waits for a person. */
  readonly cause: string | null
  readonly waits: readonly string[]
}

const NEEDS_PERSON = 10
const GATE_FAILED = 11

export function judge(run: Run): Judged {
  const attempts = attemptsOf(run.lines)
  const last = run.lines.findLast(({ outcome }) => outcome !== undefined)
  const waits = (last?.inbox ?? []).filter(({ blocking }) => blocking).map(({ problem }) => problem)
  const outcome = outcomeOf(run, last, attempts)
  const isWell = outcome === 'landed' || outcome === 'taken as existing'
  const cause = isWell ? null : (firstRefusal(run.lines) ?? waits[0] ?? lastWords(run.stderr))
  return { outcome, attempts, cause, waits }
}

function outcomeOf(run: Run, last: Line | undefined, attempts: number): Outcome {
  if (run.exit === null) return 'out of time'
  if (last === undefined) return 'not started'
  if (run.exit === 0) {
    if ((last.commits ?? []).length < run.tasks) return 'taken as existing'
    return attempts <= 1 ? 'landed' : 'landed later'
  }
  if (run.exit === GATE_FAILED) return 'refused'
  if (run.exit === NEEDS_PERSON) return attempts === 0 ? 'asked' : 'waiting'
  return 'not started'
}

/** Launches of reviewers are other events. */
function attemptsOf(lines: readonly Line[]): number {
  const sent = lines.filter(({ event }) => event === 'task_dispatched').map(({ task_id: task }) => task)
  return Math.max(0, ...sent.map((task) => sent.filter((one) => one === task).length))
}

/** All gates that refused the task in the same round. */
function firstRefusal(lines: readonly Line[]): string | null {
  const isRefusal = ({ event }: Line): boolean => event === 'gate_failed' || event === 'gate_inconclusive'
  const start = lines.findIndex(isRefusal)
  if (start < 0) return null
  const rest = lines.slice(start)
  const end = rest.findIndex(({ event }) => event === undefined || !event.startsWith('gate_'))
  const round = rest.slice(0, end < 0 ? undefined : end).filter(isRefusal)
  return round
    .map(({ event, data }) => {
      const unsure = event === 'gate_inconclusive' ? ' inconclusive' : ''
      return `${String(data?.['gate'])}${unsure}: ${String(data?.['summary'])}`
    })
    .join(' · ')
}

const lastWords = (stderr: string): string | null =>
  stderr
    .trim()
    .split('\n')
    .findLast((line) => line !== '') ?? null

/** A shell command as its simple commands, each as words, without the variables set for it. */
export function simpleCommands(command: string): readonly (readonly string[])[] {
  return command
    .split(/&&|\|\||[;|]/)
    .map((part) => {
      const words = part.split(/\s+/).filter((word) => word !== '')
      const start = words.findIndex((word) => !/^\w+=/.test(word))
      return start < 0 ? [] : words.slice(start)
    })
    .filter((words) => words.length > 0)
}

/** How many of these calls run all of a command: its last simple command, with more options, but for no named file. */
export function wholeRuns(command: string, calls: readonly string[], files: readonly string[]): number {
  const wanted = simpleCommands(command).at(-1) ?? []
  return calls.filter((call) => {
    const words = call.split(' ')
    let at = 0
    for (const word of words) if (word === wanted[at]) at++
    const isWhole = at === wanted.length && wanted.length > 0
    return isWhole && !files.some((file) => words.some((word) => word.endsWith(file)))
  }).length
}
