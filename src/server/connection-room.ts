/**
 * Limits open connections. Any local program can open idle ones; the holder of the token still gets through, because the
 * oldest idle connection is closed for every new one.
 */
import type { Socket } from 'node:net'

/** What a connection is used for at the moment. */
type Use = 'idle' | 'answering' | 'answering the owner'

/** Closed first, in this order. The owner's connections are never closed for another. */
const CLOSED_FIRST: readonly Use[] = ['idle', 'answering']

export class ConnectionRoom {
  readonly #most: number
  /** The longest in that state comes first. */
  readonly #uses = new Map<Socket, Use>()

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#uses.size
  }

  add(socket: Socket): void {
    if (this.#uses.size >= this.#most && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    this.#uses.set(socket, 'idle')
    socket.once('close', () => this.#uses.delete(socket))
  }

  /** A complete request is being answered until `done`. */
  answers(socket: Socket, use: Exclude<Use, 'idle'>): { done(): void } {
    this.#use(socket, use)
    return { done: () => this.#use(socket, 'idle') }
  }

  #use(socket: Socket, use: Use): void {
    if (!this.#uses.delete(socket)) return
    this.#uses.set(socket, use)
  }

  #makeRoom(): boolean {
    for (const use of CLOSED_FIRST) {
      for (const [socket, used] of this.#uses) {
        if (used !== use) continue
        this.#uses.delete(socket)
        socket.destroy()
        return true
      }
    }
    return false
  }
}
