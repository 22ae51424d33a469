/** The integrity check after an unclean shutdown, in a thread beside the work. */
import { Worker } from 'node:worker_threads'
import { damaged, type StoreError } from '../store-error.ts'

export type Integrity =
  /** The last end was clean. */
  | { readonly state: 'not_needed' }
  | { readonly state: 'ok' }
  | { readonly state: 'damaged'; readonly error: StoreError }
  /** The check did not finish. */
  | { readonly state: 'inconclusive'; readonly why: string }

export interface IntegrityCheck {
  /** Never rejects. */
  readonly result: Promise<Integrity>
  /** Ends the check as soon as SQLite yields its thread (at most a third of a second per million events). */
  stop(): Promise<void>
}

export const NOT_NEEDED: IntegrityCheck = {
  result: Promise.resolve({ state: 'not_needed' }),
  stop: () => Promise.resolve(),
}

/** What the thread runs. Text, not a file: it must also work where everything is bundled into one file. */
const CHECK = `
const { DatabaseSync } = require('node:sqlite')
const { parentPort, workerData } = require('node:worker_threads')
try {
  const db = new DatabaseSync(workerData.path, { readOnly: true, timeout: 5000 })
  const rows = db.prepare('pragma quick_check(10)').all()
  db.close()
  parentPort.postMessage(rows.map((row) => String(Object.values(row)[0])))
} catch (error) {
  parentPort.postMessage([String(error.message)])
}
`

export function startIntegrityCheck(path: string): IntegrityCheck {
  const worker = new Worker(CHECK, { eval: true, workerData: { path }, execArgv: [] })
  const result = new Promise<Integrity>((resolve) => {
    worker.once('message', (findings: readonly string[]) => resolve(verdict(path, findings)))
    worker.once('error', (error: unknown) => resolve({ state: 'inconclusive', why: String(error) }))
    worker.once('exit', () => resolve({ state: 'inconclusive', why: 'the integrity check did not finish' }))
  })
  return {
    result,
    stop: async () => {
      await worker.terminate()
    },
  }
}

/** `ok` alone is SQLite's word for a sound database. */
export function verdict(path: string, findings: readonly string[]): Integrity {
  const [only] = findings
  if (findings.length === 1 && only === 'ok') return { state: 'ok' }
  return { state: 'damaged', error: damaged(path, `the database is damaged (${findings.join('; ')})`) }
}
