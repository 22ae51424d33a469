import { expect, test } from 'vitest'
import { agentTable } from './agent-table.ts'
import { usageReports } from './required-agents.ts'

test('what the agents with a role report is known from how they are run, each once', () => {
  const agents = {
    counts: { protocol: 'acp', command: ['a'], acp: { usage: 'sum' }, reportsCost: true },
    counts_steps: { protocol: 'acp', command: ['b'], acp: { usage: 'last_step' } },
    own: { protocol: 'command', command: ['c'] },
    unused: { protocol: 'command', command: ['d'], prints: 'codex' },
  } as const
  const roles = { developer: 'counts', fixer: 'counts_steps' }
  const table = agentTable({ settings: { agents, roles }, builtIn: {}, fallback: 'own' })
  expect(usageReports(table)).toEqual([
    { agent: 'counts', tokens: 'all', usd: true },
    { agent: 'counts_steps', tokens: 'some', usd: false },
    { agent: 'own', tokens: 'none', usd: false },
  ])
})

test('the scripted agent uses no model', () => {
  const scripted = { protocol: 'command', command: ['x'], prints: 'unmetered' } as const
  const table = agentTable({
    settings: { agents: {}, roles: {} },
    builtIn: { scripted },
    fallback: 'scripted',
  })
  expect(usageReports(table)).toEqual([])
})
