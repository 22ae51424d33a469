/**
 * A table of routes, and what a route answers. It works on plain values: the web classes `Request` and `Response` of Node
 * cost a daemon 7 MiB that it keeps (bench/idle-memory), so only the route of a library that needs them loads them.
 */
import { pathOf, type RawRequest } from './guard.ts'

export interface HttpRequest extends RawRequest {
  /** The whole body; rejects if the caller hangs up before its end. */
  readonly text: () => Promise<string>
  /** Aborted when the caller has hung up. */
  readonly gone: () => AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** A stream is read as fast as the caller takes it, and closed when the caller is gone. */
  readonly body: string | Uint8Array | AsyncGenerator<string>
}

export type TextAnswer = Answer & { readonly body: string }

export type Handler = (call: Call) => Answer | Promise<Answer>

export interface Route {
  readonly method: 'GET' | 'POST'
  /** With `:name` for a segment of any value. */
  readonly path: string
  /** Of the path. */
  readonly segments: readonly string[]
  readonly handler: Handler
}

/** One request to a route. */
export class Call {
  readonly request: HttpRequest
  readonly path: string
  readonly #query: string
  readonly #params: Readonly<Record<string, string>>

  constructor(request: HttpRequest, path: string, params: Readonly<Record<string, string>>) {
    this.request = request
    this.path = path
    this.#query = request.target.slice(path.length + 1)
    this.#params = params
  }

  /** The value of a `:name` in the route's path. */
  param(name: string): string {
    return this.#params[name] ?? ''
  }

  query(): Readonly<Record<string, string>> {
    return Object.fromEntries(new URLSearchParams(this.#query))
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name)
  }

  text(): Promise<string> {
    return this.request.text()
  }

  json(value: unknown, status = 200): TextAnswer {
    return jsonAnswer(value, status)
  }
}

export const jsonAnswer = (value: unknown, status: number): TextAnswer => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
})

export class Routes {
  readonly #prefix: string
  readonly #all: Route[]

  constructor(prefix = '', all: Route[] = []) {
    this.#prefix = prefix
    this.#all = all
  }

  get all(): readonly Route[] {
    return this.#all
  }

  /** The same table, for routes whose paths begin with this. */
  under(prefix: string): Routes {
    return new Routes(this.#prefix + prefix, this.#all)
  }

  get(path: string, handler: Handler): void {
    this.#add('GET', path, handler)
  }

  post(path: string, handler: Handler): void {
    this.#add('POST', path, handler)
  }

  /** Null if there is no such route. HEAD is answered like GET. */
  call(request: HttpRequest): (() => Answer | Promise<Answer>) | null {
    const path = pathOf(request)
    const given = path.split('/')
    const method = request.method === 'HEAD' ? 'GET' : request.method
    for (const { method: wanted, segments, handler } of this.#all) {
      const params = wanted === method ? paramsIn(segments, given) : null
      if (params !== null) return () => handler(new Call(request, path, params))
    }
    return null
  }

  #add(method: Route['method'], path: string, handler: Handler): void {
    const whole = this.#prefix + path
    this.#all.push({ method, path: whole, segments: whole.split('/'), handler })
  }
}

/** The values of the `:names`; null where the path does not match. */
function paramsIn(
  wanted: readonly string[],
  given: readonly string[],
): Readonly<Record<string, string>> | null {
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [at, segment] of wanted.entries()) {
    const value = given[at] ?? ''
    if (segment.startsWith(':') && value !== '') params[segment.slice(1)] = decoded(value)
    else if (segment !== value) return null
  }
  return params
}

/** The guard has checked that every `%` begins an escape; bytes that are not UTF-8 stay as they are. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
