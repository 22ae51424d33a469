/** How a worker speaks for itself: to the daemon where one answers, else by a file that is found later. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../lib/refusal.ts'
import { atomicWriteSync } from '../lib/atomic-write.ts'
import { exchange, refusalIn, textOf } from './exchange.ts'

export interface WorkerHere {
  readonly id: string
  /** The port of the daemon; null where none was named. */
  readonly port: number | null
  readonly token: string
  readonly coordination: string
  /** Where its report is looked for when it ends; null where nobody said. */
  readonly reportPath: string | null
}

/** Who called, by what Bosun put into its environment. Refuses whoever is no worker. */
export function workerHere(env: Readonly<Record<string, string | undefined>>): WorkerHere {
  const { BOSUN_WORKER_ID: id = '', BOSUN_TOKEN: token = '', BOSUN_COORDINATION: coordination = '' } = env
  if (!/^[a-z0-9-]{1,200}$/.test(id) || coordination === '') {
    throw new Refusal({
      code: 'usage',
      message: 'BOSUN_WORKER_ID and BOSUN_COORDINATION are not set: only a worker can say this',
      remedy: 'Call it from inside a worker. What people can do is in: bosun --help',
    })
  }
  const port = /^http:\/\/127\.0\.0\.1:(\d{1,5})$/.exec(env['BOSUN_URL'] ?? '')?.[1]
  return {
    id,
    port: port === undefined ? null : Number(port),
    token,
    coordination,
    reportPath: env['BOSUN_REPORT'] ?? null,
  }
}

const TIMEOUT_MS = 5000

/** What the daemon answers; null where none does, or it cannot write. Throws the Refusal of one that says no. */
export async function sendToDaemon<T>(
  { port, id, token }: WorkerHere,
  word: 'checkins' | 'reports' | 'requests',
  said: Readonly<Record<string, unknown>>,
): Promise<T | null> {
  if (port === null) return null
  const answer = await exchange({
    port,
    method: 'POST',
    path: `/api/workers/${id}/${word}`,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(said),
    timeoutMs: TIMEOUT_MS,
    // Nobody there, or nobody who answers in time: the file is found by whoever comes next.
  }).catch(() => null)
  if (answer === null) return null
  const text = await textOf(answer)
  const status = answer.statusCode ?? 0
  if (status >= 500) return null
  if (status < 200 || status >= 300) throw refusalIn(text, status)
  return JSON.parse(text) as T
}

/** Leaves what is said as a file in a folder of the coordination folder; answers with its path. */
export function leaveFile(
  { id, token, coordination }: WorkerHere,
  { folder, prefix }: { readonly folder: string; readonly prefix: string },
  said: Readonly<Record<string, unknown>>,
): string {
  const timestamp = new Date().toISOString()
  const stamp = `${timestamp.replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  const path = join(coordination, folder, `${prefix}${id}-${stamp}-${process.pid}.json`)
  mkdirSync(join(coordination, folder), { recursive: true, mode: 0o700 })
  const proof = token === '' ? {} : { token }
  atomicWriteSync(path, `${JSON.stringify({ worker_id: id, timestamp, ...proof, ...said })}\n`)
  return path
}
