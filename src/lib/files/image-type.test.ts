import { expect, test } from 'vitest'
import { imageType } from './image-type.ts'

test.each([
  ['image/png', Buffer.from('\x89PNG\r\n\x1a\n…', 'latin1')],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
  ['image/gif', Buffer.from('GIF89a…')],
  ['image/webp', Buffer.from('RIFF\x10\0\0\0WEBPVP8 ', 'latin1')],
  [null, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
  [null, Buffer.from('RIFF\x10\0\0\0WAVE', 'latin1')],
  [null, Buffer.alloc(0)],
])('%s is known by its first bytes', (type, bytes) => {
  expect(imageType(bytes)).toBe(type)
})
