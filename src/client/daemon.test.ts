import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { Refusal } from '../lib/refusal.ts'
import { daemonAt } from './daemon.ts'

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
    expect(await daemon.post('/api/plans/shop/pause', {})).toEqual({ changed: true })
    expect(await daemon.post('/api/plans/shop/pause', {})).toEqual({ changed: true })
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
