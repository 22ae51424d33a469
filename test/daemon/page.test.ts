/** The page of a real daemon: how a browser is let in, and what gets nowhere. One daemon for all of it. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { workerToken } from '../../src/app/workers/live-workers.ts'
import { ROUTES, type RouteDocument } from '../../src/protocol/routes.ts'
import {
  HOSTILE_REQUESTS,
  hostileRequest,
  validRequest,
  type HostileTarget,
  type Secrets,
} from '../helpers/hostile-requests.ts'
import { sendRaw, type RawAnswer } from '../helpers/raw-http.ts'
import { ended } from '../delivery/lab.ts'
import { Home, printed } from './program.ts'

let home: Home
beforeAll(async () => {
  home = new Home({ SCRIPT: 'endless' })
  const run = home.spawn(['run', 'shop-plan.md'])
  await printed(run, 'stdout', /dispatched/)
  run.kill('SIGINT')
  await ended(run)
})
afterAll(() => home.dispose())

async function call(path: string, token: string | null, body?: object): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  if (body === undefined) return fetch(`${home.daemon().url}${path}`, { headers })
  headers['Content-Type'] = 'application/json'
  return fetch(`${home.daemon().url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

const codeIn = (link: string): string =>
  /^http:\/\/127\.0\.0\.1:\d+\/#code=([0-9a-f]{64})\n?$/.exec(link)?.[1] ?? ''
async function sessionFor(link: string): Promise<string> {
  const answer = await call('/api/session', null, { code: codeIn(link) })
  return ((await answer.json()) as { session: string }).session
}

/** A folder with a program in place of the one that opens links here. */
function browserThat(does: string): {
  readonly PATH: string
  readonly DISPLAY: string
  readonly opened: string
} {
  const folder = join(home.folder, `bin-${does.length}`)
  const opened = join(folder, 'opened')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\n${does.replaceAll('$OPENED', opened)}\n`)
  chmodSync(join(folder, 'xdg-open'), 0o755)
  return { PATH: `${folder}:${process.env['PATH'] ?? ''}`, DISPLAY: ':0', opened }
}

test('bosun open starts the browser with a link that works once and that no output or log has', async () => {
  const { opened, ...env } = browserThat('printf "%s" "$*" > $OPENED')
  const run = await home.run(['open'], env)
  expect(run).toEqual({ exit: 0, stdout: `opened ${home.daemon().url} in your browser\n`, stderr: '' })
  const link = readFileSync(opened, 'utf8')
  const session = await sessionFor(link)
  expect((await call('/api/plans', session)).status).toBe(200)
  expect((await call('/api/session', null, { code: codeIn(link) })).status).toBe(401)
  const log = readFileSync(join(home.root, 'daemon.log'), 'utf8')
  for (const secret of [codeIn(link), session]) expect(log).not.toContain(secret)
  expect(readFileSync(join(home.root, 'sessions.json'), 'utf8')).not.toContain(session)
  expect(statSync(join(home.root, 'sessions.json')).mode & 0o777).toBe(0o600)
})

test('bosun open prints the link where asked, without a display, or when no browser starts', async () => {
  const { opened: _, ...broken } = browserThat('exit 3 # it cannot')
  const printing = await home.run(['open', '--print'], broken)
  expect(printing).toMatchObject({ exit: 0, stderr: '' })
  const bare = await home.run(['open'], { DISPLAY: '', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' })
  expect(bare.stderr).toContain('no browser can be opened here')
  const { port } = home.daemon()
  expect(bare.stderr).toContain(`ssh -L ${port}:127.0.0.1:${port} `)
  const failed = await home.run(['open'], broken)
  expect(failed.stderr).toContain('xdg-open failed (it ended with 3)')
  for (const { stdout } of [printing, bare, failed])
    expect(await sessionFor(stdout)).toMatch(/^[0-9a-f]{64}$/)
  const json = await home.json<{ schema: string; link: string }>(['open'])
  expect(json).toMatchObject({ schema: 'bosun.open/v1', opened: false })
  expect(await sessionFor(json.link)).toMatch(/^[0-9a-f]{64}$/)
})

test('a page session survives a restart of the daemon, and bosun open --revoke ends it', async () => {
  const session = await sessionFor((await home.run(['open', '--print'])).stdout)
  const { pid } = home.daemon()
  await home.run(['stop'])
  await home.run(['resume'])
  expect(home.daemon().pid).not.toBe(pid)
  expect((await call('/api/plans', session)).status).toBe(200)
  expect(await home.run(['open', '--revoke'])).toMatchObject({
    exit: 0,
    stdout: expect.stringMatching(/^ended \d+ page sessions?\n$/),
  })
  expect((await call('/api/plans', session)).status).toBe(401)
})

test('bosun serve --host refuses and prints the line for ssh with the port of this state root', async () => {
  const { port } = home.daemon()
  const run = await home.run(['serve', '--host', '0.0.0.0'])
  expect(run.exit).toBe(2)
  expect(run.stderr).toContain(`ssh -L ${port}:127.0.0.1:${port} `)
})

/** Only the guard and Node's parser answer like this. */
const REFUSED = [400, 401, 403, 405, 411, 413, 415, 417, 421, 431]
const AT_ONCE = 24

test('no hostile request gets anywhere at any route, over raw sockets', async () => {
  const secrets = await secretsOf(home)
  const targets: HostileTarget[] = Object.entries<RouteDocument>(ROUTES).map(([name, { caller }]) => {
    const [method, path = ''] = name.split(' ')
    return { method: method === 'POST' ? 'POST' : 'GET', path: exampleOf(path), caller: caller ?? 'user' }
  })
  targets.push({ method: 'GET', path: '/p/shop', caller: 'anybody' })
  const valid = (to: HostileTarget): Promise<RawAnswer> =>
    sendRaw(secrets.port, validRequest(to, secrets), 'open')
  const instructions = '/api/workers/w-shop-1-1/instructions'
  expect((await valid({ method: 'GET', path: instructions, caller: 'worker' })).status).toBe(200)
  const before = await valid({ method: 'GET', path: '/api/status', caller: 'user' })
  const queue = targets.flatMap((to) =>
    HOSTILE_REQUESTS.filter(({ suits }) => suits(to)).map((one) => ({ one, to })),
  )
  expect(queue.length).toBeGreaterThan(5000)
  const passed: string[] = []
  const worker = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { one, to } = next
      const { status } = await sendRaw(secrets.port, hostileRequest(one, to, secrets), 'open')
      if (status !== null && !REFUSED.includes(status))
        passed.push(`${one.name} at ${to.method} ${to.path}: ${status}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  expect(passed).toEqual([])
  const after = await valid({ method: 'GET', path: '/api/status', caller: 'user' })
  // Nothing happened meanwhile, and nothing was stopped.
  expect([after.status, seqIn(after.body)]).toEqual([200, seqIn(before.body)])
})

const exampleOf = (path: string): string =>
  path.replace('/workers/{id}', '/workers/w-shop-1-1').replaceAll(/\{\w+\}/g, 'shop')
const seqIn = (text: string): string => /"seq":(\d+)/.exec(text)?.[1] ?? text

async function secretsOf({ root }: Home): Promise<Secrets> {
  const token = home.token()
  const link = async (): Promise<string> => (await home.run(['open', '--print'])).stdout
  const [used, revokedLink] = [await link(), await link()]
  const revokedSession = await sessionFor(revokedLink)
  await call('/api/session/revoke', revokedSession, {})
  const session = await sessionFor(used)
  const [repository] = readdirSync(join(root, 'repos'))
  return {
    port: home.daemon().port,
    token,
    session,
    worker: workerToken(token, `${repository ?? ''}/shop`, 'w-shop-1-1'),
    revokedSession,
    expiredSession: revokedSession,
    hashedSession: /[0-9a-f]{64}/.exec(readFileSync(join(root, 'sessions.json'), 'utf8'))?.[0] ?? '',
    code: codeIn(await link()),
    usedCode: codeIn(used),
  }
}
