import { expect, test } from 'vitest'
import { filesAbout } from './files-about.ts'

const FILES = [
  'README.md',
  'docs/api.md',
  'package.json',
  'public/style.css',
  'src/checkout.js',
  'src/server.js',
]
const about = (text: string) => filesAbout(text, FILES, ['package.json'])

test('the files that a request names come first, also in the paths of a stack trace', () => {
  expect(about('at POST (file:///srv/shop/src/server.js:28:30)')[0]).toBe('src/server.js')
})

test('files whose name is a word of the request are about it', () => {
  expect(about('How does the checkout charge a card?')).toContain('src/checkout.js')
  expect(about('Dark mode')).toEqual(['README.md', 'package.json'])
})
