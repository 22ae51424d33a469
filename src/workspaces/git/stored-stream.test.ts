import fc from 'fast-check'
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { storedStream, STORED_BYTES } from './stored-stream.ts'

test('it is a zlib stream that holds the bytes, and as much longer as it says', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 20_000, size: 'max' }), (bytes) => {
      const content = Buffer.from(bytes)
      const stream = storedStream(content)
      expect(inflateSync(stream).equals(content)).toBe(true)
      expect(stream.length).toBe(content.length + STORED_BYTES)
    }),
  )
  const most = Buffer.alloc(0xffff, 0xff)
  expect(inflateSync(storedStream(most)).equals(most)).toBe(true)
})

test('more than a block holds is refused', () => {
  expect(() => storedStream(Buffer.alloc(0x10000))).toThrow(RangeError)
})
