/**
 * How the daemon of a state root is, without its help: one that is stuck cannot be asked. It touches the file with its
 * address once a loop, so that file's time says when it was last known to be well.
 */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/system/daemon-proof.ts'
import { commandLineOf } from '../lib/process/command-line.ts'
import { localMoment } from '../lib/local-time.ts'
import { identify, type ProcessIdentity } from '../lib/process/identity.ts'
import { isHalted } from '../lib/process/process-rows.ts'
import { readRegular } from '../lib/files/read-regular.ts'
import { Refusal } from '../lib/refusal.ts'
import { sameSecret } from '../lib/system/same-secret.ts'
import { addressFile, readAddress, readFacts, tokenFile, type DaemonAddress } from './daemon-files.ts'
import type { DaemonFacts } from '../protocol/answers.ts'
import { exchange } from './exchange.ts'

export type DaemonLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'serving'; readonly address: DaemonAddress }
  /** Its process is gone, and it did not say goodbye. */
  | { readonly kind: 'dead'; readonly pid: number; readonly lastLoop: Date }
  /** Its process is there, and does not answer. */
  | {
      readonly kind: 'silent'
      readonly why: Silence
      readonly pid: number
      readonly lastLoop: Date
      readonly process: ProcessIdentity
    }

/**
 * Why a daemon that runs does not answer: it was stopped by a signal, its token is not to be had, or it is busy or stuck.
 */
export type Silence = 'frozen' | 'no_token' | 'busy'

const ANSWER_TIMEOUT_MS = 5000
/** A daemon that is asked who it is writes its token again where it is missing. */
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
  // Asked who it is, it may have put another token right.
  const again = address === null ? null : await readAddress(root)
  if (again !== null && again.token !== address?.token && (await isProven(again)))
    return { kind: 'serving', address: again }
  const identity = identify(pid)
  // It may have ended, or handed over, while it was asked.
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

/** With its token, which a running daemon is made to write again where it is missing; null where it does not. */
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

/** Stopped by a signal: it answers nothing, so it is not asked and waited for. */
export const isFrozen = (pid: number): boolean => isHalted(pid) && isDaemon(pid)

const isDaemon = (pid: number): boolean => commandLineOf(pid)?.includes(TITLE) ?? false

/** The process that has the lock of this state root and is a daemon, whether it can be found already, still, or not; else null. */
export async function daemonAtLock(root: string): Promise<ProcessIdentity | null> {
  try {
    const pid = Number.parseInt(await readRegular(join(root, 'lock.pid')), 10)
    return Number.isSafeInteger(pid) && pid > 0 && isDaemon(pid) ? identify(pid) : null
  } catch {
    // Nobody has it, or it is not ours to read.
    return null
  }
}

/** What people are told of a daemon that is there and does not answer. */
export function offlineRefusal(
  look: { readonly pid: number; readonly lastLoop: Date; readonly why: Silence },
  root: string,
): Refusal {
  const { lastLoop } = look
  return new Refusal({
    code: 'no_daemon',
    message: `PM offline since ${localMoment(lastLoop)}: ${silenceWords(look, root)}`,
    remedy: silenceRemedy(look),
  })
}

function silenceWords({ why, pid }: { readonly why: Silence; readonly pid: number }, root: string): string {
  switch (why) {
    case 'no_token':
      return `no command can talk to its process ${pid}, for its token is missing or cannot be read: ${tokenFile(root)}`
    case 'frozen':
    case 'busy':
      return `its process ${pid} does not answer`
  }
}

function silenceRemedy({ why, pid }: { readonly why: Silence; readonly pid: number }): string {
  const end = `End it with bosun stop --force, or kill ${pid}; workers go on, and the next command starts it anew.`
  const cause = `It was stopped by a signal (SIGSTOP, a debugger): let it go on with kill -CONT ${pid}.`
  return why === 'frozen' ? `${cause} Or: ${end}` : end
}

async function touchedAt(root: string): Promise<Date | null> {
  try {
    return (await stat(addressFile(root))).mtime
  } catch {
    // It is gone: whoever it was has ended properly.
    return null
  }
}

/** Nobody else who has taken the port could answer this. */
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
    // Nobody there, or nobody who speaks HTTP.
    return false
  }
}
