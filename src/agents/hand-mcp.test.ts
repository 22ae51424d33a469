import { describe, expect, test } from 'vitest'
import type { ChosenAgent } from './agent-table.ts'
import { hasMcp, mcpAddition } from './hand-mcp.ts'
import { profileOf } from './profiles/profile-of.ts'
import { AGENT_ROWS } from './profiles/rows.ts'

const TARGET = { url: 'http://127.0.0.1:7', token: 'f'.repeat(64), folder: '/w/desk', env: {} }
const asCommand = (name: string): ChosenAgent => {
  const row = AGENT_ROWS.find((one) => one.name === name)
  if (row === undefined) throw new Error(`no row ${name}`)
  const profile = profileOf(row, { root: '/nowhere', node: 'node' })
  return { ...(profile.otherwise ?? profile), name }
}

describe('as a command', () => {
  test.each(AGENT_ROWS.map(({ name }) => name))('%s gets no token in an argument or a file', (name) => {
    const { args, files } = mcpAddition(asCommand(name), TARGET)
    expect(JSON.stringify([args, files])).not.toContain(TARGET.token)
  })

  test.each([
    ['claude', true],
    ['codex', true],
    ['opencode', true],
    ['gemini', true],
    ['qwen', true],
    ['goose', true],
    ['pi', false],
  ])('%s has the tools: %s', (name, has) => {
    const added = mcpAddition(asCommand(name), TARGET)
    expect([hasMcp(asCommand(name), {}), JSON.stringify(added).includes('bosun')]).toEqual([has, has])
  })

  test('an agent of the settings is started as its user wrote it', () => {
    const mine: ChosenAgent = { name: 'mine', protocol: 'command', command: ['claude', '-p'] }
    expect([hasMcp(mine, {}), mcpAddition(mine, TARGET)]).toEqual([false, { args: [], env: {}, files: {} }])
  })

  test('configuration that the user has set is kept beside it', () => {
    const OPENCODE_CONFIG_CONTENT = JSON.stringify({ model: 'x', mcp: { mine: { type: 'local' } } })
    const { env } = mcpAddition(asCommand('opencode'), { ...TARGET, env: { OPENCODE_CONFIG_CONTENT } })
    expect(JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      model: 'x',
      mcp: { mine: { type: 'local' }, bosun: { type: 'remote', url: `${TARGET.url}/mcp` } },
    })
  })

  test.each([
    ['opencode', 'OPENCODE_CONFIG_CONTENT', '{ // with a comment'],
    ['gemini', 'GEMINI_CLI_SYSTEM_DEFAULTS_PATH', '/etc/mine.json'],
  ])('%s keeps a %s that Bosun cannot add to, and has no tools then', (name, variable, value) => {
    const env = { [variable]: value }
    expect([hasMcp(asCommand(name), env), mcpAddition(asCommand(name), { ...TARGET, env }).env]).toEqual([
      false,
      {},
    ])
  })
})

describe('over the Agent Client Protocol', () => {
  const chosen = (mcp?: 'session' | 'configuration' | 'none'): ChosenAgent => ({
    name: 'x',
    protocol: 'acp',
    command: ['x'],
    ...(mcp === undefined ? {} : { acp: { mcp } }),
    mcp: { kind: 'json_variable', variable: 'CODEX_CONFIG', under: 'mcp_servers' },
  })

  test.each([
    [undefined, true, false],
    ['session', true, false],
    ['configuration', true, true],
    ['none', false, false],
  ] as const)('an agent that takes servers by %s has the tools: %s', (mcp, has, isConfigured) => {
    const { env } = mcpAddition(chosen(mcp), TARGET)
    expect([hasMcp(chosen(mcp), {}), 'CODEX_CONFIG' in env]).toEqual([has, isConfigured])
  })
})
