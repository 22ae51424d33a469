import { deliveryTime, isPause, lastInstruction } from '../../../core/watch/message-delivery.ts'
import type { Message } from '../../../core/event-schemas/watch.ts'

/** Messages that wait for the agent, each delivered once. */
export class SessionMessages {
  #waiting: Message[] = []
  readonly #delivered = new Set<number>()
  /** Of the last prompt, as long as the agent has not answered it. */
  #unread: readonly number[] = []
  /** The instruction by which the agent waits for a later one; null while it does not. */
  #pausedBy: number | null = null
  #more = Promise.withResolvers<void>()

  /** The agent waits for its next instruction. */
  get isPaused(): boolean {
    return this.#pausedBy !== null
  }

  add(message: Message): 'new' | 'known' | 'delivered' {
    if (this.#delivered.has(message.id)) return 'delivered'
    if (this.#waiting.some(({ id }) => id === message.id)) return 'known'
    this.#waiting.push(message)
    if (this.#isWorthTurn()) this.#more.resolve()
    return 'new'
  }

  withdraw(message: number): void {
    this.#waiting = this.#waiting.filter(({ id }) => id !== message)
  }

  /** Resolves once there is something to say. */
  async more(): Promise<void> {
    if (this.#isWorthTurn()) return
    this.#more = Promise.withResolvers()
    await this.#more.promise
  }

  /** What is due: to pause at once, and the messages for the next prompt, if there is reason for one. */
  take(): { readonly pauses: readonly Message[]; readonly prompts: readonly Message[] } {
    if (!this.#isWorthTurn()) return { pauses: [], prompts: [] }
    const last = lastInstruction(this.#waiting)
    const pauses = this.#waiting.filter(isPause)
    const others = this.#waiting.filter((message) => !isPause(message))
    this.#pausedBy = last !== null && isPause(last) ? last.id : null
    // Messages to a paused agent are sent when it continues.
    const prompts = this.isPaused ? [] : others
    this.#waiting = this.isPaused ? others : []
    for (const { id } of [...pauses, ...prompts]) this.#delivered.add(id)
    this.#unread = prompts.map(({ id }) => id)
    return { pauses, prompts }
  }

  /** The agent answers its last prompt: the messages in it that it had not answered before. */
  read(): readonly number[] {
    const read = this.#unread
    this.#unread = []
    return read
  }

  /** Only an instruction continues an agent that waits for one, and none from before its pause. */
  #isWorthTurn(): boolean {
    const since = this.#pausedBy
    return since === null
      ? this.#waiting.some((message) => deliveryTime(message) !== 'with_next_turn')
      : this.#waiting.some(({ kind, id }) => kind === 'instruction' && id > since)
  }
}
