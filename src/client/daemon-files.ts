/** What a running daemon leaves in the state root for those who want to talk to it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DaemonFacts } from '../protocol/answers.ts'

export interface DaemonAddress {
  readonly facts: DaemonFacts
  readonly token: string
}

export const addressFile = (root: string): string => join(root, 'daemon.json')

/** Where a daemon says it is, whether it still is or not; null where none says so. */
export async function readAddress(root: string): Promise<DaemonAddress | null> {
  const [json, token] = await Promise.all([read(addressFile(root)), read(join(root, 'token'))])
  const facts = json === null ? null : factsIn(json)
  return facts === null || token === null || !/^[0-9a-f]{64}$/.test(token.trim())
    ? null
    : { facts, token: token.trim() }
}

async function read(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
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
