/**
 * Writes down what happens in a session: the transcript has all of it, as one line a piece; the journal has what Bosun acts
 * on, and of the text only the end of each second's.
 */
import type { SessionEvent } from '../../../ports/agent.ts'
import type { JournalFact } from '../../worker-folder.ts'

type TextOf = Extract<SessionEvent, { kind: 'text' }>['of']

export interface LogTargets {
  readonly note: (fact: JournalFact) => void
  /** Appends one line. */
  readonly transcribe: (line: string) => void
  readonly now: () => number
}

const FLUSH_MS = 1000
const MAX_PIECE = 16 * 1024
const MAX_EXCERPT = 500
const MAX_OUTPUT_END = 8192
/** Entries of one kind in the journal, which Bosun reads as a whole; the transcript goes on. */
const MOST_ENTRIES = 20_000

export class SessionLog {
  readonly #to: LogTargets
  #piece: { of: TextOf; text: string } | null = null
  #excerpt: { of: TextOf; text: string } | null = null
  #timer: NodeJS.Timeout | undefined
  #messageEnd = ''
  #isClosed = false
  readonly #entries = new Map<string, number>()

  constructor(to: LogTargets) {
    this.#to = to
  }

  /** The end of the agent's own messages in this turn. */
  get messageEnd(): string {
    return this.#messageEnd
  }

  /** A new turn begins. */
  forget(): void {
    this.#messageEnd = ''
  }

  text(of: TextOf, text: string): void {
    if (text === '' || this.#isClosed) return
    if (of === 'message') this.#messageEnd = (this.#messageEnd + text).slice(-MAX_OUTPUT_END)
    if (this.#piece !== null && (this.#piece.of !== of || this.#piece.text.length > MAX_PIECE))
      this.#transcribe()
    this.#piece = { of, text: (this.#piece?.text ?? '') + text }
    this.#excerpt = {
      of,
      text: ((this.#excerpt?.of === of ? this.#excerpt.text : '') + text).slice(-MAX_EXCERPT),
    }
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  /** An entry of the journal, with what only the transcript keeps of it. */
  fact(fact: JournalFact, more: Readonly<Record<string, unknown>> = {}): void {
    if (this.#isClosed) return
    this.#transcribe()
    this.#line({ ...fact, ...more })
    this.note(fact)
  }

  /** An entry of the journal alone. */
  note(fact: JournalFact): void {
    if (this.#isClosed) return
    const count = (this.#entries.get(fact.kind) ?? 0) + 1
    this.#entries.set(fact.kind, count)
    if (count < MOST_ENTRIES) this.#to.note(fact)
    else if (count === MOST_ENTRIES)
      this.#to.note({ kind: 'error', text: `more than ${MOST_ENTRIES} entries of ${fact.kind}` })
  }

  /** For the transcript alone. */
  remark(kind: string, fields: Readonly<Record<string, unknown>>): void {
    if (this.#isClosed) return
    this.#transcribe()
    this.#line({ kind, ...fields })
  }

  /** Nothing is written after this: what still comes, comes from an agent that is being ended. */
  close(): void {
    this.flush()
    this.#isClosed = true
  }

  flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#transcribe()
    if (this.#excerpt !== null) this.#to.note({ kind: 'text', ...this.#excerpt })
    this.#excerpt = null
  }

  #transcribe(): void {
    if (this.#piece !== null) this.#line({ kind: 'text', ...this.#piece })
    this.#piece = null
  }

  #line(fields: Readonly<Record<string, unknown>>): void {
    this.#to.transcribe(JSON.stringify({ at: this.#to.now(), ...fields }))
  }
}
