/**
 * Transcripts as far as they were read, kept while the page is open: another tab of the page, or a daemon that is gone, costs
 * nothing of them, and reading goes on where it was.
 */
import type { TranscriptAnswer, TranscriptLine } from '../../../../src/protocol/worker-views.ts'

/** Of one transcript the newest ones are kept; the command line shows all of it. */
const MOST_LINES = 50_000
/** Those that were read last. */
const MOST_TRANSCRIPTS = 8

export interface Transcript {
  readonly lines: readonly TranscriptLine[]
  /** Whether the beginning was left out. */
  readonly isCut: boolean
  readonly state: 'loading' | 'following' | 'ended' | 'none'
  readonly error: Error | null
  /** Where the next page begins; undefined before the first. */
  readonly next: string | undefined
}

const NOTHING: Transcript = { lines: [], isCut: false, state: 'loading', error: null, next: undefined }

export class KeptTranscripts {
  /** The one that was used last is the last. */
  readonly #kept = new Map<string, Transcript>()

  of(key: string): Transcript {
    return this.#kept.get(key) ?? NOTHING
  }

  change(key: string, change: (before: Transcript) => Transcript): Transcript {
    const next = change(this.of(key))
    this.#kept.delete(key)
    this.#kept.set(key, next)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size > MOST_TRANSCRIPTS && oldest !== undefined) this.#kept.delete(oldest)
    return next
  }
}

type Page = Pick<TranscriptAnswer, 'entries' | 'next' | 'has_more' | 'ended'>

export function withPage(before: Transcript, page: Page): Transcript {
  const state = page.ended ? 'ended' : page.has_more ? 'loading' : 'following'
  return { ...withLines(before, page.entries), state, error: null, next: page.next }
}

/** What was read stays. `isNone`: one that has just begun may have written nothing yet. */
export function withFailure(before: Transcript, error: Error, isNone: boolean): Transcript {
  const isEmpty = before.lines.length === 0
  return { ...before, state: isEmpty && isNone ? 'none' : before.state, error: isNone ? null : error }
}

function withLines(before: Transcript, added: readonly TranscriptLine[]): Transcript {
  if (added.length === 0) return before
  const lines = [...before.lines, ...added]
  return lines.length <= MOST_LINES
    ? { ...before, lines }
    : { ...before, lines: lines.slice(-MOST_LINES), isCut: true }
}
