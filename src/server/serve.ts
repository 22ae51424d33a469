/** The daemon, from its first breath to its last. */
import { createHash } from 'node:crypto'
import { CoordinationFiles } from '../app/coordination/coordination-files.ts'
import type { Host } from '../app/host/host.ts'
import { giveMemoryBackWhenIdle } from '../lib/system/idle-memory.ts'
import { Refusal } from '../lib/refusal.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { AddressFile } from './address-file.ts'
import type { Door } from './app.ts'
import { directCheckins } from './direct-checkins.ts'
import { hasToken } from './guard.ts'
import { listen, type Listening, type ListenRequest, type Respond } from './listen.ts'
import { ensureToken, keepToken } from './token.ts'

/** By then what was owed has begun. */
const STARTED_MS = 1000

export interface ServeRequest<S extends ServedStore> {
  readonly version: string
  readonly build: string
  /** Null for the one that this state root usually has, or any other if that is taken. */
  readonly port: number | null
  /** Takes the lock that decides who serves. Refuses with `conflict` while somebody else has it. */
  openStore(): Promise<S>
  openHost(store: S, opening: HostOpening): Promise<Host>
  readonly onError: (what: string, error: unknown) => void
}

export interface ServedStore {
  /** The state root's real path. */
  readonly root: string
  /** Resolves when nothing can be recorded any more, because another program took the files away. */
  readonly lost: Promise<Error>
  /** Looks whether that is so. */
  lostNow(): Error | null
  close(): Promise<void>
}

/** What a host is opened with, besides the store. */
export interface HostOpening {
  readonly root: string
  /** Where workers reach it. */
  readonly url: string
  readonly secret: string
}

export interface Serving {
  readonly facts: DaemonFacts
  /** Resolves when it has been asked to end, by whoever; rejects when it can serve nobody. */
  readonly asked: Promise<void>
  /** Ends it: workers go on, everything that was accepted is durable. Idempotent. */
  close(): Promise<void>
}

export async function serve<S extends ServedStore>(request: ServeRequest<S>): Promise<Serving> {
  const store = await request.openStore()
  const ends: (() => Promise<void>)[] = [() => store.close()]
  try {
    return await serveFrom(store, request, ends)
  } catch (error) {
    for (const end of ends.reverse()) await end()
    throw error
  }
}

/** What it opens is put on `ends`, to be closed in the opposite order. */
async function serveFrom<S extends ServedStore>(
  store: S,
  request: ServeRequest<S>,
  ends: (() => Promise<void>)[],
): Promise<Serving> {
  const { root } = store
  const { version, build, onError } = request
  const token = await ensureToken(root)
  const ready = Promise.withResolvers<Respond>()
  // Whoever calls while it is being opened waits; if that fails, the socket is closed anyway.
  let respond: Respond = (...call) => void ready.promise.then((answer) => answer(...call))
  const listening = await listenAt(root, request.port, {
    respond: (...call) => respond(...call),
    isOwner: ({ headers }) => hasToken(headers.authorization, token),
  })
  ends.push(() => listening.close())
  const { port, url } = listening
  const started_at = new Date().toISOString()
  const facts: DaemonFacts = { pid: process.pid, port, url, version, build, started_at }

  const host = await request.openHost(store, { root, url, secret: token })
  ends.push(() => host.close())
  const files = await CoordinationFiles.open(host, facts)
  ends.push(() => files.close())
  const asked = Promise.withResolvers<void>()
  // Whoever waits for it hears of it, and may begin to later.
  asked.promise.catch(() => undefined)
  // Whoever goes on after that acknowledges what no later start will find.
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
  }
  respond = respondingAt(door, asked.reject)
  ready.resolve(respond)

  const address = new AddressFile(root, facts)
  await address.write()
  ends.push(() => address.remove())
  // Whoever cannot ask it sees from the file's time when it was last well.
  const beat = async (): Promise<void> => {
    try {
      if (store.lostNow() !== null) return
      if (await address.touch()) return await keepOwnToken()
      if (ending.signal.aborted) return
      // Its state was removed, or somebody serves in its place: nobody finds it any more to ask it to end.
      onError('the heartbeat', new Error(`${address.path} is gone`))
      asked.resolve()
    } catch (error) {
      // While it ends, the file goes before the heart stops.
      if (!ending.signal.aborted) onError('the heartbeat', error)
    }
  }
  host.heartbeat.listen(() => void beat())
  const unwatchMemory = giveMemoryBackWhenIdle()
  ends.push(async () => unwatchMemory())

  let closing: Promise<void> | null = null
  const closeAll = async (): Promise<void> => {
    ending.abort()
    for (const end of ends.reverse()) await end()
  }
  return { facts, asked: asked.promise, close: () => (closing ??= closeAll()) }
}

/**
 * Check-ins at once; for all else the routes are loaded, by the first who calls or when the start is over. Without them
 * nobody could even ask it to end, so then it gives up.
 */
function respondingAt(door: Door, giveUp: (reason: Refusal) => void): Respond {
  const direct = directCheckins(door)
  let loading: Promise<Respond> | null = null
  const load = (): Promise<Respond> =>
    (loading ??= import('./web-door.ts').then(({ webDoor }) => webDoor(door)))
  const giveUpFor = (error: unknown): void => giveUp(routesRefusal(error))
  // Later they might not be there any more: whoever installs a new build takes the old one away.
  setTimeout(() => void load().catch(giveUpFor), STARTED_MS).unref()
  return (incoming, outgoing) => {
    if (direct(incoming, outgoing)) return
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
  return new Refusal({
    code: 'failed',
    message: `the daemon's routes cannot be loaded: ${why}`,
    remedy: 'Start it again: bosun serve',
    cause,
  })
}

/** The same state root has the same port every time, so that workers find it again. */
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

/** Below the ports that systems hand out, above those that have owners. */
export function usualPort(root: string): number {
  return 20_000 + (createHash('sha256').update(root).digest().readUInt32BE(0) % 10_000)
}
