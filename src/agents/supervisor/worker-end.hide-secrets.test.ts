import { expect, test } from 'vitest'
import { hideSecrets } from './worker-end.ts'

test('values of secret variables are replaced by their names, longer ones first', () => {
  const env = { MY_API_KEY: 'sk-0123456789', OTHER_TOKEN: 'sk-0123456789-more', HOME: '/home/ann' }
  expect(hideSecrets('bad key sk-0123456789 or sk-0123456789-more in /home/ann', env)).toBe(
    'bad key [MY_API_KEY] or [OTHER_TOKEN] in /home/ann',
  )
})

test('short values and paths are not replaced', () => {
  const env = { KEY: 'abc', SSH_AUTH_SOCK: '/run/user/1000/agent' }
  expect(hideSecrets('abc /run/user/1000/agent', env)).toBe('abc /run/user/1000/agent')
})
