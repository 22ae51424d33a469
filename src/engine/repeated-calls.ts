/** Which tool call each worker made last, and how often in a row. Not in the log: it begins anew with every PM. */
import { LOOPING_CALLS, type RepeatedCall } from '../core/watch/deadlines.ts'

/** Titles are the agent's own words, and may be long. */
const MOST_TITLE = 200

interface ToolCall {
  readonly worker: string
  readonly tool: string
  readonly title: string
  readonly seq: number
}

export class RepeatedCalls {
  readonly last = new Map<string, RepeatedCall>()
  readonly #seen = new Map<string, number>()

  /** Whether it was made so often that somebody should look. What was heard before does not count again. */
  note({ worker, tool, title, seq }: ToolCall): boolean {
    if (seq <= (this.#seen.get(worker) ?? -1)) return false
    this.#seen.set(worker, seq)
    const call = `${tool} ${title.slice(0, MOST_TITLE)}`.trim()
    const before = this.last.get(worker)
    const times = before?.call === call ? before.times + 1 : 1
    this.last.set(worker, { call, times })
    return times >= LOOPING_CALLS
  }

  forget(worker: string): void {
    this.last.delete(worker)
    this.#seen.delete(worker)
  }
}
