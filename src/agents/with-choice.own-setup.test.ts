import { expect, test } from 'vitest'
import { settingsSchema } from '../core/settings/settings.ts'
import { agentTable } from './agent-table.ts'
import { knownProfiles } from './profiles/profile-of.ts'
import { inheritWarnings } from './required-agents.ts'
import { withoutOwnSetup } from './with-choice.ts'

const builtIn = knownProfiles({ root: '/nowhere', node: 'node' })

test('an agent gets the options that leave the set-up of its user out', () => {
  const claude = {
    ...builtIn['claude'],
    protocol: 'command' as const,
    name: 'claude',
    command: ['claude', '-p'],
  }
  expect(withoutOwnSetup(claude).command).toEqual([
    'claude',
    '-p',
    '--setting-sources',
    'project,local',
    '--strict-mcp-config',
  ])
})

test('what its session is given stays, and is joined', () => {
  const meta = { claudeCode: { options: { maxTurns: 3 }, more: 1 } }
  const bare = { meta: { claudeCode: { options: { strictMcpConfig: true } } }, keeps: [] }
  const chosen = { name: 'a', protocol: 'acp', command: ['a'], acp: { meta }, bare } as const
  expect(withoutOwnSetup(chosen).acp?.meta).toEqual({
    claudeCode: { options: { maxTurns: 3, strictMcpConfig: true }, more: 1 },
  })
})

test('a command of the user with a known program has its options', () => {
  const settings = settingsSchema.parse({
    agents: { mine: { protocol: 'command', command: ['/opt/bin/claude', '-p'], inherit: false } },
  })
  const table = agentTable({ settings, builtIn, fallback: 'mine' })
  expect(table.agents['mine']?.bare?.args).toContain('--strict-mcp-config')
  expect(inheritWarnings(settings, table)).toEqual([])
})

test('what an agent cannot leave out is named, and so is an agent of which nothing is known', () => {
  const settings = settingsSchema.parse({
    agents: { mine: { protocol: 'command', command: ['mine'] } },
    roles: {
      developer: { agent: 'mine', inherit: false },
      fixer: 'claude',
      reviewer: { agent: 'gemini', inherit: false },
    },
  })
  const messages = inheritWarnings(settings, agentTable({ settings, builtIn, fallback: 'mine' }))
  expect(messages.map(({ message }) => message)).toEqual([
    'inherit: false: Bosun knows no way to run mine without your own set-up',
    'inherit: false: gemini cannot be run without your own instructions, hooks and skills',
  ])
})
