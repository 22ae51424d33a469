/**
 * The sessions of agents that are asked: a few at once, each kept for a while for further questions about its subject. They
 * are a cache: a question that finds none opens a new one.
 */
export interface KeptSession {
  /** Whether it can be asked again, and still shows what a new one would. */
  isUsable(): Promise<boolean>
  /** Idempotent. */
  end(): Promise<void>
}

export interface Asking<S, T> {
  /** Sessions of one key are the same; null: it is used once. */
  readonly key: string | null
  readonly open: (signal: AbortSignal) => Promise<S>
  readonly use: (session: S, signal: AbortSignal) => Promise<T>
  readonly signal: AbortSignal
}

export interface SessionLimits {
  /** At work, and kept. */
  readonly most: number
  readonly idleMs: number
}

interface Idle {
  readonly key: string
  readonly session: KeptSession
  readonly timer: NodeJS.Timeout
}

const LIMITS: SessionLimits = { most: 3, idleMs: 5 * 60_000 }

export class AgentSessions {
  readonly #limits: SessionLimits
  readonly #closing = new AbortController()
  readonly #asked = new Set<Promise<unknown>>()
  /** The oldest first. */
  #idle: readonly Idle[] = []
  #atWork = 0
  #waiting: readonly (() => void)[] = []

  constructor(limits: SessionLimits = LIMITS) {
    this.#limits = limits
  }

  /** Asks the session that an earlier question has left; a new one where there is none, or where that one fails. */
  ask<S extends KeptSession, T>(asking: Asking<S, T>): Promise<T> {
    const asked = this.#ask({ ...asking, signal: AbortSignal.any([asking.signal, this.#closing.signal]) })
    const settled: Promise<unknown> = asked.catch(() => undefined).then(() => this.#asked.delete(settled))
    this.#asked.add(settled)
    return asked
  }

  /** Ends all of them, and waits for it. What is asked later fails. */
  async close(): Promise<void> {
    this.#closing.abort(new Error('no agent is asked any more'))
    await Promise.all([...this.#idle.map((idle) => this.#endIdle(idle)), ...this.#asked])
  }

  async #ask<S extends KeptSession, T>(asking: Asking<S, T>): Promise<T> {
    await this.#begin(asking.signal)
    try {
      const kept = await this.#kept<S>(asking.key)
      if (kept !== null) {
        try {
          return await this.#using(kept, asking)
        } catch {
          // It is gone, or has had enough: a new one is asked. The caller's own end is no reason for that.
          asking.signal.throwIfAborted()
        }
      }
      const [oldest] = this.#idle
      if (oldest !== undefined && this.#atWork + this.#idle.length > this.#limits.most)
        await this.#endIdle(oldest)
      return await this.#using(await asking.open(asking.signal), asking)
    } finally {
      this.#atWork--
      this.#waiting[0]?.()
    }
  }

  async #using<S extends KeptSession, T>(session: S, { key, use, signal }: Asking<S, T>): Promise<T> {
    let answered = false
    try {
      const answer = await use(session, signal)
      answered = true
      return answer
    } finally {
      if (answered && key !== null && !signal.aborted) this.#keep(key, session)
      else await session.end()
    }
  }

  /** Waits until another may be at work. */
  async #begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    while (this.#atWork >= this.#limits.most) {
      const { promise, resolve } = Promise.withResolvers<void>()
      this.#waiting = [...this.#waiting, resolve]
      signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      this.#waiting = this.#waiting.filter((one) => one !== resolve)
      signal.throwIfAborted()
    }
    this.#atWork++
  }

  async #kept<S>(key: string | null): Promise<S | null> {
    const idle = this.#idle.find((one) => one.key === key)
    if (idle === undefined) return null
    this.#forget(idle)
    const { session } = idle
    // Sessions of one key are the same.
    if (await session.isUsable()) return session as S
    await session.end()
    return null
  }

  #keep(key: string, session: KeptSession): void {
    const timer = setTimeout(() => {
      // It ends in the background; nothing waits for it.
      this.#endIdle(idle).catch(() => undefined)
    }, this.#limits.idleMs).unref()
    const idle: Idle = { key, session, timer }
    this.#idle = [...this.#idle, idle]
  }

  async #endIdle(idle: Idle): Promise<void> {
    this.#forget(idle)
    await idle.session.end()
  }

  #forget(idle: Idle): void {
    clearTimeout(idle.timer)
    this.#idle = this.#idle.filter((one) => one !== idle)
  }
}
