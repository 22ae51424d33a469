import { deliveryTime, isPause } from '../../../core/watch/message-delivery.ts'
import type { Message } from '../../../core/event-schemas/watch.ts'

/** Messages that wait for the agent, each delivered once. */
export class SessionMessages {
  #waiting: Message[] = []
  readonly #delivered = new Set<number>()
  #isPaused = false
  #more = Promise.withResolvers<void>()

  /** The agent has been asked to wait for its next instruction. */
  get isPaused(): boolean {
    return this.#isPaused
  }

  add(message: Message): 'new' | 'known' | 'delivered' {
    if (this.#delivered.has(message.id)) return 'delivered'
    if (this.#waiting.some(({ id }) => id === message.id)) return 'known'
    this.#waiting.push(message)
    if (isWorthTurn(message)) this.#more.resolve()
    return 'new'
  }

  withdraw(message: number): void {
    this.#waiting = this.#waiting.filter(({ id }) => id !== message)
  }

  /** Resolves once there is something to say. */
  async more(): Promise<void> {
    if (this.#waiting.some(isWorthTurn)) return
    this.#more = Promise.withResolvers()
    await this.#more.promise
  }

  /** All of them, if one of them is worth a turn. */
  take(): readonly Message[] {
    if (!this.#waiting.some(isWorthTurn)) return []
    const due = this.#waiting
    this.#waiting = []
    for (const { id } of due) this.#delivered.add(id)
    this.#isPaused = due.some(isPause)
    return due
  }
}

const isWorthTurn = (message: Message): boolean => deliveryTime(message) !== 'with_next_turn'
