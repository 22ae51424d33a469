/**
 * Determines the state of a daemon from outside, since a stuck one cannot be asked. A daemon touches its address file once
 * a loop, so the file's time shows when it was last well.
 */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER, sameSecret } from '../lib/system/daemon-proof.ts'
import { commandLineOf, identify, isHalted, type ProcessIdentity } from '../lib/process/processes.ts'
import { localMoment } from '../lib/system/local-time.ts'
import { readRegular } from '../lib/files/read-if-exists.ts'
import { Refusal, refusal } from '../lib/refusal.ts'
import { addressFile, readAddress, readFacts, tokenFile, exchange, type DaemonAddress } from './exchange.ts'
import type { DaemonFacts } from '../protocol/answers.ts'

export type DaemonLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'serving'; readonly address: DaemonAddress }
  /** Its process is gone without a regular stop. */
  | { readonly kind: 'dead'; readonly pid: number; readonly lastLoop: Date }
  /** Its process runs and does not respond. */
  | {
      readonly kind: 'silent'
      readonly why: Silence
      readonly pid: number
      readonly lastLoop: Date
      readonly process: ProcessIdentity
    }

/**
 * Why a running daemon does not respond: suspended by a signal, its token or its address is missing or unreadable, or it is
 * busy or stuck.
 */
export type Silence = 'frozen' | 'no_token' | 'no_address' | 'busy'

const ANSWER_TIMEOUT_MS = 5000
/** A daemon that is asked for proof rewrites a missing token. */
const TOKEN_TIMEOUT_MS = 1000
const TOKEN_POLL_MS = 50
/** The daemon's title; see `process.title` where it begins to serve. */
const TITLE = 'bosun serve'

export async function lookForDaemon(root: string): Promise<DaemonLook> {
  const facts = await readFacts(root)
  if (facts === null) return { kind: 'none' }
  const { pid } = facts
  const frozen = isFrozen(pid)
  const address = frozen ? null : await addressOf(root, facts)
  if (address !== null && (await isProven(address))) return { kind: 'serving', address }
  // The request for proof may have made it rewrite the token.
  const again = address === null ? null : await readAddress(root)
  if (again !== null && again.token !== address?.token && (await isProven(again)))
    return { kind: 'serving', address: again }
  const identity = identify(pid)
  // It may have stopped or been replaced meanwhile.
  const lastLoop = await touchedAt(root)
  if (lastLoop === null) return { kind: 'none' }
  return identity !== null && isDaemon(pid)
    ? {
        kind: 'silent',
        why: frozen ? 'frozen' : address === null ? 'no_token' : 'busy',
        pid,
        lastLoop,
        process: identity,
      }
    : { kind: 'dead', pid, lastLoop }
}

/** The address with the token, which a running daemon rewrites if it is missing; null if it does not. */
async function addressOf(root: string, facts: DaemonFacts): Promise<DaemonAddress | null> {
  const known = await readAddress(root)
  if (known !== null || !isDaemon(facts.pid)) return known
  await isProven({ facts, token: '' })
  for (const end = Date.now() + TOKEN_TIMEOUT_MS; Date.now() < end; await delay(TOKEN_POLL_MS)) {
    const address = await readAddress(root)
    if (address !== null) return address
  }
  return null
}

/** Suspended by a signal, so there is no point in waiting for a response. */
export const isFrozen = (pid: number): boolean => isHalted(pid) && isDaemon(pid)

const isDaemon = (pid: number): boolean => commandLineOf(pid)?.includes(TITLE) ?? false

/** The daemon process that holds the lock of this state root, even without an address; null without one. */
export async function daemonAtLock(root: string): Promise<ProcessIdentity | null> {
  try {
    const pid = Number.parseInt(await readRegular(join(root, 'lock.pid')), 10)
    return Number.isSafeInteger(pid) && pid > 0 && isDaemon(pid) ? identify(pid) : null
  } catch {
    // Not held, or not readable.
    return null
  }
}

/** The refusal for a daemon that runs and does not respond. */
export function offlineRefusal(
  look: { readonly pid: number; readonly lastLoop: Date; readonly why: Silence },
  root: string,
): Refusal {
  const { lastLoop } = look
  return refusal(
    'no_daemon',
    `PM offline since ${localMoment(lastLoop)}: ${silenceText(look, root)}`,
    silenceRemedy(look),
  )
}

function silenceText({ why, pid }: { readonly why: Silence; readonly pid: number }, root: string): string {
  switch (why) {
    case 'no_token':
      return `cannot reach the daemon (pid ${pid}): its token is missing or unreadable: ${tokenFile(root)}`
    case 'no_address':
      return `cannot reach the daemon (pid ${pid}): it is starting, or its address is missing: ${addressFile(root)}`
    case 'frozen':
    case 'busy':
      return `the daemon (pid ${pid}) is not responding`
  }
}

function silenceRemedy({ why, pid }: { readonly why: Silence; readonly pid: number }): string {
  const end = `Stop it with bosun stop --force, or kill ${pid}; workers keep running, and the next command restarts it.`
  const cause = `It was stopped by a signal (SIGSTOP, a debugger): continue it with kill -CONT ${pid}.`
  return why === 'frozen' ? `${cause} Or: ${end}` : end
}

async function touchedAt(root: string): Promise<Date | null> {
  try {
    return (await stat(addressFile(root))).mtime
  } catch {
    // It is gone after a regular stop.
    return null
  }
}

/** Whether the daemon itself responds, and not another program on its port. */
export async function isProven({ facts, token }: DaemonAddress): Promise<boolean> {
  const challenge = randomBytes(16).toString('hex')
  const headers = { [CHALLENGE_HEADER]: challenge }
  const asked = { port: facts.port, path: '/', headers, timeoutMs: ANSWER_TIMEOUT_MS }
  try {
    const answer = await exchange({ ...asked, method: 'HEAD' })
    answer.resume()
    const proof = answer.headers[PROOF_HEADER]
    return typeof proof === 'string' && sameSecret(proof, daemonProof(token, challenge))
  } catch {
    // No response, or no HTTP.
    return false
  }
}
