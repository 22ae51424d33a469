import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { daemonAt, messagesIn } from './daemon.ts'

test('a silent event stream counts as lost, and the client looks for the daemon again', async () => {
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'Content-Type': 'text/event-stream' })
    answer.write(`data: ${JSON.stringify({ seq: 1 })}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const facts = { pid: 1, port, url: '', version: '1', build: 'b', started_at: '' }
  const offline = new Refusal({ code: 'no_daemon', message: 'PM offline', remedy: '' })
  const daemon = daemonAt({ facts, token: '' }, () => Promise.reject(offline), 50)
  const received: (number | null)[] = []
  const listening = (async () => {
    for await (const { seq } of daemon.events({}, new AbortController().signal)) received.push(seq)
  })()
  await expect(listening).rejects.toBe(offline)
  expect(received).toEqual([1])
  server.closeAllConnections()
  server.close()
})

describe('a daemon that is gone', () => {
  const gone = async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    await new Promise((resolve) => server.close(resolve))
    return { facts: { pid: 1, port, url: '', version: '1', build: 'b', started_at: '' }, token: '' }
  }
  const serving = async () => {
    const asked: string[] = []
    const server = createServer((request, answer) => {
      asked.push(request.method ?? '')
      answer.end('{"plans":[]}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const facts = { pid: 2, port, url: '', version: '1', build: 'b', started_at: '' }
    return { address: { facts, token: '' }, asked, close: () => server.close() }
  }

  test('gets a read repeated on its successor', async () => {
    const instead = await serving()
    const daemon = daemonAt(await gone(), async () => instead.address)
    expect(await daemon.get('/api/plans')).toEqual({ plans: [] })
    expect(await daemon.get('/api/plans')).toEqual({ plans: [] })
    instead.close()
  })

  test('gets a change repeated with its key, so that it counts once', async () => {
    const keys: unknown[] = []
    const server = createServer((request, answer) => {
      keys.push(request.headers['idempotency-key'])
      // The first call is cut off.
      if (keys.length === 1) request.socket.destroy()
      else answer.end('{"changed":true}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const address = { facts: { pid: 1, port, url: '', version: '1', build: 'b', started_at: '' }, token: '' }
    const daemon = daemonAt(address, async () => address)
    expect(await daemon.post('/api/plans/{id}/pause', {}, { id: 'shop' })).toEqual({ changed: true })
    expect(await daemon.post('/api/plans/{id}/pause', {}, { id: 'shop' })).toEqual({ changed: true })
    const [first, again, other] = keys
    expect(first).toMatch(/^[\w-]{36}$/)
    expect(again).toBe(first)
    expect(other).not.toBe(first)
    server.closeAllConnections()
    server.close()
  })

  test('without a successor is an error that says so', async () => {
    const ended = new Refusal({ code: 'no_daemon', message: 'the daemon was stopped', remedy: '' })
    const daemon = daemonAt(await gone(), () => Promise.reject(ended))
    await expect(daemon.get('/api/plans')).rejects.toBe(ended)
  })
})

const message = (seq: number) => ({
  seq,
  version: seq,
  timestamp: 't',
  plan: 'shop',
  task: null,
  text: 'ä',
  activity: [],
})
const block = (seq: number): string =>
  `id: ${seq}\nevent: happened\ndata: ${JSON.stringify(message(seq))}\n\n`

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test.each([1, 3, 7, 1000])('messages are whole however the bytes come (%d at a time)', async (size) => {
  const text = `retry: 1000\n\n${block(1)}: here\n\n${block(2)}`
  const seqs: (number | null)[] = []
  for await (const { seq, text: received } of messagesIn(inPieces(text, size))) {
    expect(received).toBe('ä')
    seqs.push(seq)
  }
  expect(seqs).toEqual([1, 2])
})

test('an incomplete message is not read', async () => {
  const text = block(1) + block(2).slice(0, -1)
  const seqs: (number | null)[] = []
  for await (const { seq } of messagesIn(inPieces(text, 50))) seqs.push(seq)
  expect(seqs).toEqual([1])
})
