import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { daemonAt } from './daemon.ts'

test('a stream that falls silent counts as lost, and the daemon is looked for again', async () => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' })
    answer.write(`data: ${JSON.stringify({ seq: 1 })}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const facts = { pid: 1, port, url: '', version: '1', build: 'b', started_at: '' }
  const offline = new Refusal({ code: 'no_daemon', message: 'PM offline', remedy: '' })
  const daemon = daemonAt({ facts, token: '' }, () => Promise.reject(offline), 50)
  const heard: (number | null)[] = []
  const listening = (async () => {
    for await (const { seq } of daemon.events({}, new AbortController().signal)) heard.push(seq)
  })()
  await expect(listening).rejects.toBe(offline)
  expect(heard).toEqual([1])
  server.closeAllConnections()
  server.close()
})
