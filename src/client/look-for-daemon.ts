/**
 * How the daemon of a state root is, without its help: one that is stuck cannot be asked. It touches the file with its
 * address once a loop, so that file's time says when it was last known to be well.
 */
import { randomBytes } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/daemon-proof.ts'
import { commandLineOf } from '../lib/process/command-line.ts'
import { momentWords } from '../lib/moment-words.ts'
import { identify, type ProcessIdentity } from '../lib/process/identity.ts'
import { Refusal } from '../lib/refusal.ts'
import { sameSecret } from '../lib/same-secret.ts'
import { addressFile, readAddress, type DaemonAddress } from './daemon-files.ts'
import { exchange } from './exchange.ts'

export type DaemonLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'serving'; readonly address: DaemonAddress }
  /** Its process is gone, and it did not say goodbye. */
  | { readonly kind: 'dead'; readonly pid: number; readonly lastLoop: Date }
  /** Its process is there, and does not answer. */
  | {
      readonly kind: 'silent'
      readonly pid: number
      readonly lastLoop: Date
      readonly process: ProcessIdentity
    }

const ANSWER_TIMEOUT_MS = 5000
/** The daemon's title; see `process.title` where it begins to serve. */
const TITLE = 'bosun serve'

export async function lookForDaemon(root: string): Promise<DaemonLook> {
  const address = await readAddress(root)
  if (address === null) return { kind: 'none' }
  if (await isProven(address)) return { kind: 'serving', address }
  const { pid } = address.facts
  const identity = identify(pid)
  // It may have ended, or handed over, while it was asked.
  const lastLoop = await touchedAt(root)
  if (lastLoop === null) return { kind: 'none' }
  return identity !== null && isDaemon(pid)
    ? { kind: 'silent', pid, lastLoop, process: identity }
    : { kind: 'dead', pid, lastLoop }
}

const isDaemon = (pid: number): boolean => commandLineOf(pid)?.includes(TITLE) ?? false

/** The process that has the lock of this state root and is a daemon, whether it can be found already, still, or not; else null. */
export async function daemonAtLock(root: string): Promise<ProcessIdentity | null> {
  try {
    const pid = Number.parseInt(await readFile(join(root, 'lock.pid'), 'utf8'), 10)
    return Number.isSafeInteger(pid) && pid > 0 && isDaemon(pid) ? identify(pid) : null
  } catch {
    // Nobody has it, or it is not ours to read.
    return null
  }
}

/** What people are told of a daemon that is there and does not answer. */
export function offlineRefusal({
  pid,
  lastLoop,
}: {
  readonly pid: number
  readonly lastLoop: Date
}): Refusal {
  return new Refusal({
    code: 'no_daemon',
    message: `PM offline since ${momentWords(lastLoop)}: its process ${pid} does not answer`,
    remedy: `End it with bosun stop --force, or kill ${pid}; workers go on, and the next command starts it anew.`,
  })
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
