import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { builtEnvironment } from './built-environment.ts'

const root = resolve(import.meta.dirname, '../../..')

test('takes over what a program needs to find its way, and nothing else', () => {
  const env = builtEnvironment(
    {
      HOME: '/home/ada',
      PATH: '/usr/bin',
      NODE_OPTIONS: '--inspect',
      npm_lifecycle_event: 'test',
      TOKEN: 'x',
    },
    { BOSUN_ROLE: 'developer' },
  )
  expect(env).toEqual({ HOME: '/home/ada', PATH: '/usr/bin', BOSUN_ROLE: 'developer' })
})

test("takes out this program's own tools, and leaves the user's", () => {
  const own = join(root, 'node_modules/.bin')
  const above = join(root, '../node_modules/.bin')
  const users = '/home/ada/project/node_modules/.bin'
  const PATH = [own, above, users, '/lib/npm/node-gyp-bin', '/usr/bin'].join(':')
  expect(builtEnvironment({ PATH })['PATH']).toBe(`${users}:/usr/bin`)
})

test('what npm put in for the project it was called in is not the user’s', () => {
  const PATH = '/home/ada/project/node_modules/.bin:/home/node_modules/.bin:/usr/bin'
  expect(builtEnvironment({ PATH, npm_config_local_prefix: '/home/ada/project' })['PATH']).toBe('/usr/bin')
})

test('a path that would be empty is the usual one', () => {
  expect(builtEnvironment({})['PATH']).toBe('/usr/local/bin:/usr/bin:/bin')
})
