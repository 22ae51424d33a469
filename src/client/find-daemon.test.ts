import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/system/daemon-proof.ts'
import { Refusal } from '../lib/refusal.ts'
import { findDaemonAgain, lookToRead, stopDaemon } from './find-daemon.ts'

const TOKEN = 'ab'.repeat(32)
let root: string
let server: Server
let asked: string[]
/** How often it responds wrongly before it responds right. */
let slow: number

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'bosun-find-'))
  asked = []
  slow = 0
  server = createServer((request, answer) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`)
    const challenge = String(request.headers[CHALLENGE_HEADER])
    if (slow-- > 0) answer.writeHead(503)
    else answer.setHeader(PROOF_HEADER, daemonProof(TOKEN, challenge))
    answer.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const facts = { pid: process.pid, port, url: '', version: '1', build: 'newer', started_at: 'today' }
  writeFileSync(join(root, 'daemon.json'), JSON.stringify(facts))
  writeFileSync(join(root, 'token'), TOKEN)
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
  rmSync(root, { recursive: true })
})

const findAgain = (hindrance = async (): Promise<Refusal | null> => null) =>
  findDaemonAgain({
    root,
    hindrance,
    version: '1',
    build: 'older',
    start: () => Promise.reject(new Error('it must not be started')),
    onProgress: () => undefined,
  })

test.each([0, 1])(
  'who lost its daemon takes the one of another build that came instead, answered late %d times',
  async (times) => {
    slow = times
    expect((await findAgain()).facts.build).toBe('newer')
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
  },
)

test('a command that lost its daemon gets the reason why no daemon can run here', async () => {
  rmSync(join(root, 'daemon.json'))
  const gone = new Refusal({ code: 'no_daemon', message: 'the database is gone', remedy: 'Put it back.' })
  await expect(findAgain(async () => gone)).rejects.toBe(gone)
})

/** A process with a daemon's title, named as holder of the lock. */
async function lockHolder(): Promise<ChildProcess> {
  const titled = 'process.title = "bosun serve"; console.log("up"); setInterval(() => {}, 1e6)'
  const daemon = spawn(process.execPath, ['-e', titled], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  await once(daemon.stdout, 'data')
  writeFileSync(join(root, 'lock.pid'), `${daemon.pid}\n`)
  return daemon
}

test.each(['', '{'])('a command that reads names the daemon whose address is %j', async (address) => {
  writeFileSync(join(root, 'daemon.json'), address)
  const place = { root, version: '1', build: 'older' }
  expect(await lookToRead(place)).toMatchObject({ kind: 'none', pid: null })
  const { pid } = await lockHolder()
  expect(await lookToRead(place)).toMatchObject({ kind: 'silent', silence: 'no_address', pid })
})

test('stop waits for a daemon that holds the lock and does not respond yet', async () => {
  const daemon = await lockHolder()
  // The one before it died, and what it left is replaced while that is found out.
  slow = 1
  const facts = JSON.parse(readFileSync(join(root, 'daemon.json'), 'utf8')) as Record<string, unknown>
  const says = (pid: number | undefined): void =>
    writeFileSync(join(root, 'daemon.json'), JSON.stringify({ ...facts, pid }))
  const gone = spawn(process.execPath, ['-e', ''])
  await once(gone, 'exit')
  says(gone.pid)
  server.once('request', () => says(daemon.pid))
  server.on('request', ({ method }) => {
    if (method !== 'POST') return
    rmSync(join(root, 'daemon.json'), { force: true })
    daemon.kill('SIGKILL')
  })
  expect(await stopDaemon(root)).toBe('stopped')
  expect(asked).toContain('POST /api/daemon/stop')
})

test('a request to stop that gets no response is repeated', async () => {
  const daemon = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  await once(daemon.stdout, 'data')
  const facts = JSON.parse(readFileSync(join(root, 'daemon.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(root, 'daemon.json'), JSON.stringify({ ...facts, pid: daemon.pid }))
  let requests = 0
  server.prependListener('request', ({ method, socket }) => {
    if (method !== 'POST') return
    if (++requests === 1) {
      socket.destroy()
      return
    }
    rmSync(join(root, 'daemon.json'), { force: true })
    daemon.kill('SIGKILL')
  })
  expect(await stopDaemon(root)).toBe('stopped')
  expect(requests).toBe(2)
})

/** A process of another program that has the pid of a daemon that is gone. */
async function stranger(): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1e6)'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  const facts = JSON.parse(readFileSync(join(root, 'daemon.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(root, 'daemon.json'), JSON.stringify({ ...facts, pid: child.pid }))
  return child
}

test.each(['asking', 'force'] as const)(
  'a process that got the pid of a daemon that died is not stopped in its place, %s',
  async (how) => {
    const other = await stranger()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    expect(await stopDaemon(root, how)).toBe('none')
    expect([other.exitCode, other.signalCode]).toEqual([null, null])
  },
)

test('a process that got the pid of a daemon while that was asked to stop is not killed in its place', async () => {
  const other = await stranger()
  let answers = 0
  // It proves itself once. Then it exits, its address is removed, and another program has its port and its pid.
  server.on('request', () => {
    if (++answers > 1) return
    slow = Infinity
    rmSync(join(root, 'daemon.json'), { force: true })
  })
  expect(await stopDaemon(root)).toBe('stopped')
  expect([other.exitCode, other.signalCode]).toEqual([null, null])
})

test('a daemon that has released its lock and does not exit is killed', async () => {
  const stuck =
    'process.title = "bosun serve"; process.on("SIGTERM", () => {}); console.log("up"); setInterval(() => {}, 1e6)'
  const daemon = spawn(process.execPath, ['-e', stuck], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  await once(daemon.stdout, 'data')
  const facts = JSON.parse(readFileSync(join(root, 'daemon.json'), 'utf8')) as Record<string, unknown>
  writeFileSync(join(root, 'daemon.json'), JSON.stringify({ ...facts, pid: daemon.pid }))
  writeFileSync(join(root, 'lock.pid'), `${daemon.pid}\n`)
  const exited = once(daemon, 'exit')
  server.on('request', ({ method }) => {
    if (method !== 'POST') return
    for (const file of ['daemon.json', 'lock.pid']) rmSync(join(root, file), { force: true })
  })
  expect(await stopDaemon(root)).toBe('stopped')
  expect((await exited)[1]).toBe('SIGKILL')
})
