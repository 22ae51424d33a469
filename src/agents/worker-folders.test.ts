import { expect, test } from 'vitest'
import { resumeCommand } from './worker-folders.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

const resume = (agent: string, command: readonly string[], session = 'abc-1') =>
  resumeCommand({ agent, command, session })

test('a session is continued with the very program that its worker was run with', () => {
  expect(resume('goose', ['/opt/bin/goose', 'acp'])).toEqual([
    '/opt/bin/goose',
    'session',
    '--resume',
    '--session-id',
    'abc-1',
  ])
})

test('an adapter is replaced by the program of the agent', () => {
  expect(resume('claude', ['/usr/bin/node', '/state/adapters/index.js'])).toEqual([
    'claude',
    '--resume',
    'abc-1',
  ])
})

test('an agent with a name of its own in bosun.yaml is known by its program', () => {
  expect(resume('mine', ['/opt/bin/opencode', 'acp'])?.slice(0, 2)).toEqual([
    '/opt/bin/opencode',
    '--session',
  ])
})

test.each(['--dangerous', '', 'a b', '$(id)', 'x'.repeat(300)])('%j is no session to continue', (session) => {
  expect(resume('goose', ['/opt/bin/goose'], session)).toBeNull()
})

test('an agent that no row describes has no such command', () => {
  expect(resume('mine', ['/opt/bin/mine'])).toBeNull()
})

test('every agent has its session in the command', () => {
  for (const { name } of AGENT_ROWS) expect(resume(name, [`/x/${name}`])?.join(' ')).toContain('abc-1')
})
