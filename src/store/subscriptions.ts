/** The subscriptions of a log: each catches up from its position, then receives every commit. */
import type { Entry, EventReader, RecordedEvent } from '../ports/event-log.ts'

const CATCH_UP_PAGE = 512

interface Subscription<E extends RecordedEvent> {
  /** The last entry it received. */
  seq: number
  /** `catching_up` reads pages; `live` receives commits as they come; `ended` receives nothing. */
  state: 'catching_up' | 'live' | 'ended'
  /** Something was committed since the last page was asked for. */
  behind: boolean
  readonly listener: (entries: readonly Entry<E>[]) => void
  readonly failed: (error: Error) => void
}

/**
 * Invariant: an entry reaches a listener once, and after all entries before it. Publishing is not nested: what a
 * listener appends is published after all listeners have received the entries before it.
 */
export class Subscriptions<E extends RecordedEvent> {
  readonly #tail: EventReader<E>['tail']
  readonly #all = new Set<Subscription<E>>()
  readonly #unpublished: (readonly Entry<E>[])[] = []
  #publishing = false

  constructor(tail: EventReader<E>['tail']) {
    this.#tail = tail
  }

  add(
    afterSeq: number,
    listener: (entries: readonly Entry<E>[]) => void,
    failed: (error: Error) => void = throwUncaught,
  ): () => void {
    const subscription: Subscription<E> = {
      seq: afterSeq,
      state: 'catching_up',
      behind: false,
      listener,
      failed,
    }
    this.#all.add(subscription)
    void this.#catchUp(subscription)
    return () => this.#end(subscription)
  }

  /** Publishes committed entries, which follow those published before. */
  publish(entries: readonly Entry<E>[]): void {
    if (this.#all.size === 0 || entries.length === 0) return
    this.#unpublished.push(entries)
    if (this.#publishing) return
    this.#publishing = true
    for (let next = this.#unpublished.shift(); next !== undefined; next = this.#unpublished.shift()) {
      for (const subscription of this.#all) {
        if (subscription.state === 'live') this.#deliver(subscription, next)
        else subscription.behind = true
      }
    }
    this.#publishing = false
  }

  endAll(): void {
    for (const subscription of this.#all) this.#end(subscription)
  }

  /** Never rejects: what goes wrong is the subscription's `failed`. */
  async #catchUp(subscription: Subscription<E>): Promise<void> {
    try {
      for (
        let page: readonly Entry<E>[] | null = null;
        page === null || page.length > 0 || subscription.behind;
      ) {
        subscription.behind = false
        page = await this.#tail(subscription.seq, CATCH_UP_PAGE)
        if (subscription.state === 'ended') return
        this.#deliver(subscription, page)
      }
      if (subscription.state === 'catching_up') subscription.state = 'live'
    } catch (error) {
      this.#fail(subscription, error)
    }
  }

  #deliver(subscription: Subscription<E>, entries: readonly Entry<E>[]): void {
    const [first] = entries
    const last = entries.at(-1)
    if (first === undefined || last === undefined || last.seq <= subscription.seq) return
    const fresh = first.seq > subscription.seq ? entries : entries.filter(({ seq }) => seq > subscription.seq)
    subscription.seq = last.seq
    try {
      subscription.listener(fresh)
    } catch (error) {
      this.#fail(subscription, error)
    }
  }

  #fail(subscription: Subscription<E>, error: unknown): void {
    if (subscription.state === 'ended') return
    this.#end(subscription)
    try {
      subscription.failed(error instanceof Error ? error : new Error(String(error)))
    } catch (failure) {
      throwUncaught(failure instanceof Error ? failure : new Error(String(failure)))
    }
  }

  #end(subscription: Subscription<E>): void {
    subscription.state = 'ended'
    this.#all.delete(subscription)
  }
}

/** A failure without a handler must not pass silently. */
function throwUncaught(error: Error): void {
  queueMicrotask(() => {
    throw error
  })
}
