/** The typed part of an agent's error, in the fields that agents use for it. It comes before any text. */

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
const MAX_WHY = 300

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
