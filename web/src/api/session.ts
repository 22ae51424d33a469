/**
 * The page's session: exchanged for the code in the address once, kept in this tab, and given to other tabs of the browser by
 * the worker that holds the stream.
 */
import type { SessionAnswer } from '../../../src/protocol/machine-answer.ts'

const KEY = 'bosun.session'
const CODE = /^#code=([0-9a-f]{64})$/

/** A session that was just exchanged, or one that was kept and may have ended since. */
type Origin = 'exchange' | 'kept'
type Listener = (session: string | null, from: Origin) => void
const listeners = new Set<Listener>()
let session: string | null = null

export const currentSession = (): string | null => session

/** Called with null when the session has ended. */
export function onSession(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function keepSession(value: string, from: Origin): void {
  session = value
  sessionStorage.setItem(KEY, value)
  for (const listener of listeners) listener(value, from)
}

/** Forgets it unless another has taken its place. */
export function forgetSession(ended: string): void {
  if (session !== ended) return
  session = null
  sessionStorage.removeItem(KEY)
  for (const listener of listeners) listener(null, 'kept')
}

/** The code in a fragment; null where there is none. */
export const codeIn = (hash: string): string | null => CODE.exec(hash)?.[1] ?? null

export type Arrival = 'signed_in' | 'no_session' | 'code_refused' | 'unreachable'

/** Takes the code out of the address, or the session of this tab, or asks other tabs. */
export async function openSession(fromOtherTabs: () => Promise<string | null>): Promise<Arrival> {
  const code = codeIn(location.hash)
  if (location.hash.startsWith('#code=')) {
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  if (code !== null) {
    const arrival = await exchange(code)
    if (arrival === 'signed_in') return arrival
    return (await earlier(fromOtherTabs)) ? 'signed_in' : arrival
  }
  return (await earlier(fromOtherTabs)) ? 'signed_in' : 'no_session'
}

async function earlier(fromOtherTabs: () => Promise<string | null>): Promise<boolean> {
  const kept = sessionStorage.getItem(KEY) ?? (await fromOtherTabs())
  if (kept === null) return false
  keepSession(kept, 'kept')
  return true
}

async function exchange(code: string): Promise<Arrival> {
  try {
    const response = await fetch('/api/session', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code }),
    })
    if (!response.ok) return 'code_refused'
    const answer = (await response.json()) as SessionAnswer
    keepSession(answer.session, 'exchange')
    return 'signed_in'
  } catch {
    // The daemon is gone, or what answered is no daemon.
    return 'unreachable'
  }
}
