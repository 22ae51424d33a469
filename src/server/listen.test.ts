/** Real sockets: connections that say nothing, and one that has the token. */
import { get } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasToken } from './guard.ts'
import { listen, type Listening } from './listen.ts'

const TOKEN = 'ab'.repeat(32)
const SOON = { timeout: 10_000 }
let listening: Listening
/** Streams that are being answered, by who asked. */
let streams: string[] = []
const sockets: Socket[] = []

beforeEach(async () => {
  streams = []
  listening = await listen({
    port: 0,
    isOwner: ({ headers }) => hasToken(headers.authorization, TOKEN),
    respond: (incoming, outgoing) => {
      if (incoming.url !== '/stream') {
        outgoing.end('here')
        return
      }
      streams.push(String(incoming.headers['x-name']))
      outgoing.writeHead(200).write('begun\n')
    },
  })
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await listening.close()
})

/** Connections that say this and nothing more; resolves when all of them are made. */
async function open(count: number, words: string): Promise<readonly Socket[]> {
  const opened = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect({ port: listening.port, host: '127.0.0.1' }, () => {
            if (words !== '') socket.write(words)
            resolve(socket)
          })
          socket.on('error', () => undefined)
          socket.resume()
          sockets.push(socket)
        }),
    ),
  )
  return opened
}

const ask = (): Promise<number | string> =>
  new Promise((resolve) => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const request = get({ port: listening.port, host: '127.0.0.1', path: '/', headers, agent: false })
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    request.on('error', (error) => resolve(error.message))
  })
const stream = (name: string, authorization: string): string =>
  `GET /stream HTTP/1.1\r\nHost: x\r\nX-Name: ${name}\r\n${authorization}\r\n`

test.each([
  ['say nothing', ''],
  ['never end their request', 'GET / HTTP/1.1\r\nHost: '],
  ['are kept open after an answer', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
])('600 connections that %s do not keep the holder of the token out', async (_, words) => {
  const opened = await open(600, words)
  expect(await ask()).toBe(200)
  await expect.poll(() => opened.filter((socket) => socket.closed).length, SOON).toBeGreaterThan(80)
})

test('unfinished requests without the token do not lock out the holder of the token', async () => {
  await open(600, stream('other', ''))
  await expect.poll(() => streams.length, SOON).toBeGreaterThan(400)
  expect(await ask()).toBe(200)
})

test('a connection of the holder of the token is never closed for another', async () => {
  const [mine] = await open(1, stream('mine', `Authorization: Bearer ${TOKEN}\r\n`))
  await expect.poll(() => streams, SOON).toEqual(['mine'])
  await open(1200, stream('other', ''))
  await expect.poll(() => streams.length, SOON).toBeGreaterThan(400)
  expect(mine?.closed).toBe(false)
  expect(await ask()).toBe(200)
})
