/**
 * How the daemon proves who it is before anybody sends it the token: whoever else has taken its port
 * cannot answer, since only who knows the token can.
 */
import { createHmac } from 'node:crypto'

export const CHALLENGE_HEADER = 'bosun-challenge'
export const PROOF_HEADER = 'bosun-proof'
export const CHALLENGE = /^[0-9a-f]{32}$/

export function daemonProof(token: string, challenge: string): string {
  return createHmac('sha256', token).update(`daemon ${challenge}`).digest('hex')
}
