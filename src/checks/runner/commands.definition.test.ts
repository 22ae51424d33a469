import { expect, test } from 'vitest'
import { definitionSha256 } from './commands.ts'

const env = { PATH: '/bin', TMPDIR: '/tmp/a', HOME: '/tmp/a/home', CI: 'true' }
const hash = definitionSha256({ command: 'npm test', setup: 'npm ci', env })

test('the same question has the same hash, wherever its checkout lies', () => {
  const elsewhere = { CI: 'true', HOME: '/tmp/b/home', PATH: '/bin', TMPDIR: '/tmp/b' }
  expect(definitionSha256({ command: ['npm', 'test'], setup: 'npm ci', env: elsewhere })).toBe(hash)
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
})

test('another command, set-up or environment is another question', () => {
  const others = [
    { command: 'npm test -- a', setup: 'npm ci', env },
    { command: 'npm test', setup: null, env },
    { command: 'npm test', setup: 'npm ci', env: { ...env, NODE_OPTIONS: '-r ./x' } },
  ]
  const hashes = others.map(definitionSha256)
  expect(new Set([hash, ...hashes]).size).toBe(4)
})
