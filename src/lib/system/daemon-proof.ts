/**
 * How the daemon proves its identity before a client sends it the token: another program on its port
 * cannot answer, since it does not know the token.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'

export const CHALLENGE_HEADER = 'bosun-challenge'
export const PROOF_HEADER = 'bosun-proof'
export const CHALLENGE = /^[0-9a-f]{32}$/

export function daemonProof(token: string, challenge: string): string {
  return createHmac('sha256', token).update(`daemon ${challenge}`).digest('hex')
}

/** Compares two secrets in constant time for a given length. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
