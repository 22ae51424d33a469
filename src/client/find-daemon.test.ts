import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/system/daemon-proof.ts'
import { Refusal } from '../lib/refusal.ts'
import { findDaemonAgain, stopDaemon } from './find-daemon.ts'

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

test('stop waits for a daemon that holds the lock and does not respond yet', async () => {
  const titled = 'process.title = "bosun serve"; console.log("up"); setInterval(() => {}, 1e6)'
  const daemon = spawn(process.execPath, ['-e', titled], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void daemon.kill('SIGKILL'))
  await once(daemon.stdout, 'data')
  writeFileSync(join(root, 'lock.pid'), `${daemon.pid}\n`)
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
