import { PassThrough } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { messageStream } from './message-stream.ts'

function opened() {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const notified: string[] = []
  const refused: string[] = []
  const stream = messageStream(
    { stdin, stdout },
    { onNotification: (method) => notified.push(method), onRefused: (what) => refused.push(what) },
  )
  const reader = stream.readable.getReader()
  const writer = stream.writable.getWriter()
  const passed: unknown[] = []
  const reading = (async () => {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      passed.push(value)
    }
  })()
  const print = async (...lines: readonly (object | string)[]): Promise<void> => {
    for (const line of lines) stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`)
    await turn()
    await turn()
  }
  const sent = (): string => (stdin.read() as Buffer | null)?.toString('utf8') ?? ''
  return { stdout, reader, writer, notified, refused, passed, reading, print, sent }
}
const rpc = { jsonrpc: '2.0' } as const

test('an agent that goes on or ends after the library has given up does no harm', async () => {
  const { stdout, reader, notified, print } = opened()
  await reader.cancel()
  await print({ ...rpc, id: 1, method: 'fs/read_text_file' }, { ...rpc, method: 'session/update' })
  stdout.end()
  await turn()
  await turn()
  expect([stdout.readableEnded, notified]).toEqual([true, []])
})

describe('what an agent sends', () => {
  test('reaches the library as an answer only if it was asked for, and once', async () => {
    const { writer, passed, refused, print } = opened()
    await writer.write({ ...rpc, id: 0, method: 'initialize' })
    const answer = { ...rpc, id: 0, result: {} }
    await print(answer, answer, { ...rpc, id: 7, result: {} }, { ...rpc, id: null, result: {} })
    expect([passed, refused.length]).toEqual([[answer], 3])
  })

  test('is handed out in order where it is a notification, before the answer that follows it', async () => {
    const { writer, notified, passed, print } = opened()
    await writer.write({ ...rpc, id: 0, method: 'session/prompt' })
    await print(
      { ...rpc, method: 'session/update' },
      { ...rpc, method: '_private' },
      { ...rpc, id: 0, result: {} },
    )
    expect([notified, passed.length]).toEqual([['session/update', '_private'], 1])
  })

  test('is passed on as a request once while that is open, and a limited number at a time', async () => {
    const { writer, passed, refused, print, sent } = opened()
    const request = (id: number) => ({ ...rpc, id, method: 'session/request_permission' })
    await print(request(1), request(1))
    expect([passed.length, refused.length]).toEqual([1, 1])
    await print(...Array.from({ length: 100 }, (_, nth) => request(nth + 2)))
    expect(passed.length).toBe(64)
    expect(sent()).toContain('too many requests at once')
    await writer.write({ ...rpc, id: 1, result: {} })
    await print(request(1))
    expect(passed.length).toBe(65)
  })

  test.each(['', '  ', 'Welcome!', '{"jsonrpc"', '[]', '7', 'null', '{}', '{"id":0,"error":"no"}'])(
    'is not passed on if it is no message: %s',
    async (line) => {
      const { passed, notified, print } = opened()
      await print(line)
      expect([passed, notified]).toEqual([[], []])
    },
  )

  test('is dropped where a line is too long, and the next one is read', async () => {
    const { notified, refused, print, stdout } = opened()
    for (let written = 0; written < 9; written++) stdout.write('x'.repeat(1024 * 1024))
    await print('', { ...rpc, method: 'session/update' })
    expect([refused, notified]).toEqual([[`a message of ${9 * 1024 * 1024} bytes`], ['session/update']])
  })

  test('may end without a newline', async () => {
    const { notified, stdout, reading } = opened()
    stdout.end(JSON.stringify({ ...rpc, method: 'last' }))
    await reading
    expect(notified).toEqual(['last'])
  })
})
