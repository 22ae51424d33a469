/**
 * Codes in links to the page. Each works once and for a minute, so a link in a browser's history or a list of processes opens
 * nothing later. Only hashes are kept, in memory.
 */
import { createHash, randomBytes } from 'node:crypto'
import { sameSecret } from '../../lib/system/same-secret.ts'

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
