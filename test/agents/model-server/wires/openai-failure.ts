/** How OpenAI's two formats fail. */
import type { FailStep } from '../script.ts'
import { goDuration, secondsOf, type HttpFailure } from './wire.ts'

const FAILURES = {
  signed_out: [401, 'invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  limited: [429, 'requests', 'rate_limit_exceeded', 'Rate limit reached.'],
  overloaded: [
    503,
    'server_error',
    'server_is_overloaded',
    'The server is overloaded. Please try again later.',
  ],
  broken: [500, 'server_error', null, 'The server had an error while processing your request.'],
} as const

export function openAiError(step: FailStep, now: number): Readonly<Record<string, unknown>> {
  const [, type, code, message] = FAILURES[step.why]
  if (step.why === 'limited' && step.limit === 'usage' && step.resetMs !== null) {
    return {
      type: 'usage_limit_reached',
      code: 'usage_limit_reached',
      message: 'The usage limit has been reached',
      plan_type: 'plus',
      resets_at: secondsOf(now + step.resetMs),
      resets_in_seconds: secondsOf(step.resetMs),
    }
  }
  const wait = step.resetMs === null ? '' : ` Please try again in ${goDuration(step.resetMs)}.`
  return { message: `${message}${wait}`, type, param: null, code }
}

export function openAiFailure(step: FailStep, now: number): HttpFailure {
  const [status] = FAILURES[step.why]
  const headers =
    step.resetMs === null
      ? {}
      : {
          'retry-after': String(secondsOf(step.resetMs)),
          'retry-after-ms': String(step.resetMs),
          'x-ratelimit-limit-requests': '60',
          'x-ratelimit-remaining-requests': '0',
          'x-ratelimit-reset-requests': goDuration(step.resetMs),
        }
  return { status, headers, body: { error: openAiError(step, now) } }
}
