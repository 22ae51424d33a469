/** Puts a web request to the daemon's routes, without a socket. */
import type { App, Door } from '../../src/server/app.ts'
import type { Answer } from '../../src/server/routing.ts'
import type { TestHost } from './test-host.ts'

/** What the daemon gives its routes, for a host under test. */
export const doorOf = (testing: TestHost, { token, port }: { token: string; port: number }): Door => ({
  host: testing.host,
  token,
  facts: {
    pid: 1,
    port,
    url: `http://127.0.0.1:${port}`,
    version: '1.2.3',
    build: 'b',
    started_at: new Date(0).toISOString(),
  },
  stop: () => undefined,
  ending: new AbortController().signal,
  onError: (what, error) => testing.troubles.push(`${what}: ${String(error)}`),
})

export interface Asked {
  readonly method?: 'GET' | 'HEAD' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | (() => Promise<string>)
}

export async function requestApp(app: App, url: string, asked: Asked = {}): Promise<Response> {
  const { method = 'GET', body = '' } = asked
  const { host, pathname, search } = new URL(url)
  const headers = new Map([['host', host]])
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers.set(name.toLowerCase(), value)
  const gone = new AbortController()
  const answer = await app.answer({
    method,
    target: `${pathname}${search}`,
    headers,
    text: typeof body === 'string' ? () => Promise.resolve(body) : body,
    gone: () => gone.signal,
  })
  return new Response(bodyOf(answer, gone), { status: answer.status, headers: answer.headers })
}

function bodyOf({ body }: Answer, gone: AbortController): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === 'string') return body
  if (body instanceof Uint8Array) return Uint8Array.from(body)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await body.next()
      if (gone.signal.aborted) return
      if (done === true) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      gone.abort()
      await body.return(undefined)
    },
  })
}
