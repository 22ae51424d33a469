/** Finds the daemon of a state root, starts it where there is none, ends it. */
import { rm } from 'node:fs/promises'
import { identify, isAlive, type ProcessIdentity } from '../lib/process/identity.ts'
import { localMoment } from '../lib/local-time.ts'
import { Refusal } from '../lib/refusal.ts'
import { formatDuration } from '../lib/text/format-time.ts'
import { addressFile, readAddress, type DaemonAddress } from './daemon-files.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { exchange, textOf } from './exchange.ts'
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
  /** Talk for the person who waits. */
  readonly say: (line: string) => void
  /** What keeps any daemon from working here, for which the last one ended; null where nothing does. */
  readonly hindrance?: () => Promise<Refusal | null>
}

const ANSWER_TIMEOUT_MS = 5000
const POLL_MS = 20
/** Before another try, where somebody else has the lock and does not serve. */
const HELD_MS = 300
const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 20_000
const RETURN_TIMEOUT_MS = 5000
/** A daemon that was well so lately may only be slow. */
const WELL_MS = 60_000
/** What one that does not answer has between being asked to end and being killed. */
const GRACE_MS = 5000

/** The daemon that answers now, of whatever version; null where none does. */
export async function runningDaemon(root: string): Promise<DaemonAddress | null> {
  const address = await readAddress(root)
  if (address === null || isFrozen(address.facts.pid)) return null
  return (await isProven(address)) ? address : null
}

/** Whether one is at work here, or was when it died: only one that was ended takes its address with it. */
export async function isWanted(root: string): Promise<boolean> {
  return (await readAddress(root)) !== null
}

/** What a command that only reads finds: a daemon of its own build, or why it reads without one. */
export type LookToRead =
  | { readonly kind: 'ours'; readonly address: DaemonAddress; readonly lost: () => Refusal }
  | {
      readonly kind: 'none' | 'dead' | 'silent' | 'other_build'
      readonly pid: number | null
      readonly lastLoop: Date | null
      readonly facts: DaemonFacts | null
      /** Of a silent one. */
      readonly silence: Silence | null
    }

/** Looks once, and starts, replaces and waits for nothing. */
export async function lookToRead(
  place: Pick<DaemonPlace, 'root' | 'version' | 'build'>,
): Promise<LookToRead> {
  const look = await lookForDaemon(place.root)
  switch (look.kind) {
    case 'none':
      return { kind: 'none', pid: null, lastLoop: null, facts: null, silence: null }
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

/** The daemon that comes after one that was lost, within a few seconds. It is not started. */
export async function awaitDaemon(root: string): Promise<DaemonAddress> {
  const deadline = Date.now() + RETURN_TIMEOUT_MS
  while (Date.now() < deadline) {
    const running = await runningDaemon(root)
    if (running !== null) return running
    await pause(POLL_MS)
  }
  throw ended()
}

/** The daemon, started where there is none, of our own build. Refuses with `no_daemon`. */
export const findDaemon = (place: DaemonPlace): Promise<DaemonAddress> =>
  foundDaemon(place, (address) => isOurs(address, place) && address.facts.build === place.build)

async function foundDaemon(
  place: DaemonPlace,
  isFit: (address: DaemonAddress) => boolean,
): Promise<DaemonAddress> {
  const look = await patientLook(place.root, place.say)
  switch (look.kind) {
    case 'none':
      return startedDaemon(place)
    case 'dead': {
      const started = await startedDaemon(place)
      const since = localMoment(look.lastLoop)
      place.say(`PM was offline since ${since}: its process ${look.pid} had died; it is started again\n`)
      return started
    }
    case 'silent':
      throw offlineRefusal(look, place.root)
    case 'serving':
      if (isFit(look.address)) return look.address
      await stopDaemon(place.root, 'asking', place.say)
      return startedDaemon(place)
  }
}

/** Of our version. Another build of it may be our own program, built anew since we were started: it is as good. */
const isOurs = ({ facts }: DaemonAddress, { version }: DaemonPlace): boolean => facts.version === version

/** Asks a daemon again that does not answer, as long as it may only be slow, and says so. */
async function patientLook(root: string, say: (line: string) => void): Promise<DaemonLook> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (let isSaid = false; ; isSaid = true) {
    const look = await lookForDaemon(root)
    if (look.kind !== 'silent' || look.why !== 'busy') return look
    const isSlow = Date.now() - look.lastLoop.getTime() < WELL_MS
    if (!isSlow || Date.now() > deadline) return look
    if (!isSaid) say(`the daemon (process ${look.pid}) does not answer yet; waiting up to 20 s for it\n`)
    await pause(HELD_MS)
  }
}

/**
 * Several may try at once: who gets the lock serves, and all of them use it. A daemon that gave up
 * because another one had the lock is started again if that other one does not serve in the end.
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
  throw notStarted(`it did not answer within ${formatDuration(START_TIMEOUT_MS)}`)
}

/**
 * The daemon, after it was lost. One that died is started anew; one that was ended is not, unless
 * somebody else starts it within a few seconds, as happens when it is replaced by another version.
 */
export async function findDaemonAgain(place: DaemonPlace): Promise<DaemonAddress> {
  const deadline = Date.now() + RETURN_TIMEOUT_MS
  while (Date.now() < deadline) {
    const running = await runningDaemon(place.root)
    if (running !== null && isOurs(running, place)) return running
    // Whoever replaced it by another build has one that was slow to answer; to replace that again would go on for ever.
    if ((await readAddress(place.root)) !== null)
      return foundDaemon(place, (address) => isOurs(address, place))
    const hindrance = (await place.hindrance?.()) ?? null
    if (hindrance !== null) throw hindrance
    await pause(POLL_MS)
  }
  throw ended()
}

const ended = (): Refusal =>
  new Refusal({
    code: 'no_daemon',
    message: 'the daemon was ended',
    remedy: 'Plans wait until a command sets them going again: bosun resume',
  })

/**
 * Whether one was there to be ended. One that does not answer is ended only by `force`: asked first, then killed.
 * It leaves as if it had ended itself, so that nobody misses it.
 */
export async function stopDaemon(
  root: string,
  how: 'asking' | 'force' = 'asking',
  say: (line: string) => void = () => undefined,
): Promise<'stopped' | 'none'> {
  const look = how === 'force' ? await lookForDaemon(root) : await patientLook(root, say)
  if (look.kind === 'none' || look.kind === 'dead') {
    // One that cannot be found, for want of its address, is known by the lock that it holds.
    const holder = how === 'force' ? await daemonAtLock(root) : null
    if (holder !== null) return endByForce(root, holder)
    const coming = await comingDaemon(root)
    return coming === null ? 'none' : askToEnd(root, coming)
  }
  if (look.kind === 'serving') return askToEnd(root, look.address)
  if (how === 'asking') throw offlineRefusal(look, root)
  return endByForce(root, look.process)
}

/** Asked first, then killed. One that was stopped by a signal hears nothing before it goes on. */
async function endByForce(root: string, daemon: ProcessIdentity): Promise<'stopped'> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if (!isAlive(daemon)) break
    send(daemon, signal)
    send(daemon, 'SIGCONT')
    const deadline = Date.now() + GRACE_MS
    while (isAlive(daemon) && Date.now() < deadline) await pause(POLL_MS)
  }
  if (isAlive(daemon)) throw unending(daemon.pid)
  await rm(addressFile(root), { force: true })
  return 'stopped'
}

function send(daemon: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isAlive(daemon)) process.kill(daemon.pid, signal)
  } catch {
    // It ended before the signal came.
  }
}

/** One that has begun to start, or to end, cannot be asked: it is waited for. Null where none comes. */
async function comingDaemon(root: string): Promise<DaemonAddress | null> {
  const deadline = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const holder = await daemonAtLock(root)
    const address = await runningDaemon(root)
    if (address !== null || holder === null) return address
    if (Date.now() > deadline) throw unending(holder.pid)
    await pause(POLL_MS)
  }
}

async function askToEnd(root: string, address: DaemonAddress): Promise<'stopped'> {
  const { facts, token } = address
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const asked = { port: facts.port, headers, body: '{}', timeoutMs: ANSWER_TIMEOUT_MS }
  await exchange({ ...asked, method: 'POST', path: '/api/daemon/stop' })
    .then(textOf)
    // It may be gone before its answer is read.
    .catch(() => undefined)
  const deadline = Date.now() + STOP_TIMEOUT_MS
  while (Date.now() < deadline) {
    const now = await readAddress(root)
    const isGone = now?.facts.pid !== facts.pid || now.facts.started_at !== facts.started_at
    if (isGone && identify(facts.pid) === null) return 'stopped'
    await pause(POLL_MS)
  }
  throw unending(facts.pid)
}

const heldBy = (pid: number, root: string): Refusal =>
  new Refusal({
    code: 'no_daemon',
    message: `another daemon (process ${pid}) holds the lock of ${root}, and no command can reach it`,
    remedy: `End it with bosun stop --force; workers go on, and the next command starts it anew.`,
  })

const unending = (pid: number): Refusal =>
  new Refusal({
    code: 'failed',
    message: `the daemon (process ${pid}) does not end`,
    remedy: `End it yourself: kill ${pid}. Workers go on, and nothing is lost.`,
  })

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function notStarted(why: string, cause?: unknown): Refusal {
  return new Refusal({
    code: 'no_daemon',
    message: `the daemon could not be started: ${why}`,
    remedy: 'Start it in the foreground to see more: bosun serve',
    cause,
  })
}
