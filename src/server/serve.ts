/** Runs the daemon: opens store, host and socket, and closes them in reverse. */
import { createHash } from 'node:crypto'
import type { Host } from '../app/host/host.ts'
import { STOP_TIMEOUT_MS } from '../client/exchange.ts'
import { Refusal, refusal } from '../lib/refusal.ts'
import { formatDuration } from '../lib/text/format-time.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import type { Door } from './app.ts'
import { hasToken, tokenIn } from './guard.ts'
import { PageSessions } from './page/page-sessions.ts'
import { listen, type Listening, type ListenRequest, type Respond } from './listen.ts'
import { ensureToken, keepToken } from './token.ts'
import { readFile, rm, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { atomicWriteText } from '../lib/files/atomic-write.ts'
import { errorCode } from '../lib/files/system-error.ts'

/** By then the effects that were owed have started. */
const STARTED_MS = 1000
/** How long a stop waits for one part, */
const PART_MS = 15_000
/** for all of them, */
const ALL_MS = STOP_TIMEOUT_MS - 20_000
/** and at least for each: the store is closed last. */
const LEAST_MS = 1000

export interface ServeRequest<S extends ServedStore> {
  readonly version: string
  readonly build: string
  /** Null for the usual port of this state root, or any other if that is taken. */
  readonly port: number | null
  /** Takes the lock. Throws a `conflict` refusal while another process holds it. */
  openStore(): Promise<S>
  openHost(store: S, opening: HostOpening): Promise<Host>
  readonly onError: (what: string, error: unknown) => void
}

export interface ServedStore {
  /** The state root's real path. */
  readonly root: string
  /** Resolves when nothing can be stored any more because another program removed the files. */
  readonly lost: Promise<Error>
  /** Checks for that now. */
  lostNow(): Error | null
  close(): Promise<void>
}

export interface HostOpening {
  readonly root: string
  /** For workers. */
  readonly url: string
  readonly secret: string
  readonly daemon: DaemonFacts
}

export interface Serving {
  readonly facts: DaemonFacts
  /** Resolves when the daemon is asked to stop; rejects when it can no longer serve. */
  readonly asked: Promise<void>
  /** Stops it: workers go on, everything that was accepted is durable. Idempotent. */
  close(): Promise<void>
}

export async function serve<S extends ServedStore>(request: ServeRequest<S>): Promise<Serving> {
  const store = await request.openStore()
  const ends: End[] = [['the store', () => store.close()]]
  try {
    return await serveFrom(store, request, ends)
  } catch (error) {
    await closeAll(ends, request.onError)
    throw error
  }
}

/** How to close a part, with its name for the daemon log. */
type End = readonly [string, () => Promise<void>]

export interface CloseLimits {
  readonly partMs: number
  readonly allMs: number
  readonly leastMs: number
}

const CLOSE_LIMITS: CloseLimits = { partMs: PART_MS, allMs: ALL_MS, leastMs: LEAST_MS }

/** Closes the parts in reverse. One that fails or takes too long is left behind: the others are closed all the same. */
export async function closeAll(
  ends: readonly End[],
  onError: ServeRequest<ServedStore>['onError'],
  { partMs, allMs, leastMs }: CloseLimits = CLOSE_LIMITS,
): Promise<void> {
  const begun = performance.now()
  for (const [name, end] of ends.toReversed()) {
    const leftMs = begun + allMs - performance.now()
    const limitMs = Math.max(leastMs, Math.min(partMs, leftMs))
    const late = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      onError('stopping', new Error(`${name} did not close within ${formatDuration(limitMs)}`))
      late.resolve()
    }, limitMs)
    try {
      await Promise.race([end(), late.promise])
    } catch (error) {
      onError(`stopping: ${name}`, error)
    } finally {
      clearTimeout(timer)
    }
  }
}

/** Pushes to `ends` how to close what it opens, to be run in reverse. */
async function serveFrom<S extends ServedStore>(
  store: S,
  request: ServeRequest<S>,
  ends: End[],
): Promise<Serving> {
  const { root } = store
  const { version, build, onError } = request
  const token = await ensureToken(root)
  const sessions = new PageSessions({ root, token, now: () => Date.now(), onError })
  const ready = Promise.withResolvers<Respond>()
  // Early calls wait until the host is open; if that fails, the socket is closed anyway.
  let respond: Respond = (...call) => void ready.promise.then((answer) => answer(...call))
  const listening = await listenAt(root, request.port, {
    respond: (...call) => respond(...call),
    isOwner: ({ headers: { authorization } }) =>
      hasToken(authorization, token) || sessions.has(tokenIn(authorization)),
  })
  ends.push(['the socket', () => listening.close()])
  const { port, url } = listening
  const started_at = new Date().toISOString()
  const facts: DaemonFacts = { pid: process.pid, port, url, version, build, started_at }

  const host = await request.openHost(store, { root, url, secret: token, daemon: facts })
  ends.push(['the host', () => host.close()])
  const asked = Promise.withResolvers<void>()
  // The caller may attach its handler later.
  asked.promise.catch(() => undefined)
  // Going on would acknowledge changes that the next start does not find.
  void store.lost.then(asked.reject)
  const ending = new AbortController()
  const keepOwnToken = async (): Promise<void> => {
    try {
      await keepToken(root, token)
    } catch (error) {
      onError('the token', error)
    }
  }
  const door: Door = {
    host,
    token,
    facts,
    stop: asked.resolve,
    ending: ending.signal,
    onError,
    keepOwnToken,
    sessions,
  }
  respond = respondingAt(door, asked.reject)
  ready.resolve(respond)

  const address = new AddressFile(root, facts)
  await address.write()
  ends.push(['the address file', () => address.remove()])
  // The file's time shows from outside when the daemon was last well.
  const beat = async (): Promise<void> => {
    try {
      if (store.lostNow() !== null) return
      if (await address.touch()) return await keepOwnToken()
      if (ending.signal.aborted) return
      // The state was removed or another daemon took over: commands no longer find this one, so it stops.
      onError('the heartbeat', new Error(`${address.path} is gone`))
      asked.resolve()
    } catch (error) {
      // During shutdown the file is removed before the heartbeat stops.
      if (!ending.signal.aborted) onError('the heartbeat', error)
    }
  }
  host.heartbeat.listen(() => void beat())

  let closing: Promise<void> | null = null
  const close = (): Promise<void> => {
    ending.abort()
    return closeAll(ends, onError)
  }
  return { facts, asked: asked.promise, close: () => (closing ??= close()) }
}

/**
 * Loads the routes with the first call or after the start. If they cannot be loaded, not even a stop would get through, so the
 * daemon gives up.
 */
function respondingAt(door: Door, giveUp: (reason: Refusal) => void): Respond {
  let loading: Promise<Respond> | null = null
  const load = (): Promise<Respond> => (loading ??= import('./app.ts').then(({ webDoor }) => webDoor(door)))
  const giveUpFor = (error: unknown): void => giveUp(routesRefusal(error))
  // Later the files may be gone: installing a new build removes the old one.
  setTimeout(() => void load().catch(giveUpFor), STARTED_MS).unref()
  return (incoming, outgoing) => {
    load().then(
      (respond) => respond(incoming, outgoing),
      (error: unknown) => {
        giveUpFor(error)
        outgoing.destroy()
      },
    )
  }
}

function routesRefusal(cause: unknown): Refusal {
  const why = cause instanceof Error ? cause.message : String(cause)
  return refusal(
    'failed',
    `cannot load the daemon's routes: ${why}`,
    'Restart the daemon: bosun serve',
    cause,
  )
}

/** A state root keeps its port across restarts, so that workers find the daemon again. */
async function listenAt(
  root: string,
  asked: number | null,
  answering: Omit<ListenRequest, 'port'>,
): Promise<Listening> {
  if (asked !== null) return listen({ port: asked, ...answering })
  try {
    return await listen({ port: usualPort(root), ...answering })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return listen({ port: 0, ...answering })
  }
}

/** Below the ephemeral ports and above the registered ones in common use. */
export function usualPort(root: string): number {
  return 20_000 + (createHash('sha256').update(root).digest().readUInt32BE(0) % 10_000)
}

/** The file with a daemon's address. If another daemon has replaced it, it is left alone. */
class AddressFile {
  readonly path: string
  readonly #text: string

  constructor(root: string, facts: DaemonFacts) {
    this.path = join(root, 'daemon.json')
    this.#text = `${JSON.stringify(facts, null, 2)}\n`
  }

  async write(): Promise<void> {
    await atomicWriteText(this.path, this.#text)
  }

  /** False if the file is no longer this daemon's. */
  async touch(): Promise<boolean> {
    if (!(await this.#isOwn())) return false
    const now = new Date()
    await utimes(this.path, now, now)
    return true
  }

  async remove(): Promise<void> {
    if (await this.#isOwn()) await rm(this.path, { force: true })
  }

  async #isOwn(): Promise<boolean> {
    try {
      return (await readFile(this.path, 'utf8')) === this.#text
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }
}
