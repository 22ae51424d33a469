/**
 * Requests that must get nowhere, as bytes: each is a valid request to some route with one thing wrong. Tests
 * send the valid request too, so that the one wrong thing is what the refusal is about.
 */
import type { Caller } from '../../src/protocol/routes.ts'

export interface HostileTarget {
  readonly method: 'GET' | 'POST'
  /** With values in place of parameters. */
  readonly path: string
  readonly caller: Caller
}

/** What a hostile program may have got hold of, and what would be right. */
export interface Secrets {
  readonly port: number
  readonly token: string
  readonly session: string
  /** Of the worker in the paths of worker routes. */
  readonly worker: string
  readonly revokedSession: string
  readonly expiredSession: string
  /** As sessions.json has it. */
  readonly hashedSession: string
  readonly code: string
  readonly usedCode: string
}

/** What is wrong; all else is as in a valid request. */
interface Change {
  /** In place of the request line, which is `METHOD TARGET HTTP/1.1`. */
  readonly line?: string
  readonly method?: string
  readonly target?: string
  /** Values of headers; several come as several headers. */
  readonly host?: readonly string[]
  readonly authorization?: readonly string[]
  readonly type?: readonly string[]
  readonly length?: readonly string[]
  /** Whole header lines. */
  readonly more?: readonly string[]
  readonly body?: string
}

export interface HostileRequest {
  readonly name: string
  /** Whether it makes sense for this route. */
  readonly suits: (to: HostileTarget) => boolean
  readonly change: (to: HostileTarget, secrets: Secrets) => Change
  /** Refused before it is a request at all. */
  readonly isMalformed: boolean
}

export function validRequest(to: HostileTarget, secrets: Secrets): string {
  return bytesOf(to, secrets, {})
}

export const hostileRequest = (one: HostileRequest, to: HostileTarget, secrets: Secrets): string =>
  bytesOf(to, secrets, one.change(to, secrets))

function bytesOf(to: HostileTarget, secrets: Secrets, change: Change): string {
  const { method = to.method, target = to.path, body = to.method === 'POST' ? '{}' : '', more = [] } = change
  const isPost = to.method === 'POST'
  const values = (name: string, all: readonly string[]): string[] => all.map((value) => `${name}: ${value}`)
  const lines = [
    change.line ?? `${method} ${target} HTTP/1.1`,
    ...values('Host', change.host ?? [`127.0.0.1:${secrets.port}`]),
    ...values('Authorization', change.authorization ?? validAuthorization(to, secrets)),
    ...values('Content-Type', change.type ?? (isPost ? ['application/json'] : [])),
    ...values('Content-Length', change.length ?? (isPost ? [String(Buffer.byteLength(body))] : [])),
    ...more,
    ...(more.some((line) => line.startsWith('Connection:')) ? [] : ['Connection: close']),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

function validAuthorization({ caller }: HostileTarget, { token, worker }: Secrets): readonly string[] {
  switch (caller) {
    case 'user':
    case 'token':
      return [`Bearer ${token}`]
    case 'worker':
      return [`Bearer ${worker}`]
    case 'anybody':
      return []
  }
}

const everywhere = (): boolean => true
const guarded = ({ caller }: HostileTarget): boolean => caller !== 'anybody'
const posts = ({ method }: HostileTarget): boolean => method === 'POST'
const gets = ({ method }: HostileTarget): boolean => method === 'GET'
const ofUsers = ({ caller }: HostileTarget): boolean => caller === 'user' || caller === 'token'
const ofWorkers = ({ caller }: HostileTarget): boolean => caller === 'worker'
const notOfPages = ({ caller }: HostileTarget): boolean => caller === 'worker' || caller === 'token'
/** A browser that follows a link to /metrics gets the page. */
const notAScreen = (to: HostileTarget): boolean => guarded(to) && to.path !== '/metrics'

const row =
  (isMalformed: boolean) =>
  (
    name: string,
    suits: HostileRequest['suits'],
    change: Change | HostileRequest['change'],
  ): HostileRequest => ({
    name,
    suits,
    change: typeof change === 'function' ? change : () => change,
    isMalformed,
  })
const one = row(false)
const malformed = row(true)
const token = (name: string, authorization: (secrets: Secrets) => readonly string[]): HostileRequest =>
  one(name, guarded, (_to, secrets) => ({ authorization: authorization(secrets) }))
const target = (name: string, targetOf: (path: string, port: number) => string): HostileRequest =>
  one(name, everywhere, ({ path }, { port }) => ({ target: targetOf(path, port) }))
const host = (name: string, ...hosts: readonly string[]): HostileRequest =>
  one(name, everywhere, (_to, { port }) => ({
    host: hosts.map((text) => text.replace('$PORT', String(port))),
  }))
const headers = (name: string, ...more: readonly string[]): HostileRequest =>
  one(name, everywhere, (_to, { port }) => ({
    more: more.map((line) => line.replace('$PORT', String(port))),
  }))

/** The token that is right for this route. */
const right = ({ caller }: HostileTarget, { token: user, worker }: Secrets): string =>
  caller === 'worker' ? worker : user

export const HOSTILE_REQUESTS: readonly HostileRequest[] = [
  token('no token', () => []),
  token('an empty token', () => ['Bearer ']),
  token('a token of zeros', () => [`Bearer ${'0'.repeat(64)}`]),
  one('a token that is too short', guarded, (to, all) => ({
    authorization: [`Bearer ${right(to, all).slice(1)}`],
  })),
  one('a token that is too long', guarded, (to, all) => ({ authorization: [`Bearer ${right(to, all)}0`] })),
  one('a token in capitals', guarded, (to, all) => ({
    authorization: [`Bearer ${right(to, all).toUpperCase()}`],
  })),
  one('a token with one digit changed', guarded, (to, all) => ({
    authorization: [`Bearer ${right(to, all).slice(0, -1)}${right(to, all).endsWith('0') ? '1' : '0'}`],
  })),
  one('the token as Basic', guarded, (to, all) => ({ authorization: [`Basic ${right(to, all)}`] })),
  one('the bare token', guarded, (to, all) => ({ authorization: [right(to, all)] })),
  one('a scheme in small letters', guarded, (to, all) => ({ authorization: [`bearer ${right(to, all)}`] })),
  one('two spaces before the token', guarded, (to, all) => ({
    authorization: [`Bearer  ${right(to, all)}`],
  })),
  one('the token in the query', guarded, (to, all) => ({
    authorization: [],
    target: `${to.path}?token=${right(to, all)}&access_token=${right(to, all)}`,
  })),
  one('the token in a cookie', guarded, (to, all) => ({
    authorization: [],
    more: [`Cookie: token=${right(to, all)}; session=${all.session}`],
  })),
  one('the token in other headers', guarded, (to, all) => ({
    authorization: [],
    more: [`X-Token: ${right(to, all)}`, `Proxy-Authorization: Bearer ${right(to, all)}`],
  })),
  one('two tokens, the first one right', guarded, (to, all) => ({
    authorization: [`Bearer ${right(to, all)}`, `Bearer ${'0'.repeat(64)}`],
  })),
  one('two tokens, the last one right', guarded, (to, all) => ({
    authorization: [`Bearer ${'0'.repeat(64)}`, `Bearer ${right(to, all)}`],
  })),
  one('the right token twice', guarded, (to, all) => ({
    authorization: [`Bearer ${right(to, all)}`, `Bearer ${right(to, all)}`],
  })),
  one('a page session on a route that is not for pages', notOfPages, (_to, { session }) => ({
    authorization: [`Bearer ${session}`],
  })),
  one("the user's token on a worker's route", ofWorkers, (_to, secrets) => ({
    authorization: [`Bearer ${secrets.token}`],
  })),
  one("a worker's token on a user's route", ofUsers, (_to, { worker }) => ({
    authorization: [`Bearer ${worker}`],
  })),
  token('a page session that was revoked', ({ revokedSession }) => [`Bearer ${revokedSession}`]),
  token('a page session that has expired', ({ expiredSession }) => [`Bearer ${expiredSession}`]),
  token('a page session as the file has it', ({ hashedSession }) => [`Bearer ${hashedSession}`]),
  token('the code of a link in place of a token', ({ code }) => [`Bearer ${code}`]),
  token('a used code in place of a token', ({ usedCode }) => [`Bearer ${usedCode}`]),

  one('no host', everywhere, { host: [] }),
  host('an empty host', ''),
  host('a name of its own, by DNS rebinding', 'evil.test:$PORT'),
  host('a name that begins like ours', 'localhost.evil.test:$PORT'),
  host('our address as the beginning of a name', '127.0.0.1.evil.test:$PORT'),
  host('a host without the port', '127.0.0.1'),
  host('a host with another port', '127.0.0.1:1'),
  host('a host that goes on after the port', '127.0.0.1:$PORT.evil.test'),
  host('a host with a user in it', '127.0.0.1:$PORT@evil.test'),
  host('a host behind a user', 'evil.test@127.0.0.1:$PORT'),
  host('a host in short notation', '127.1:$PORT'),
  host('a host as a number', '2130706433:$PORT'),
  host('a host in IPv6', '[::1]:$PORT'),
  host('a host in IPv6 that is IPv4', '[::ffff:127.0.0.1]:$PORT'),
  host('the any-address as host', '0.0.0.0:$PORT'),
  host('a host in capitals', 'LOCALHOST:$PORT'),
  host('a host with a dot at its end', 'localhost.:$PORT'),
  host('two hosts, ours first', '127.0.0.1:$PORT', 'evil.test'),
  host('two hosts, ours last', 'evil.test', '127.0.0.1:$PORT'),
  host('our host twice', '127.0.0.1:$PORT', '127.0.0.1:$PORT'),
  host('two hosts in one header', '127.0.0.1:$PORT, evil.test'),

  headers('an origin of its own', 'Origin: http://evil.test'),
  headers('another port of this machine as origin', 'Origin: http://127.0.0.1:3000'),
  headers('this machine without a port as origin', 'Origin: http://localhost'),
  headers('our origin by https', 'Origin: https://127.0.0.1:$PORT'),
  headers('our origin with a path', 'Origin: http://127.0.0.1:$PORT/'),
  headers('the null origin', 'Origin: null'),
  headers('an empty origin', 'Origin:'),
  headers('two origins, ours first', 'Origin: http://127.0.0.1:$PORT', 'Origin: http://evil.test'),
  headers('two origins in one header', 'Origin: http://127.0.0.1:$PORT http://evil.test'),
  headers('an origin of a browser extension', 'Origin: chrome-extension://abcdefghijklmnop'),
  headers('a cross-site fetch', 'Sec-Fetch-Site: cross-site'),
  headers('a same-site fetch, of another port', 'Sec-Fetch-Site: same-site'),
  headers('a fetch of an unknown site', 'Sec-Fetch-Site: elsewhere'),
  headers('two sites', 'Sec-Fetch-Site: same-origin', 'Sec-Fetch-Site: cross-site'),
  headers(
    'a frame of another site',
    'Sec-Fetch-Site: cross-site',
    'Sec-Fetch-Mode: navigate',
    'Sec-Fetch-Dest: iframe',
  ),
  one('a link of another site to data', notAScreen, {
    more: ['Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document'],
  }),
  one('a form of another site', posts, {
    more: [
      'Origin: http://evil.test',
      'Sec-Fetch-Site: cross-site',
      'Sec-Fetch-Mode: navigate',
      'Sec-Fetch-Dest: document',
    ],
  }),

  one('a preflight', everywhere, (_to, { port }) => ({
    method: 'OPTIONS',
    type: [],
    length: [],
    body: '',
    more: [`Origin: http://127.0.0.1:${port}`, 'Access-Control-Request-Method: POST'],
  })),
  ...['PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND', 'LINK', 'QUERY'].map((method) =>
    one(`the method ${method}`, everywhere, { method }),
  ),
  one('a method that a header puts in place', posts, {
    method: 'PUT',
    more: ['X-HTTP-Method-Override: POST'],
  }),
  malformed('CONNECT', everywhere, { line: 'CONNECT 127.0.0.1:22 HTTP/1.1' }),
  malformed('a method in small letters', everywhere, ({ method, path }) => ({
    line: `${method.toLowerCase()} ${path} HTTP/1.1`,
  })),
  malformed('a method that does not exist', everywhere, ({ path }) => ({ line: `FETCH ${path} HTTP/1.1` })),
  headers('a WebSocket', 'Connection: Upgrade, close', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'),
  headers(
    'an upgrade to HTTP/2',
    'Connection: Upgrade, HTTP2-Settings, close',
    'Upgrade: h2c',
    'HTTP2-Settings: AAMAAABk',
  ),
  headers('an expectation', 'Expect: 100-continue'),
  headers('an unknown expectation', 'Expect: 200-ok'),

  target('an absolute target', (path, port) => `http://127.0.0.1:${port}${path}`),
  target('an absolute target elsewhere', (path) => `http://evil.test${path}`),
  target('a target of two slashes', (path) => `/${path}`),
  target('two slashes at the end', (path) => `${path}//`),
  target('a way through dots', (path) => `/assets/..${path}`),
  target('a way through encoded dots', (path) => `/assets/%2e%2e${path}`),
  target('a way through half-encoded dots', (path) => `/assets/.%2E${path}`),
  target('a way through an encoded slash', (path) => `/assets/..%2f${path.slice(1)}`),
  target('a way through a backslash', (path) => `/assets\\..\\${path.slice(1)}`),
  target('a way through an encoded backslash', (path) => `/assets/..%5c${path.slice(1)}`),
  target('a dot at the end', (path) => `${path.replace(/\/$/, '')}/.`),
  target('a zero byte in the path', (path) => `${path}%00`),
  target('an escape that is cut off', (path) => `${path}%2`),
  target('an escape that is none', (path) => `${path}%zz`),
  target('a fragment in the target', (path) => `${path}#x`),
  target('a quote in the path', (path) => `${path}"`),
  target('a target that is too long', (path) => `${path}?x=${'x'.repeat(9000)}`),
  target('a star as the target', () => '*'),
  malformed('a space in the target', everywhere, ({ method, path }) => ({
    line: `${method} ${path} x HTTP/1.1`,
  })),
  malformed('a real zero byte in the target', everywhere, ({ path }) => ({ target: `${path}\0` })),
  malformed('a tab in the target', everywhere, ({ path }) => ({ target: `${path}\tx` })),
  malformed('no target', everywhere, ({ method }) => ({ line: `${method} HTTP/1.1` })),

  one('plain text that is JSON', posts, { type: ['text/plain'] }),
  one('plain text with a charset', posts, { type: ['text/plain;charset=UTF-8'] }),
  one('a form', posts, { type: ['application/x-www-form-urlencoded'], body: 'a=b' }),
  one('a form with files', posts, { type: ['multipart/form-data; boundary=x'] }),
  one('no content type', posts, { type: [] }),
  one('an empty content type', posts, { type: [''] }),
  one('two content types', posts, { type: ['application/json', 'text/plain'] }),
  one('two content types in one header', posts, { type: ['text/plain, application/json'] }),
  one('JSON with a boundary', posts, { type: ['application/json; boundary=x'] }),
  one('JSON of another charset', posts, { type: ['application/json; charset=utf-16'] }),
  one('a type that begins like JSON', posts, { type: ['application/jsonx'] }),
  one('a compressed body', posts, { more: ['Content-Encoding: gzip'] }),
  one('a body in chunks', posts, {
    length: [],
    more: ['Transfer-Encoding: chunked'],
    body: '2\r\n{}\r\n0\r\n\r\n',
  }),
  one('no length', posts, { length: [], body: '' }),
  one('a body that is too long', posts, { length: ['999999999'], body: '' }),
  malformed('a length and chunks', posts, { more: ['Transfer-Encoding: chunked'] }),
  malformed('chunks that are spelled wrong', posts, { length: [], more: ['Transfer-Encoding: xchunked'] }),
  malformed('chunks behind something else', posts, { more: ['Transfer-Encoding: identity, chunked'] }),
  malformed('two lengths that differ', posts, { length: ['2', '99'] }),
  malformed('the same length twice', posts, { length: ['2', '2'] }),
  malformed('two lengths in one header', posts, { length: ['2, 2'] }),
  malformed('a length below zero', posts, { length: ['-1'] }),
  malformed('a length with a sign', posts, { length: ['+2'] }),
  malformed('a length in hexadecimal', posts, { length: ['0x2'] }),
  one('a GET with a body', gets, { type: ['application/json'], length: ['2'], body: '{}' }),
  malformed('a GET with a body in chunks that never end', gets, {
    more: ['Transfer-Encoding: chunked'],
    body: 'zz\r\n',
  }),
  one('a GET with chunks', gets, { more: ['Transfer-Encoding: chunked'], body: '2\r\n{}\r\n0\r\n\r\n' }),

  malformed('headers that are too long', everywhere, { more: [`X-Long: ${'x'.repeat(20_000)}`] }),
  malformed('a folded header', guarded, (to, all) => ({ authorization: [`Bearer\r\n ${right(to, all)}`] })),
  malformed('a space before a colon', guarded, (to, all) => ({
    authorization: [],
    more: [`Authorization : Bearer ${right(to, all)}`],
  })),
  malformed('a zero byte in a header', everywhere, { more: ['X-Zero: a\0b'] }),
  malformed('a line break in a header', everywhere, { more: ['X-Break: a\rHost: evil.test'] }),
  malformed('a header without a name', everywhere, { more: [': x'] }),
  malformed('a header without a colon', everywhere, { more: ['X-Nothing'] }),
  malformed('HTTP of the future', everywhere, ({ method, path }) => ({ line: `${method} ${path} HTTP/3.0` })),
  malformed('HTTP without a version', everywhere, ({ method, path }) => ({ line: `${method} ${path}` })),
  malformed('no HTTP at all', everywhere, { line: 'hello' }),
  malformed('HTTP/2 without asking', everywhere, { line: 'PRI * HTTP/2.0' }),
]
