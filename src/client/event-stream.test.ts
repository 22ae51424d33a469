import { expect, test } from 'vitest'
import { messagesIn } from './event-stream.ts'

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
