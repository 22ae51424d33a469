/** What a running daemon leaves in the state root for those who want to talk to it. */
import { join } from 'node:path'
import { readRegular } from '../lib/files/read-regular.ts'
import type { DaemonFacts } from '../protocol/answers.ts'

export interface DaemonAddress {
  readonly facts: DaemonFacts
  readonly token: string
}

export const addressFile = (root: string): string => join(root, 'daemon.json')

/** Where a daemon says it is, whether it still is or not; null where none says so, or where its token is not to be had. */
export async function readAddress(root: string): Promise<DaemonAddress | null> {
  const [facts, token] = await Promise.all([readFacts(root), readToken(root)])
  return facts === null || token === null ? null : { facts, token }
}

/** What a daemon says of itself, whether it can be talked to or not. */
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
    // Absent, or not ours to read: then there is nobody to talk to.
    return null
  }
}

/** It is written whole or not at all; a file that is not ours is as good as none. */
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
