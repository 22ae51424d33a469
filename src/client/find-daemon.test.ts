import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { CHALLENGE_HEADER, daemonProof, PROOF_HEADER } from '../lib/daemon-proof.ts'
import { findDaemonAgain } from './find-daemon.ts'

const TOKEN = 'ab'.repeat(32)
let root: string
let server: Server
let asked: string[]
/** How often it does not answer as it should before it does. */
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

const findAgain = () =>
  findDaemonAgain({
    root,
    version: '1',
    build: 'older',
    start: () => Promise.reject(new Error('it must not be started')),
    say: () => undefined,
  })

test.each([0, 1])(
  'who lost its daemon takes the one of another build that came instead, answered late %d times',
  async (times) => {
    slow = times
    expect((await findAgain()).facts.build).toBe('newer')
    expect(asked.filter((one) => one.startsWith('POST'))).toEqual([])
  },
)
