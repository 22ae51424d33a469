import { expect, test } from 'vitest'
import { agentVariables, possibleAgents, takenNames, withoutValues } from './agent-variables.ts'
import { defaultSettings } from './settings.ts'

const mine = {
  protocol: 'command' as const,
  command: ['my-agent'],
  env: { MODE: 'fast' },
  env_from: ['MY_KEY', 'SSH_AUTH_SOCK'],
}

test('an agent gets the values of its settings and the named variables of the user, and no others', () => {
  const from = { MY_KEY: 'k', OTHER: 'o', SSH_AUTH_SOCK: undefined }
  expect(agentVariables({ mine }, from)).toEqual({ mine: { MODE: 'fast', MY_KEY: 'k' } })
})

test('a value of the settings wins over that of the user', () => {
  const agent = { ...mine, env: { MY_KEY: 'of the settings' } }
  expect(agentVariables({ mine: agent }, { MY_KEY: 'k' })['mine']).toEqual({ MY_KEY: 'of the settings' })
})

test('a known program takes what it signs in with, wherever it lies; another takes nothing by itself', () => {
  const from = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o' }
  const agents = {
    c: { protocol: 'command' as const, command: ['/opt/bin/claude', '-p'] },
    x: { protocol: 'command' as const, command: ['codex', 'exec'] },
    o: { protocol: 'command' as const, command: ['claude-like'] },
  }
  const variables = agentVariables(agents, from)
  expect(variables['c']).toMatchObject({ ANTHROPIC_API_KEY: 'a' })
  expect(variables['c']).not.toHaveProperty('OPENAI_API_KEY')
  expect(variables['x']).toEqual({ OPENAI_API_KEY: 'o' })
  expect(variables['o']).toEqual({})
  expect(takenNames(agents)).toEqual(expect.arrayContaining(['ANTHROPIC_API_KEY', 'OPENAI_API_KEY']))
})

test('settings without values keep the names of what is taken', () => {
  const kept = withoutValues({ ...defaultSettings(), agents: { mine } })
  expect(kept.agents).toEqual({
    mine: { protocol: 'command', command: ['my-agent'], env_from: ['MY_KEY', 'SSH_AUTH_SOCK'] },
  })
})

test('a known agent needs no entry: it is possible where a role names it, or where the settings have no agents', () => {
  expect(Object.keys(possibleAgents({ agents: { mine }, roles: {} }))).toEqual(['mine'])
  expect(Object.keys(possibleAgents({ agents: { mine }, roles: { reviewer: 'codex' } }))).toEqual([
    'codex',
    'mine',
  ])
  const any = possibleAgents({ agents: {}, roles: {} })
  expect(Object.keys(any)).toEqual(expect.arrayContaining(['claude', 'codex']))
  expect(agentVariables(any, { CODEX_API_KEY: 'k' })['codex']).toEqual({ CODEX_API_KEY: 'k' })
})

test('an entry of the settings replaces the known agent of its name', () => {
  const agents = possibleAgents({ agents: { claude: mine }, roles: { developer: 'claude' } })
  expect(agents).toEqual({ claude: mine })
})
