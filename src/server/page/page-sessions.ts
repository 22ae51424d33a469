/**
 * Page sessions: what a browser holds in place of the user's token. `sessions.json` keeps a hash of each, keyed with that
 * token, so that the file opens nothing by itself, no other program can add a session to it, and a new token ends them all.
 */
import { createHmac, randomBytes, createHash } from 'node:crypto'
import { constants, fstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { atomicWriteText, openedFile } from '../../lib/files/atomic-write.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import { errorCode } from '../../lib/files/system-error.ts'
import { sameSecret } from '../../lib/system/daemon-proof.ts'

export const SESSION_LIFE_MS = 12 * 60 * 60_000
/** The oldest goes first. */
const MOST_SESSIONS = 32
const MAX_BYTES = 64 * 1024

/** `sessions.json`; made when it is read, since most daemons never do. */
const fileSchema = () =>
  z.strictObject({
    schema: z.literal('bosun.sessions/v1'),
    sessions: z
      .array(z.strictObject({ hash: z.string().regex(/^[0-9a-f]{64}$/), expires_at: z.iso.datetime() }))
      .max(MOST_SESSIONS),
  })

interface PageSession {
  readonly hash: string
  readonly expiresAt: number
  /** Aborted when it is revoked. */
  readonly ending: AbortController
}

export interface PageSessionsParts {
  /** The state root. */
  readonly root: string
  /** The user's. */
  readonly token: string
  readonly now: () => number
  readonly onError: (what: string, error: unknown) => void
}

export class PageSessions {
  readonly #parts: PageSessionsParts
  readonly #path: string
  readonly #writes = new SerialQueue()
  /** Null until the file has been read, with the first call that needs it. */
  #sessions: readonly PageSession[] | null = null

  constructor(parts: PageSessionsParts) {
    this.#parts = parts
    this.#path = join(parts.root, 'sessions.json')
  }

  /** Resolves when it is durable. */
  async start(): Promise<{ readonly session: string; readonly expiresAt: number }> {
    const session = randomBytes(32).toString('hex')
    const expiresAt = this.#parts.now() + SESSION_LIFE_MS
    const started = { hash: this.#hashOf(session), expiresAt, ending: new AbortController() }
    const all = [...this.#open(), started]
    for (const { ending } of all.slice(0, -MOST_SESSIONS)) ending.abort()
    this.#sessions = all.slice(-MOST_SESSIONS)
    await this.#write()
    return { session, expiresAt }
  }

  /** When each of those that are open was started, the oldest first. */
  startTimes(): readonly number[] {
    return this.#open()
      .map(({ expiresAt }) => expiresAt - SESSION_LIFE_MS)
      .toSorted((a, b) => a - b)
  }

  has(session: string): boolean {
    return this.#find(session) !== undefined
  }

  /** Aborted when the session is revoked or expires; at once if there is none. */
  endOf(session: string): AbortSignal {
    const found = this.#find(session)
    if (found === undefined) return AbortSignal.abort()
    const left = found.expiresAt - this.#parts.now()
    return AbortSignal.any([found.ending.signal, AbortSignal.timeout(left)])
  }

  /** Returns how many were ended. They have ended at once, and for good when this resolves. */
  revoke(session: string): Promise<number> {
    const found = this.#find(session)
    return this.#end(found === undefined ? [] : [found])
  }

  revokeAll(): Promise<number> {
    return this.#end(this.#open())
  }

  async #end(ended: readonly PageSession[]): Promise<number> {
    this.#sessions = this.#open().filter((one) => !ended.includes(one))
    for (const { ending } of ended) ending.abort()
    if (ended.length > 0) await this.#write()
    return ended.length
  }

  #find(session: string): PageSession | undefined {
    if (session === '') return undefined
    const hash = this.#hashOf(session)
    return this.#open().filter((one) => sameSecret(one.hash, hash))[0]
  }

  /** Those that have not expired. */
  #open(): readonly PageSession[] {
    const now = this.#parts.now()
    this.#sessions = (this.#sessions ?? this.#read()).filter(({ expiresAt }) => expiresAt > now)
    return this.#sessions
  }

  #hashOf(session: string): string {
    return createHmac('sha256', this.#parts.token).update(`page session ${session}`).digest('hex')
  }

  /** Without a file that can be read, there is no session, and the user opens the page anew. */
  #read(): readonly PageSession[] {
    try {
      const text = readOwnFile(this.#path)
      if (text === null) return []
      return fileSchema()
        .parse(JSON.parse(text))
        .sessions.map(({ hash, expires_at }) => ({
          hash,
          expiresAt: Date.parse(expires_at),
          ending: new AbortController(),
        }))
    } catch (error) {
      this.#parts.onError('page sessions', error)
      return []
    }
  }

  #write(): Promise<void> {
    return this.#writes.run(() => {
      const sessions = this.#open().map(({ hash, expiresAt }) => ({
        hash,
        expires_at: new Date(expiresAt).toISOString(),
      }))
      const file = { schema: 'bosun.sessions/v1', sessions } satisfies z.input<ReturnType<typeof fileSchema>>
      return atomicWriteText(this.#path, `${JSON.stringify(file, null, 2)}\n`)
    })
  }
}

/** Null where there is no file. Throws for anything but a small regular file. */
function readOwnFile(path: string): string | null {
  try {
    using file = openedFile(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const found = fstatSync(file.fd)
    if (!found.isFile() || found.size > MAX_BYTES) throw new Error(`${path} is not a small regular file`)
    return readFileSync(file.fd, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Codes in links to the page. Each works once and for a minute, so a link in a browser's history or a list of processes opens
 * nothing later. Only hashes are kept, in memory.
 */
export const CODE_LIFE_MS = 60_000
/** More than a person opens in a minute; the oldest goes first. */
const MOST_CODES = 32
/** Wrong codes in one minute, after which a wrong code is no longer explained. */
export const MOST_WRONG = 20
const WRONG_WINDOW_MS = 60_000

export type Redeemed = 'ok' | 'used' | 'wrong' | 'too_many'

interface KnownCode {
  readonly hash: string
  readonly expiresAt: number
  isUsed: boolean
}

export class PageCodes {
  #codes: KnownCode[] = []
  #wrongAt: number[] = []

  mint(now: number): { readonly code: string; readonly expiresAt: number } {
    const code = randomBytes(32).toString('hex')
    const expiresAt = now + CODE_LIFE_MS
    this.#forgetOld(now)
    this.#codes = [...this.#codes, { hash: hashOf(code), expiresAt, isUsed: false }].slice(-MOST_CODES)
    return { code, expiresAt }
  }

  /**
   * Takes a code; it never works again. A right code works also after many wrong ones: codes are too long to be guessed, and
   * otherwise any program on this machine could keep the user out.
   */
  redeem(code: string, now: number): Redeemed {
    this.#forgetOld(now)
    const hash = hashOf(code)
    const known = this.#codes.filter((one) => sameSecret(one.hash, hash))[0]
    if (known !== undefined && !known.isUsed) {
      known.isUsed = true
      return 'ok'
    }
    if (this.#wrongAt.length >= MOST_WRONG) return 'too_many'
    this.#wrongAt.push(now)
    return known === undefined ? 'wrong' : 'used'
  }

  #forgetOld(now: number): void {
    this.#codes = this.#codes.filter(({ expiresAt }) => expiresAt > now)
    this.#wrongAt = this.#wrongAt.filter((at) => at > now - WRONG_WINDOW_MS && at <= now)
  }
}

const hashOf = (code: string): string => createHash('sha256').update(code).digest('hex')
