/**
 * The answers of requests with an `Idempotency-Key`, kept for a day: the same request gets the first answer again and changes
 * nothing more, also after a restart. A request is recorded before it is handled; one that the daemon did not finish is
 * refused afterwards, since it may have taken effect. Refusals change nothing and are not kept.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { atomicWriteSync } from '../lib/files/atomic-write.ts'
import { errorCode, fullDiskText, isFullDisk } from '../lib/files/system-error.ts'
import { readIfExists } from '../lib/files/read-if-exists.ts'
import { Refusal, usageRefusal, refusal } from '../lib/refusal.ts'
import type { Answer, HttpRequest, TextAnswer } from './routing.ts'
import type { Door } from './app.ts'
import { answerThrown } from './answer-error.ts'
import { isForWorkers, pathOf } from './guard.ts'

const KEY = /^[\w.:-]{1,200}$/
const KEPT_MS = 24 * 3_600_000
const FOLDER = 'answers'

export interface KeptLimits {
  readonly count: number
  readonly bytes: number
}

const LIMITS: KeptLimits = { count: 10_000, bytes: 256 * 1024 * 1024 }
/** How many answers are kept between two looks at the limits. */
const LOOK_EVERY = 100

const record = z.strictObject({
  /** Of the route and the body. */
  request: z.string(),
  at: z.number(),
  /** Null while the request is handled. */
  answer: z
    .strictObject({ status: z.int(), headers: z.record(z.string(), z.string()), body: z.string() })
    .nullable(),
})
type Kept = z.infer<typeof record>

export interface KeyedRequest {
  readonly key: string
  /** `POST /api/plans/shop/pause` */
  readonly route: string
  readonly body: string
}

export interface KeyedParts {
  /** The state root. */
  readonly root: string
  readonly now: () => number
  readonly onError: (what: string, error: unknown) => void
  readonly limits?: KeptLimits
}

export class KeyedAnswers {
  readonly #parts: KeyedParts
  readonly #folder: string
  readonly #running = new Map<string, { readonly request: string; readonly answer: Promise<TextAnswer> }>()
  #writes = 0

  constructor(parts: KeyedParts) {
    this.#parts = parts
    this.#folder = join(parts.root, FOLDER)
  }

  /** Calls `handle` unless the request was handled before. Throws a refusal for a key of another request. */
  async answer({ key, route, body }: KeyedRequest, handle: () => Promise<TextAnswer>): Promise<TextAnswer> {
    if (!KEY.test(key)) throw invalidKey()
    const request = digest(`${route}\n${body}`)
    const running = this.#running.get(key) ?? { request, answer: this.#answerOnce(key, request, handle) }
    if (running.request !== request) throw otherRequest(key)
    this.#running.set(key, running)
    try {
      return await running.answer
    } finally {
      this.#running.delete(key)
    }
  }

  async #answerOnce(key: string, request: string, handle: () => Promise<TextAnswer>): Promise<TextAnswer> {
    const path = join(this.#folder, `${digest(key)}.json`)
    const kept = this.#read(path)
    if (kept !== null) {
      if (kept.request !== request) throw otherRequest(key)
      if (kept.answer === null) throw interrupted(key)
      return { ...kept.answer, headers: { ...kept.answer.headers, 'Idempotent-Replayed': 'true' } }
    }
    const { now, onError } = this.#parts
    if (this.#writes++ % LOOK_EVERY === 0) this.#prune()
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      write(path, { request, at: now(), answer: null })
    } catch (error) {
      throw notRecorded(this.#folder, error)
    }
    const answer = await handle()
    try {
      if (answer.status >= 200 && answer.status < 300) write(path, { request, at: now(), answer })
      else rmSync(path, { force: true })
    } catch (error) {
      // The change was made; the same request is refused from now on, which is safe.
      onError('an answer with a key', error)
    }
    return answer
  }

  /** Null for what is too old, and for what is no record: not written by Bosun. */
  #read(path: string): Kept | null {
    const text = readIfExists(path)
    if (text === null) return null
    try {
      const kept = record.parse(JSON.parse(text))
      return kept.at > this.#parts.now() - KEPT_MS ? kept : null
    } catch {
      return null
    }
  }

  /** Removes what is too old, and the oldest where there is too much. */
  #prune(): void {
    const { now, onError, limits = LIMITS } = this.#parts
    try {
      const paths = readdirSync(this.#folder).map((name) => join(this.#folder, name))
      const files = paths.map((path) => ({ path, found: statSync(path) }))
      const byAge = files.sort((a, b) => b.found.mtimeMs - a.found.mtimeMs)
      let bytes = 0
      for (const [place, { path, found }] of byAge.entries()) {
        bytes += found.size
        const isKept = found.mtimeMs > now() - KEPT_MS && place < limits.count && bytes <= limits.bytes
        if (!isKept) rmSync(path, { force: true })
      }
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') onError('the answers with keys', error)
    }
  }
}

const write = (path: string, kept: Kept): void => atomicWriteSync(path, JSON.stringify(kept))

/** Nothing was changed yet. */
function notRecorded(folder: string, cause: unknown): Refusal {
  const why = cause instanceof Error ? cause.message : String(cause)
  return refusal(
    'failed',
    isFullDisk(cause) ? fullDiskText(folder) : `cannot record the request in ${folder}: ${why}`,
    'Nothing was changed. Fix that and try again.',
    cause,
  )
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

const invalidKey = (): Refusal =>
  usageRefusal(
    'Idempotency-Key: is not 1 to 200 letters, digits, or . _ : -',
    'Send a new UUID for every change.',
  )

const otherRequest = (key: string): Refusal =>
  refusal(
    'conflict',
    `the Idempotency-Key ${key} was used for another request`,
    'Send another key with every change.',
  )

const interrupted = (key: string): Refusal =>
  refusal(
    'no_daemon',
    `the daemon stopped while it handled the request with the Idempotency-Key ${key}; it may have taken effect`,
    'See whether it did (bosun status). If not, run the command again, or send another key.',
  )

const KEY_HEADER = 'idempotency-key'
/** Their answers are secrets, and are not kept. */
const SESSION_ROUTES = '/api/session'

/** Changes that the user makes; workers repeat themselves with keys of their own. */
export function takesKey(request: HttpRequest): boolean {
  const path = pathOf(request)
  return (
    request.method === 'POST' &&
    request.headers.has(KEY_HEADER) &&
    path.startsWith('/api/') &&
    !path.startsWith(SESSION_ROUTES) &&
    !isForWorkers(path)
  )
}

/** Never rejects. */
export function answerKeyed(
  { host, onError }: Pick<Door, 'host' | 'onError'>,
  handle: (request: HttpRequest) => Promise<Answer>,
): (request: HttpRequest) => Promise<Answer> {
  const { root, clock } = host.parts
  const answers = new KeyedAnswers({ root, now: () => clock.now(), onError })
  return async (request) => {
    const route = `${request.method} ${request.target}`
    try {
      const body = await request.text().catch(() => null)
      // The caller hung up; the route says so.
      if (body === null) return await handle({ ...request, text: () => Promise.reject(new Error('aborted')) })
      const key = request.headers.get(KEY_HEADER) ?? ''
      const again = { ...request, text: () => Promise.resolve(body) }
      return await answers.answer({ key, route, body }, async () => asText(await handle(again)))
    } catch (error) {
      return answerThrown(error, route, onError)
    }
  }
}

/** No route that changes something answers with a stream. */
function asText({ status, headers, body }: Answer): TextAnswer {
  if (typeof body !== 'string') throw new Error('a stream cannot be kept')
  return { status, headers, body }
}
