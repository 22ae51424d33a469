/** A session with an agent, and the plainest one: a command that is given its brief. */
import type { Spawned } from '../../lib/process/spawn-contained.ts'
import type { Redactor } from '../../lib/text/redactor.ts'
import type { SessionMessage, SessionUsage } from '../../ports/agent.ts'
import { TokenEstimate } from '../../core/crew/token-estimate.ts'
import {
  isNews,
  NO_AMOUNTS,
  plus,
  readingAmounts,
  tokensOf,
  type Amounts,
} from '../command/reported-amounts.ts'
import { readOutputLine, type OutputLine } from '../command/output-formats.ts'
import type { JournalFact, WorkerFolder, WorkerJob } from '../worker-folder.ts'
import { lastLine, type Ending } from './worker-end.ts'
import { readLines, type OutputLog } from './journal.ts'

/**
 * A plain command: it reads its brief on stdin, what it prints is kept, and its exit is its end. What it prints as JSON is
 * kept as the text that a person would read.
 */
export function commandSession(parts: SessionParts): AgentSession {
  const { job, started, output, note, onUsed } = parts
  const { child, exited } = started
  const format = job.prints
  const usage = new CommandUsage(job.brief)
  child.stderr?.on('data', (chunk: Buffer) => output.add(chunk, 'stderr'))
  if (format === 'unmetered' || format === 'text')
    child.stdout?.on('data', (chunk: Buffer) => {
      output.add(chunk)
      usage.printed(chunk.length)
    })
  else {
    let noted: SessionUsage | null = null
    const print = (text: string): void => output.add(Buffer.from(`${text}\n`))
    const onLine = (line: string): void => {
      const read = readingAmounts(() => readOutputLine(format, line), print)
      usage.take(read)
      // It gives a sign of life, whatever the line says.
      if (read.text === null) output.touch(line.length)
      else {
        usage.printed(read.text.length)
        print(read.text)
      }
      const used = usage.used
      if (used === null || used.isEstimated === true) return
      onUsed(used)
      if (!isNews(noted, used)) return
      noted = used
      note({ kind: 'usage', ...used })
    }
    if (child.stdout !== null) readLines(child.stdout, { onLine, onTooLong: print })
  }
  return {
    over: exited,
    receive: () => undefined,
    leave: async () => false,
    lastOutput: () => output.lastOutput(),
    lastWords: () => lastLine(output.lastOutput()) ?? '',
    usage: () => (format === 'unmetered' ? null : usage.used),
  }
}

/** How one agent is driven, by its protocol. Its process and its limits are the supervisor's. */
export interface AgentSession {
  /** Settles when the agent has come to an end by itself; never because it was asked to. */
  readonly over: Promise<Ending>
  /** Passes a message on as soon as the agent can take it. A plain command takes none. */
  receive(message: SessionMessage): void
  /**
   * Ends the conversation as the protocol wants it, before the processes are ended. Resolves, within seconds, with whether
   * the agent was at work.
   */
  leave(): Promise<boolean>
  /** The end of its output and messages. */
  lastOutput(): string
  /** The end of its own text, or of its output where it wrote none. */
  lastWords(): string
  /** What it used, as far as it reports that. */
  usage(): SessionUsage | null
}

/** What a session works with. */
export interface SessionParts {
  readonly job: WorkerJob
  readonly folder: WorkerFolder
  readonly started: Spawned
  readonly output: OutputLog
  /** Takes the values of secrets out of what is kept. */
  readonly hide: Redactor
  /** Never throws. */
  readonly note: (fact: JournalFact) => void
  /** Takes what the worker has used so far, at every update. */
  readonly onUsed: (used: SessionUsage) => void
  /** Whether the worker left a report or changed a file. */
  readonly hasDoneAnything: () => boolean
}

/** Answers whose usage may still be corrected by a later line. */
const MOST_ANSWERS = 50

/** Adds up what a plain command used, from the lines it prints; estimated where they do not say. */
class CommandUsage {
  readonly #estimate = new TokenEstimate()
  /** Of answers that are settled. */
  #settled = NO_AMOUNTS
  /** Of the last answers, by their id. */
  readonly #answers = new Map<string, Amounts>()
  #unnamed = 0
  #total: Amounts | null = null
  #model: string | null = null

  constructor(brief: string) {
    this.#estimate.beginTurn()
    this.#estimate.reads(brief.length)
  }

  /** It printed so many characters that no reader understands. */
  printed(characters: number): void {
    this.#estimate.writes(characters)
  }

  take({ step, total, model }: OutputLine): void {
    if (model !== undefined) this.#model = model
    if (total !== undefined) this.#total = total
    if (step === undefined) return
    const id = step.id ?? `#${++this.#unnamed}`
    this.#answers.set(id, step.used)
    const [oldest] = this.#answers
    if (this.#answers.size <= MOST_ANSWERS || oldest === undefined) return
    this.#settled = plus(this.#settled, oldest[1])
    this.#answers.delete(oldest[0])
  }

  /** Null before it has printed anything. */
  get used(): SessionUsage | null {
    const steps = [...this.#answers.values()].reduce(plus, this.#settled)
    const counted = this.#total !== null && tokensOf(this.#total) >= tokensOf(steps) ? this.#total : steps
    const usd = this.#total?.usd ?? steps.usd
    const isCounted = tokensOf(counted) > 0 || usd !== null
    if (!isCounted && this.#estimate.steps === 0) return null
    const {
      in: tokensIn,
      out: tokensOut,
      cached: tokensCached,
    } = isCounted ? counted : { ...this.#estimate.tokens, cached: null }
    const estimated = isCounted ? {} : { isEstimated: true }
    return { tokensIn, tokensOut, tokensCached, usd, model: this.#model, ...estimated }
  }
}
