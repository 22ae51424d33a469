/**
 * What a turn of an agent came to. Agents answer `end_turn` after a permanent failure of their provider as well, so a
 * turn counts as finished only if something shows that it worked. Typed errors come before what the text says.
 */
import { formatDuration } from '../../lib/text/format-time.ts'
import { providerTrouble } from '../watch/providers/provider-limits.ts'
import { resetTime, type ReadAt } from '../watch/providers/reset-times.ts'
import type { Instant } from '../state/state.ts'

export type TurnOutcome =
  | { readonly kind: 'finished' }
  /** It ended, and neither the tree nor a report shows any work. */
  | { readonly kind: 'nothing_done' }
  | { readonly kind: 'limited'; readonly until: Instant | null; readonly why: string }
  | { readonly kind: 'sign_in'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

/** How the agent says that it ended its turn. */
export type TurnEnd =
  | { readonly kind: 'stopped'; readonly reason: string }
  | { readonly kind: 'error'; readonly code: number | null; readonly message: string }
  /** No update for so long, although the agent itself answers. */
  | { readonly kind: 'idle'; readonly forMs: number }

export interface TurnFacts extends ReadAt {
  readonly end: TurnEnd
  /** Of the turn, or of its last step; null where the agent reported none. */
  readonly tokens: number | null
  /** Whether this agent always reports its usage, so that none means that no model answered. */
  readonly reportsUsage: boolean
  /** The last typed error that no further work followed. */
  readonly error: TypedError | null
  /** The end of its messages. */
  readonly text: string
  /** Whether it left a report or changed a file. Asked only where that makes a difference. */
  readonly hasDoneAnything: () => boolean
}

/** JSON-RPC errors of the protocol: the agent wants to be signed in. */
const AUTH_REQUIRED = -32_000
const MAX_WHY = 300

export function turnOutcome(facts: TurnFacts): TurnOutcome {
  const { end, error } = facts
  if (error !== null) return ofTypedError(error, facts)
  switch (end.kind) {
    case 'idle':
      return {
        kind: 'limited',
        until: null,
        why: `no update from its model for ${formatDuration(end.forMs)}`,
      }
    case 'error':
      return ofError(end, facts)
    case 'stopped':
      return ofStop(end.reason, facts)
  }
}

function ofTypedError(error: TypedError, facts: TurnFacts): TurnOutcome {
  const message = facts.end.kind === 'error' ? facts.end.message : facts.text
  // The bare name of an error says little.
  const why = (/[:\s]/.test(error.why) || message === '' ? error.why : `${error.why}: ${message}`).slice(
    0,
    MAX_WHY,
  )
  if (error.kind !== 'limited') return { ...error, why }
  return { ...error, why, until: resetTime(error.why, facts) ?? resetTime(message, facts) }
}

function ofError({ code, message }: Extract<TurnEnd, { kind: 'error' }>, facts: TurnFacts): TurnOutcome {
  const trouble = providerTrouble(message, facts) ?? providerTrouble(facts.text, facts)
  if (trouble !== null) return trouble
  const why = message.slice(0, MAX_WHY)
  return code === AUTH_REQUIRED ? { kind: 'sign_in', why } : { kind: 'failed', why: `it failed: ${why}` }
}

function ofStop(reason: string, facts: TurnFacts): TurnOutcome {
  switch (reason) {
    case 'cancelled':
      return { kind: 'failed', why: 'its agent cancelled the turn' }
    case 'refusal':
      return { kind: 'failed', why: 'its model refused the task' }
    case 'max_tokens':
    case 'max_turn_requests':
      return facts.hasDoneAnything()
        ? { kind: 'finished' }
        : { kind: 'failed', why: `its turn ended at a limit of the agent (${reason})` }
    default:
      return ofOrdinaryEnd(facts)
  }
}

/** A successful agent may print any word, so its text counts only where no model seems to have answered, or nothing was done. */
function ofOrdinaryEnd(facts: TurnFacts): TurnOutcome {
  const { tokens, reportsUsage, text } = facts
  const isWithoutModel = tokens === 0 || (tokens === null && reportsUsage)
  const hasWork = facts.hasDoneAnything()
  if (hasWork && !isWithoutModel) return { kind: 'finished' }
  const trouble = providerTrouble(text, facts)
  if (trouble !== null) return trouble
  if (hasWork) return { kind: 'finished' }
  return isWithoutModel
    ? {
        kind: 'limited',
        until: null,
        why: 'its turn ended without an answer from its model (no tokens were used)',
      }
    : { kind: 'nothing_done' }
}

/** The typed part of an agent's error, which comes before any text. */
export type TypedError =
  | { readonly kind: 'limited'; readonly why: string }
  | { readonly kind: 'sign_in'; readonly why: string }
  /** Waiting or signing in again does not help. */
  | { readonly kind: 'failed'; readonly why: string }

const LIMITED: ReadonlySet<string> = new Set([
  'rate_limit',
  'rate_limit_error',
  'overloaded',
  'overloaded_error',
  'server_error',
  'api_error',
  'usageLimitExceeded',
  'serverOverloaded',
  'internalServerError',
  'httpConnectionFailed',
  'responseStreamConnectionFailed',
  'responseStreamDisconnected',
  'responseTooManyFailedAttempts',
])
const SIGN_IN: ReadonlySet<string> = new Set([
  'authentication_failed',
  'authentication_error',
  'auth_error',
  'billing_error',
  'permission_error',
  'unauthorized',
])
const FAILED: ReadonlySet<string> = new Set([
  'invalid_request',
  'invalid_request_error',
  'contextWindowExceeded',
  'badRequest',
  'sandboxError',
])

/** Where agents put the kind of an error: its name, or an object whose only key is its name. */
const KIND_FIELDS = ['errorKind', 'codexErrorInfo', 'codex_error_info', 'type', 'code', 'name'] as const
const STATUS_FIELDS = ['statusCode', 'httpStatusCode', 'status', 'status_code'] as const
const DEEPEST = 5
const MOST_KEYS = 60

/** The first error of a known kind in this value, which may come from anywhere; null where there is none. */
export function typedError(value: unknown, depth = 0): TypedError | null {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null
  const fields = new Map<string, unknown>(Object.entries(value).slice(0, MOST_KEYS))
  const message = fields.get('message')
  const why = typeof message === 'string' && message !== '' ? `: ${message}` : ''
  for (const field of KIND_FIELDS) {
    const name = kindName(fields.get(field))
    const found = name === null ? null : ofName(name, why)
    if (found !== null) return found
  }
  for (const field of STATUS_FIELDS) {
    const found = ofStatus(fields.get(field), why)
    if (found !== null) return found
  }
  for (const inner of fields.values()) {
    const found = typedError(inner, depth + 1)
    if (found !== null) return found
  }
  return null
}

function kindName(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return null
  const [key, ...more] = Object.keys(value)
  return more.length === 0 ? (key ?? null) : null
}

function ofName(name: string, why: string): TypedError | null {
  const text = `${name}${why}`.slice(0, MAX_WHY)
  if (LIMITED.has(name)) return { kind: 'limited', why: text }
  if (SIGN_IN.has(name)) return { kind: 'sign_in', why: text }
  return FAILED.has(name) ? { kind: 'failed', why: text } : null
}

function ofStatus(status: unknown, why: string): TypedError | null {
  if (typeof status !== 'number') return null
  const text = `status ${status}${why}`.slice(0, MAX_WHY)
  if (status === 401 || status === 402 || status === 403) return { kind: 'sign_in', why: text }
  return status === 429 || (status >= 500 && status < 600) ? { kind: 'limited', why: text } : null
}
