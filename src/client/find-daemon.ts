/** Finds the daemon of a state root, starts it where there is none, ends it. */
import { randomBytes } from 'node:crypto'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/daemon-proof.ts'
import { identify } from '../lib/process/identity.ts'
import { Refusal } from '../lib/refusal.ts'
import { sameSecret } from '../lib/same-secret.ts'
import { readAddress, type DaemonAddress } from './daemon-files.ts'
import { exchange, textOf } from './exchange.ts'
import type { StartDaemon, StartedDaemon } from './start-daemon.ts'

export interface DaemonPlace {
  /** The state root. */
  readonly root: string
  /** Ours: a daemon of another version is replaced. */
  readonly version: string
  readonly start: StartDaemon
}

const ANSWER_TIMEOUT_MS = 5000
const POLL_MS = 20
/** Before another try, where somebody else has the lock and does not serve. */
const HELD_MS = 300
const START_TIMEOUT_MS = 20_000
const STOP_TIMEOUT_MS = 20_000
const RETURN_TIMEOUT_MS = 5000

/** The daemon that answers now, of whatever version; null where none does. */
export async function runningDaemon(root: string): Promise<DaemonAddress | null> {
  const address = await readAddress(root)
  return address !== null && (await isProven(address)) ? address : null
}

/** Whether one is at work here, or was when it died: only one that was ended takes its address with it. */
export async function isWanted(root: string): Promise<boolean> {
  return (await readAddress(root)) !== null
}

/** The daemon, started where there is none. Refuses with `no_daemon`. */
export async function findDaemon(place: DaemonPlace): Promise<DaemonAddress> {
  const running = await runningDaemon(place.root)
  if (running === null) return startedDaemon(place)
  if (running.facts.version === place.version) return running
  await stopDaemon(place.root)
  return startedDaemon(place)
}

/**
 * Several may try at once: who gets the lock serves, and all of them use it. A daemon that gave up
 * because another one had the lock is started again if that other one does not serve in the end.
 */
async function startedDaemon(place: DaemonPlace): Promise<DaemonAddress> {
  const deadline = Date.now() + START_TIMEOUT_MS
  let child: StartedDaemon | null = null
  while (Date.now() < deadline) {
    child ??= await place.start().catch((error: unknown) => {
      throw notStarted(error instanceof Error ? error.message : String(error), error)
    })
    const address = await runningDaemon(place.root)
    if (address?.facts.version === place.version) return address
    const ended = child.ended()
    if (ended?.kind === 'failed') throw notStarted(ended.why)
    await pause(ended === null ? POLL_MS : HELD_MS)
    if (ended !== null) child = null
  }
  throw notStarted(`it did not answer within ${START_TIMEOUT_MS / 1000} s`)
}

/**
 * The daemon, after it was lost. One that died is started anew; one that was ended is not, unless
 * somebody else starts it within a few seconds, as happens when it is replaced by another version.
 */
export async function findDaemonAgain(place: DaemonPlace): Promise<DaemonAddress> {
  const deadline = Date.now() + RETURN_TIMEOUT_MS
  while (Date.now() < deadline) {
    if ((await readAddress(place.root)) !== null) return findDaemon(place)
    await pause(POLL_MS)
  }
  throw new Refusal({
    code: 'no_daemon',
    message: 'the daemon was ended',
    remedy: 'The plan waits, and goes on with the next command that needs the daemon: bosun status',
  })
}

/** Whether one was there to be ended. */
export async function stopDaemon(root: string): Promise<'stopped' | 'none'> {
  const address = await runningDaemon(root)
  if (address === null) return 'none'
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
  throw new Refusal({
    code: 'failed',
    message: `the daemon (process ${facts.pid}) does not end`,
    remedy: `End it yourself: kill ${facts.pid}. Workers go on, and nothing is lost.`,
  })
}

/** Nobody else who has taken the port could answer this. */
async function isProven({ facts, token }: DaemonAddress): Promise<boolean> {
  const challenge = randomBytes(16).toString('hex')
  const headers = { [CHALLENGE_HEADER]: challenge }
  const asked = { port: facts.port, path: '/', headers, timeoutMs: ANSWER_TIMEOUT_MS }
  try {
    const answer = await exchange({ ...asked, method: 'HEAD' })
    answer.resume()
    const proof = answer.headers[PROOF_HEADER]
    return typeof proof === 'string' && sameSecret(proof, daemonProof(token, challenge))
  } catch {
    // Nobody there, or nobody who speaks HTTP.
    return false
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

function notStarted(why: string, cause?: unknown): Refusal {
  return new Refusal({
    code: 'no_daemon',
    message: `the daemon could not be started: ${why}`,
    remedy: 'Start it in the foreground to see more: bosun serve',
    cause,
  })
}
