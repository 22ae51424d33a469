/** The files in the state root by which commands find a running daemon. */
import { join } from 'node:path'
import { readRegular } from '../lib/files/read-regular.ts'
import type { DaemonFacts } from '../protocol/answers.ts'

export interface DaemonAddress {
  readonly facts: DaemonFacts
  readonly token: string
}

export const addressFile = (root: string): string => join(root, 'daemon.json')

/** The recorded address, whether the daemon still runs or not; null without one or without a readable token. */
export async function readAddress(root: string): Promise<DaemonAddress | null> {
  const [facts, token] = await Promise.all([readFacts(root), readToken(root)])
  return facts === null || token === null ? null : { facts, token }
}

/** The recorded facts of a daemon, whether it can be reached or not. */
export async function readFacts(root: string): Promise<DaemonFacts | null> {
  const json = await read(addressFile(root))
  return json === null ? null : factsIn(json)
}

export const tokenFile = (root: string): string => join(root, 'token')

async function readToken(root: string): Promise<string | null> {
  const token = (await read(tokenFile(root)))?.trim() ?? ''
  return /^[0-9a-f]{64}$/.test(token) ? token : null
}

async function read(path: string): Promise<string | null> {
  try {
    return await readRegular(path)
  } catch {
    // Missing or unreadable: there is no daemon to talk to.
    return null
  }
}

/** The file is written atomically; one in another format counts as missing. */
function factsIn(json: string): DaemonFacts | null {
  try {
    const facts = JSON.parse(json) as Partial<DaemonFacts> | null
    const isOurs =
      typeof facts?.port === 'number' && typeof facts.pid === 'number' && typeof facts.version === 'string'
    return isOurs ? (facts as DaemonFacts) : null
  } catch {
    return null
  }
}

/** How long a command waits for a daemon that it stops to exit; a daemon that stops gives up on its parts before that. */
export const STOP_TIMEOUT_MS = 60_000
