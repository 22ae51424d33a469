/**
 * Limits open connections. Any local program can open idle ones; the holder of the token still gets through, because the
 * oldest idle connection is closed for every new one.
 */
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

/** What a connection is used for, and since when, in the order in which uses began. */
interface Use {
  order: number
  /** The request that it answers; null if idle. */
  incoming: IncomingMessage | null
}

export class ConnectionRoom {
  readonly #most: number
  readonly #isOwner: (incoming: IncomingMessage) => boolean
  /**
   * Changed in place: a map that entries leave and enter with every request keeps the requests of before
   * alive through several collections, which takes more time than all the rest of a check-in.
   */
  readonly #uses = new Map<Socket, Use>()
  #order = 0

  /** Whose request it is costs too much to find out for each; `isOwner` is called only when there is no room. */
  constructor(most: number, isOwner: (incoming: IncomingMessage) => boolean) {
    this.#most = most
    this.#isOwner = isOwner
  }

  get size(): number {
    return this.#uses.size
  }

  add(socket: Socket): void {
    if (this.#uses.size >= this.#most && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    this.#uses.set(socket, { order: this.#order++, incoming: null })
    socket.once('close', () => this.#uses.delete(socket))
  }

  /** A complete request is being answered until `done`. */
  answers(incoming: IncomingMessage): { done(): void } {
    const use = this.#uses.get(incoming.socket)
    this.#begin(use, incoming)
    return { done: () => this.#begin(use, null) }
  }

  #begin(use: Use | undefined, incoming: IncomingMessage | null): void {
    if (use === undefined) return
    use.order = this.#order++
    use.incoming = incoming
  }

  /** Closes an idle connection, or else one that answers a stranger: never the owner's for another. */
  #makeRoom(): boolean {
    const byAge = [...this.#uses].sort(([, one], [, other]) => one.order - other.order)
    const closed =
      byAge.find(([, { incoming }]) => incoming === null) ??
      byAge.find(([, { incoming }]) => incoming !== null && !this.#isOwner(incoming))
    if (closed === undefined) return false
    const [socket] = closed
    this.#uses.delete(socket)
    socket.destroy()
    return true
  }
}
