import { expect, test } from 'vitest'
import { aTask } from '../../../../test/helpers/plan-builder.ts'
import { imageReferences } from './nearby-files.ts'

const found = (description: string, more: Parameters<typeof aTask>[1] = {}) =>
  imageReferences(aTask('1', { description, ...more }))

test.each([
  ['a Markdown image', 'Like ![the mock](docs/mock.png).', ['docs/mock.png']],
  [
    'a title and an encoded space',
    '![m](<my mock.png>) ![n](img/a%20b.JPG "A title")',
    ['my mock.png', 'img/a b.JPG'],
  ],
  ['a plain path', 'See docs/mock.webp, and ../shots/before.gif.', ['docs/mock.webp', '../shots/before.gif']],
  ['each once', 'a.png ![a](a.png) a.png', ['a.png']],
])('%s is a reference', (_rule, text, paths) => {
  expect(found(text)).toEqual(paths)
})

test.each([
  'an address ![x](https://example.com/a.png) or https://example.com/b.png',
  'an absolute path ![x](/etc/a.png) or /tmp/b.png or ~/c.png',
  'data ![x](data:image/png;base64,AAAA)',
  'another file, mock.svg or a.png.txt',
])('%s is none', (text) => {
  expect(found(text)).toEqual([])
})

test('an image that the task makes is none', () => {
  const files = { create: ['docs/shot.png'], modify: [], delete: [] }
  expect(found('Save docs/shot.png, like docs/mock.png', { files })).toEqual(['docs/mock.png'])
})

test('criteria refer to images too, and no more than twenty count', () => {
  const many = Array.from({ length: 30 }, (_, at) => `img/${at}.png`)
  expect(found('', { acceptanceCriteria: many })).toHaveLength(20)
})
