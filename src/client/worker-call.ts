/** How a worker's commands reach the daemon: over HTTP if it responds, else by a file for later. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { usageRefusal } from '../lib/refusal.ts'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import { exchange, refusalIn, textOf } from './exchange.ts'

export interface WorkerHere {
  readonly id: string
  /** The daemon's port; null if not set. */
  readonly port: number | null
  readonly token: string
  readonly coordination: string
  /** The folder in its workspace whose check-ins its supervisor passes on; null if not set. */
  readonly outbox?: string | null | undefined
  /** Where its report is expected when it ends; null if not set. */
  readonly reportPath: string | null
}

/** The calling worker, from its environment. Throws a refusal outside of a worker. */
export function workerHere(env: Readonly<Record<string, string | undefined>>): WorkerHere {
  const { BOSUN_WORKER_ID: id = '', BOSUN_TOKEN: token = '', BOSUN_COORDINATION: coordination = '' } = env
  if (!/^[a-z0-9-]{1,200}$/.test(id) || coordination === '') {
    throw usageRefusal(
      'BOSUN_WORKER_ID and BOSUN_COORDINATION are not set; this command is for workers',
      'Run it from inside a worker. For other commands see bosun --help.',
    )
  }
  const port = /^http:\/\/127\.0\.0\.1:(\d{1,5})$/.exec(env['BOSUN_URL'] ?? '')?.[1]
  return {
    id,
    port: port === undefined ? null : Number(port),
    token,
    coordination,
    outbox: env['BOSUN_OUTBOX'] ?? null,
    reportPath: env['BOSUN_REPORT'] ?? null,
  }
}

const TIMEOUT_MS = 5000

/**
 * The daemon's response to a message, or the messages that wait for the worker; null if it does not respond or cannot write.
 * Throws its refusals.
 */
export async function sendToDaemon<T>(
  { port, id, token }: WorkerHere,
  word: 'checkins' | 'reports' | 'requests' | 'instructions',
  message?: Readonly<Record<string, unknown>>,
): Promise<T | null> {
  if (port === null) return null
  const body = message === undefined ? undefined : JSON.stringify(message)
  const answer = await exchange({
    port,
    method: body === undefined ? 'GET' : 'POST',
    path: `/api/workers/${id}/${word}`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body }),
    timeoutMs: TIMEOUT_MS,
    // No response in time: the next daemon finds the file.
  }).catch(() => null)
  if (answer === null) return null
  const text = await textOf(answer)
  const status = answer.statusCode ?? 0
  if (status >= 500) return null
  if (status < 200 || status >= 300) throw refusalIn(text, status)
  return JSON.parse(text) as T
}

/**
 * Writes the message as a file into the coordination folder; returns its path. A sandbox may let a worker write in its clone
 * only: then a check-in goes to its outbox.
 */
export function leaveFile(
  { id, token, coordination, outbox = null }: WorkerHere,
  { folder, prefix }: { readonly folder: string; readonly prefix: string },
  message: Readonly<Record<string, unknown>>,
): string {
  const timestamp = new Date().toISOString()
  const stamp = `${timestamp.replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  const name = `${prefix}${id}-${stamp}-${process.pid}.json`
  const proof = token === '' ? {} : { token }
  const text = `${JSON.stringify({ worker_id: id, timestamp, ...proof, ...message })}\n`
  try {
    return leave(join(coordination, folder), name, text)
  } catch (error) {
    if (outbox === null || folder !== CHECKINS) throw error
    return leave(join(outbox, 'checkins'), name, text)
  }
}

/** The folder of check-ins in the coordination folder. */
export const CHECKINS = 'worker-checkins'

function leave(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  atomicWriteSync(path, text)
  return path
}
