/** Finds, starts, replaces and stops the daemon of a state root. */
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { identify, isAlive, type ProcessIdentity } from '../lib/process/processes.ts'
import { localMoment } from '../lib/system/local-time.ts'
import { Refusal, refusal } from '../lib/refusal.ts'
import { formatDuration } from '../lib/text/format-time.ts'
import {
  addressFile,
  readAddress,
  exchange,
  textOf,
  STOP_TIMEOUT_MS,
  type DaemonAddress,
} from './exchange.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import {
  daemonAtLock,
  isFrozen,
  isProven,
  lookForDaemon,
  offlineRefusal,
  type DaemonLook,
  type Silence,
} from './look-for-daemon.ts'
import type { StartDaemon, StartedDaemon } from './start-daemon.ts'

export interface DaemonPlace {
  /** The state root. */
  readonly root: string
  /** Ours: a daemon of another version is replaced, */
  readonly version: string
  /** and so is one of another build, by a command that was just started. */
  readonly build: string
  readonly start: StartDaemon
  /** Prints progress for the user. */
  readonly onProgress: (line: string) => void
  /** Why no daemon can run here, which made the last one stop; null if nothing prevents it. */
  readonly hindrance?: () => Promise<Refusal | null>
}

const ANSWER_TIMEOUT_MS = 5000
const POLL_MS = 20
/** Delay between tries while another process holds the lock without serving. */
const HELD_MS = 300
const START_TIMEOUT_MS = 20_000
const RETURN_TIMEOUT_MS = 5000
/** A daemon that completed a loop this recently may only be slow. */
const WELL_MS = 60_000
/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 5000
/** How long a daemon that has closed everything may take to exit. */
const EXIT_MS = 2000

/** The daemon that responds now, of any version; null without one. */
export async function runningDaemon(root: string): Promise<DaemonAddress | null> {
  const address = await readAddress(root)
  if (address === null || isFrozen(address.facts.pid)) return null
  return (await isProven(address)) ? address : null
}

/** Whether a daemon runs here or died; one that was stopped removes its address. */
export async function isWanted(root: string): Promise<boolean> {
  return (await readAddress(root)) !== null
}

/** Why a command that only reads has no daemon to ask. */
export interface OfflineReason {
  /**
   * `none`: no daemon runs. `dead`: its process died. `silent`: it does not respond. `other_build`: it is a different
   * build, whose answers may differ in shape.
   */
  readonly kind: 'none' | 'dead' | 'silent' | 'other_build'
  readonly pid: number | null
  /** When it last completed a loop. */
  readonly lastLoop: Date | null
  /** For a daemon that runs nevertheless. */
  readonly facts: DaemonFacts | null
  /** Why a silent daemon does not respond; null for every other kind. */
  readonly silence: Silence | null
}

/** For a command that only reads: a daemon of its own build, or why there is none. */
export type LookToRead =
  | { readonly kind: 'ours'; readonly address: DaemonAddress; readonly lost: () => Refusal }
  | OfflineReason

/** Looks once, without starting, replacing or waiting. */
export async function lookToRead(
  place: Pick<DaemonPlace, 'root' | 'version' | 'build'>,
): Promise<LookToRead> {
  const look = await lookForDaemon(place.root)
  switch (look.kind) {
    case 'none': {
      // A daemon rewrites a missing address in its next loop, and one that starts has none yet.
      const holder = await daemonAtLock(place.root)
      const nothing = { lastLoop: null, facts: null }
      return holder === null
        ? { ...nothing, kind: 'none', pid: null, silence: null }
        : { ...nothing, kind: 'silent', pid: holder.pid, silence: 'no_address' }
    }
    case 'dead':
    case 'silent': {
      const silence = look.kind === 'silent' ? look.why : null
      return { kind: look.kind, pid: look.pid, lastLoop: look.lastLoop, facts: null, silence }
    }
    case 'serving': {
      const { address } = look
      const { facts } = address
      if (facts.version === place.version && facts.build === place.build)
        return { kind: 'ours', address, lost: ended }
      return { kind: 'other_build', pid: facts.pid, lastLoop: null, facts, silence: null }
    }
  }
}

/** Waits a few seconds for a daemon to return after it was lost. Does not start one. */
export async function awaitDaemon(root: string): Promise<DaemonAddress> {
  const deadline = Date.now() + RETURN_TIMEOUT_MS
  while (Date.now() < deadline) {
    const running = await runningDaemon(root)
    if (running !== null) return running
    await pause(POLL_MS)
  }
  throw ended()
}

/** Returns a daemon of our own build, started if necessary. Throws a `no_daemon` refusal. */
export const findDaemon = (place: DaemonPlace): Promise<DaemonAddress> =>
  foundDaemon(place, (address) => isOurs(address, place) && address.facts.build === place.build)

async function foundDaemon(
  place: DaemonPlace,
  isFit: (address: DaemonAddress) => boolean,
): Promise<DaemonAddress> {
  const look = await patientLook(place.root, place.onProgress)
  switch (look.kind) {
    case 'none':
      return startedDaemon(place)
    case 'dead': {
      const started = await startedDaemon(place)
      const since = localMoment(look.lastLoop)
      place.onProgress(
        `PM was offline since ${since}: the daemon (pid ${look.pid}) had died; restarting it\n`,
      )
      return started
    }
    case 'silent':
      throw offlineRefusal(look, place.root)
    case 'serving':
      if (isFit(look.address)) return look.address
      await stopDaemon(place.root, 'asking', place.onProgress)
      return startedDaemon(place)
  }
}

/** Of our version. Another build may be our own program, rebuilt since we started, and will do. */
const isOurs = ({ facts }: DaemonAddress, { version }: DaemonPlace): boolean => facts.version === version

/** Retries while the daemon may only be slow, and prints that once. */
async function patientLook(root: string, onProgress: (line: string) => void): Promise<DaemonLook> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (let isPrinted = false; ; isPrinted = true) {
    const look = await lookForDaemon(root)
    if (look.kind !== 'silent' || look.why !== 'busy') return look
    const isSlow = Date.now() - look.lastLoop.getTime() < WELL_MS
    if (!isSlow || Date.now() > deadline) return look
    if (!isPrinted) onProgress(`the daemon (pid ${look.pid}) is not responding yet; waiting up to 20 s\n`)
    await pause(HELD_MS)
  }
}

/**
 * Several commands may start one at once: the daemon that gets the lock serves all of them. If the holder of the lock
 * never serves, another start is tried.
 */
async function startedDaemon(place: DaemonPlace): Promise<DaemonAddress> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let child: StartedDaemon | null = null
  let isHeld = false
  while (Date.now() < deadline) {
    child ??= await place.start().catch((error: unknown) => {
      throw error instanceof Refusal
        ? error
        : notStarted(error instanceof Error ? error.message : String(error), error)
    })
    const address = await runningDaemon(place.root)
    if (address !== null && isOurs(address, place)) return address
    const ended = child.ended()
    if (ended?.kind === 'failed') throw notStarted(ended.why)
    isHeld ||= ended?.kind === 'held'
    await pause(ended === null ? POLL_MS : HELD_MS)
    if (ended !== null) child = null
  }
  const holder = isHeld ? await daemonAtLock(place.root) : null
  if (holder !== null) throw heldBy(holder.pid, place.root)
  throw notStarted(`it did not respond within ${formatDuration(START_TIMEOUT_MS)}`)
}

/**
 * Finds the daemon after it was lost. One that died is restarted; one that was stopped is not, but a replacement by
 * another version is awaited for a few seconds.
 */
export async function findDaemonAgain(place: DaemonPlace): Promise<DaemonAddress> {
  const deadline = Date.now() + RETURN_TIMEOUT_MS
  while (Date.now() < deadline) {
    const running = await runningDaemon(place.root)
    if (running !== null && isOurs(running, place)) return running
    // Another command may have replaced it by its own build; replacing that again could go on forever.
    if ((await readAddress(place.root)) !== null)
      return foundDaemon(place, (address) => isOurs(address, place))
    const hindrance = (await place.hindrance?.()) ?? null
    if (hindrance !== null) throw hindrance
    await pause(POLL_MS)
  }
  throw ended()
}

const ended = (): Refusal =>
  refusal('no_daemon', 'the daemon was stopped', 'Restart it to continue the plans: bosun resume')

/**
 * Stops the daemon, if there is one. One that does not respond is stopped only with `force`: SIGTERM, then SIGKILL. Its
 * address is removed as after a regular stop.
 */
export async function stopDaemon(
  root: string,
  how: 'asking' | 'force' = 'asking',
  onProgress: (line: string) => void = () => undefined,
): Promise<'stopped' | 'none'> {
  const look = how === 'force' ? await lookForDaemon(root) : await patientLook(root, onProgress)
  if (look.kind === 'none' || look.kind === 'dead') {
    // Without an address file, the lock still names the daemon.
    const holder = how === 'force' ? await daemonAtLock(root) : null
    if (holder !== null) return stopByForce(root, holder)
    const coming = await comingDaemon(root)
    return coming === null ? 'none' : requestStop(root, coming)
  }
  if (look.kind === 'serving') return requestStop(root, look.address)
  if (how === 'asking') throw offlineRefusal(look, root)
  return stopByForce(root, look.process)
}

/** SIGTERM, then SIGKILL, each with SIGCONT in case the process is suspended. */
async function stopByForce(root: string, daemon: ProcessIdentity): Promise<'stopped'> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isAlive(daemon)) break
    send(daemon, signal)
    send(daemon, 'SIGCONT')
    const deadline = Date.now() + GRACE_MS
    while (isAlive(daemon) && Date.now() < deadline) await pause(POLL_MS)
  }
  if (isAlive(daemon)) throw notStopping(daemon.pid)
  await rm(addressFile(root), { force: true })
  return 'stopped'
}

function send(daemon: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isAlive(daemon)) process.kill(daemon.pid, signal)
  } catch {
    // It exited before the signal.
  }
}

/** Waits for a daemon that is starting or stopping. Null if none appears. */
async function comingDaemon(root: string): Promise<DaemonAddress | null> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const holder = await daemonAtLock(root)
    const address = await runningDaemon(root)
    if (address !== null || holder === null) return address
    if (Date.now() > deadline) throw notStopping(holder.pid)
    await pause(POLL_MS)
  }
}

async function requestStop(root: string, address: DaemonAddress): Promise<'stopped'> {
  const { facts, token } = address
  const daemon = identify(facts.pid)
  // It answers after it was identified, so that is its identity, and not that of a later process with its pid.
  const isItself = await isProven(address)
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const asked = { port: facts.port, headers, body: '{}', timeoutMs: ANSWER_TIMEOUT_MS }
  const ask = (): Promise<boolean> =>
    exchange({ ...asked, method: 'POST', path: '/api/daemon/stop' })
      .then(textOf)
      .then(() => true)
      // It may exit before its response is read, or be too slow to respond in time.
      .catch(() => false)
  const deadline = Date.now() + STOP_TIMEOUT_MS
  let isAnswered = await ask()
  let closedAt: number | null = null
  while (Date.now() < deadline) {
    const now = await readAddress(root)
    const isRecorded = now?.facts.pid === facts.pid && now.facts.started_at === facts.started_at
    if (!isRecorded) {
      if (daemon === null || !isAlive(daemon)) return 'stopped'
      if ((await daemonAtLock(root))?.pid !== facts.pid) closedAt ??= Date.now()
      // Without the lock it has nothing left to write, and Node may hang while it exits (nodejs/node#54918).
      if (closedAt !== null && Date.now() - closedAt > EXIT_MS) {
        if (!isItself) return 'stopped'
        send(daemon, 'SIGKILL')
      }
    }
    await pause(isAnswered ? POLL_MS : HELD_MS)
    // A daemon that is stopping has removed its address: one that has it still may not have received the request.
    if (!isAnswered && isRecorded) isAnswered = await ask()
  }
  throw notStopping(facts.pid)
}

const heldBy = (pid: number, root: string): Refusal =>
  refusal(
    'no_daemon',
    `another daemon (pid ${pid}) holds the lock of ${root} and cannot be reached`,
    `Stop it with bosun stop --force; workers keep running, and the next command restarts it.`,
  )

const notStopping = (pid: number): Refusal =>
  refusal(
    'failed',
    `the daemon (pid ${pid}) does not exit`,
    `Kill it: kill ${pid}. Workers keep running, and nothing is lost.`,
  )

function notStarted(why: string, cause?: unknown): Refusal {
  return refusal(
    'no_daemon',
    `cannot start the daemon: ${why}`,
    'Run it in the foreground for details: bosun serve',
    cause,
  )
}
