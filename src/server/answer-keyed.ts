/** Handles requests with an `Idempotency-Key`, which are rare: what that takes is loaded with the first (bench/idle-memory). */
import type { Door } from './app.ts'
import { answerThrown } from './answer-error.ts'
import { isForWorkers, pathOf } from './guard.ts'
import type { KeyedAnswers } from './keyed-answers.ts'
import type { Answer, HttpRequest, TextAnswer } from './routing.ts'

const KEY_HEADER = 'idempotency-key'
/** Their answers are secrets, and are not kept. */
const SESSION_ROUTES = '/api/session'

/** Changes that the user makes; workers repeat themselves with keys of their own. */
export function takesKey(request: HttpRequest): boolean {
  const path = pathOf(request)
  return (
    request.method === 'POST' &&
    request.headers.has(KEY_HEADER) &&
    path.startsWith('/api/') &&
    !path.startsWith(SESSION_ROUTES) &&
    !isForWorkers(path)
  )
}

/** Never rejects. */
export function answerKeyed(
  { host, onError }: Pick<Door, 'host' | 'onError'>,
  handle: (request: HttpRequest) => Promise<Answer>,
): (request: HttpRequest) => Promise<Answer> {
  let loading: Promise<KeyedAnswers> | null = null
  const load = async (): Promise<KeyedAnswers> => {
    const { KeyedAnswers } = await import('./keyed-answers.ts')
    const { root, clock } = host.parts
    return new KeyedAnswers({ root, now: () => clock.now(), onError })
  }
  return async (request) => {
    const route = `${request.method} ${request.target}`
    try {
      const answers = await (loading ??= load())
      const body = await request.text().catch(() => null)
      // The caller hung up; the route says so.
      if (body === null) return await handle({ ...request, text: () => Promise.reject(new Error('aborted')) })
      const key = request.headers.get(KEY_HEADER) ?? ''
      const again = { ...request, text: () => Promise.resolve(body) }
      return await answers.answer({ key, route, body }, async () => asText(await handle(again)))
    } catch (error) {
      return answerThrown(error, route, onError)
    }
  }
}

/** No route that changes something answers with a stream. */
function asText({ status, headers, body }: Answer): TextAnswer {
  if (typeof body !== 'string') throw new Error('a stream cannot be kept')
  return { status, headers, body }
}
