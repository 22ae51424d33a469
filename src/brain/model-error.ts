/** Why a request to a model failed, by the error of the AI SDK. No message of it holds the key or the prompt. */
import { APICallError } from 'ai'
import { plainLine } from '../lib/text/quoted.ts'
import { ModelError, type ModelFailure } from '../ports/brain.ts'
import { resetTime, type ReadAt } from '../core/watch/providers/reset-times.ts'

export interface ErrorContext {
  readonly service: string
  readonly key: string | null
  readonly at: ReadAt
}

const MAX_DETAIL = 200
/** They say when to come back: too many requests, unavailable, overloaded. */
const LIMITING = new Set([429, 503, 529])

export function modelError(error: unknown, { service, key, at }: ErrorContext): ModelError {
  if (!APICallError.isInstance(error) || error.statusCode === undefined) {
    // Of a network error the code says enough; its message may hold an address with a key in it.
    const code = codeOf(error)
    return new ModelError(`${service} cannot be reached${code === null ? '' : ` (${code})`}`, {
      kind: 'unavailable',
    })
  }
  const { statusCode: status, message } = error
  const failure = failureOf(error, at)
  const detail = plainLine(withoutKey(message, key), MAX_DETAIL)
  return new ModelError(
    `${service} ${meaning(failure, status)}${detail === '' ? '' : `: ${detail}`}`,
    failure,
  )
}

function failureOf(error: APICallError, at: ReadAt): ModelFailure {
  const { statusCode: status } = error
  if (status === 401 || status === 403) return { kind: 'unauthorized' }
  if (status === 429) return { kind: 'limited', until: resetOf(error, at) }
  if (status === undefined || status >= 500 || status === 408 || status === 409) {
    const until = LIMITING.has(status ?? 0) ? resetOf(error, at) : null
    return until === null ? { kind: 'unavailable' } : { kind: 'limited', until }
  }
  // A reply that was cut or garbled arrives with a status of success.
  return status >= 400 ? { kind: 'refused' } : { kind: 'unavailable' }
}

function meaning({ kind }: ModelFailure, status: number | undefined): string {
  const code = status === undefined ? '' : ` (${status})`
  switch (kind) {
    case 'unauthorized':
      return `refused the key${code}`
    case 'limited':
      return `limits requests${code}`
    case 'unavailable':
      return `is unavailable${code}`
    case 'refused':
      return `refused the request${code}`
  }
}

/** The headers of a wait come first: others name the reset of each rate. */
function resetOf({ responseHeaders = {}, responseBody = '' }: APICallError, at: ReadAt): number | null {
  const wait = Number(responseHeaders['retry-after-ms'])
  if (Number.isFinite(wait) && wait > 0) return at.now + Math.ceil(wait)
  const lines = Object.entries(responseHeaders).map(([name, value]) => `${name}: ${value}`)
  const first = lines.filter((line) => line.toLowerCase().startsWith('retry-after:'))
  const texts = [...first, responseBody.slice(0, 20_000), ...lines.filter((line) => /reset/i.test(line))]
  return texts.map((text) => resetTime(text, at)).find((until) => until !== null) ?? null
}

function codeOf(error: unknown): string | null {
  for (
    let inner: unknown = error, depth = 0;
    inner instanceof Error && depth < 5;
    inner = inner.cause, depth++
  ) {
    if ('code' in inner && typeof inner.code === 'string') return plainLine(inner.code, 40)
  }
  return null
}

const SHORTEST_KEY_PART = 8

/** Without the key, also where only its beginning or its end is quoted. */
export function withoutKey(text: string, key: string | null): string {
  const hidden = text.replace(/\b(?:sk|key|AIza)[-_A-Za-z0-9*.]{12,}/g, '[key]')
  if (key === null || key.length < SHORTEST_KEY_PART)
    return key === null || key === '' ? hidden : hidden.replaceAll(key, '[key]')
  const parts = [key, key.slice(0, SHORTEST_KEY_PART), key.slice(-SHORTEST_KEY_PART)]
  return parts.reduce((shown, part) => shown.replaceAll(part, '[key]'), hidden)
}
