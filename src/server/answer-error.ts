/** Error responses in the one form of the HTTP API. */
import { errorDocument, type ErrorReport } from '../client/error-document.ts'
import { Refusal, type RefusalCode } from '../lib/refusal.ts'
import { explainMachineError } from '../lib/files/system-error.ts'
import { jsonAnswer, type TextAnswer } from './routing.ts'

const STATUS = {
  failed: 422,
  usage: 400,
  not_found: 404,
  conflict: 409,
  needs_person: 409,
  gate_failed: 409,
  no_daemon: 503,
  budget: 409,
  no_agent: 409,
} as const satisfies Record<RefusalCode, number>

export const answerError = (status: number, error: ErrorReport): TextAnswer =>
  jsonAnswer(errorDocument(error), status)

/** What the page may load: its own files and nothing else. Its diffs and dialogs set styles from scripts. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** No framing, sniffing, caching or referrer. */
export const SECURITY_HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
} as const

/** Turns an exception into a response; unexpected ones are logged too. */
export function answerThrown(
  error: unknown,
  what: string,
  onError: (what: string, error: unknown) => void,
): TextAnswer {
  if (error instanceof Refusal) return answerError(STATUS[error.code], error)
  onError(what, error)
  if (error instanceof Error && 'remedy' in error && typeof error.remedy === 'string')
    return answerError(503, { code: 'failed', message: error.message, remedy: error.remedy })
  const refused = explainMachineError(error)
  if (refused !== null) return answerError(503, refused)
  const message = `Bosun failed unexpectedly: ${error instanceof Error ? error.message : String(error)}`
  return answerError(500, {
    code: 'failed',
    message,
    remedy: 'Details are in daemon.log in the state root.',
  })
}
