import { expect, test } from 'vitest'
import { agentTable } from './agent-table.ts'
import { unavailableAgents } from './required-agents.ts'

const command = (...words: string[]) => ({ protocol: 'command', command: words }) as const
const where = { root: '/', path: '/usr/bin:/bin' }
const missing = async (
  agents: Record<string, ReturnType<typeof command>>,
  roles: Record<string, string> = {},
) => {
  const builtIn = { scripted: command('sh') }
  const fallback = Object.keys(agents)[0] ?? 'scripted'
  const table = agentTable({ settings: { agents, roles }, builtIn, fallback })
  return (await unavailableAgents(table, where)).map(({ message }) => message)
}

test('a role that names an unknown agent is found before work starts, whichever role it is', async () => {
  const agents = { mine: command('sh') }
  for (const role of ['developer', 'fixer', 'reviewer'])
    expect(await missing(agents, { [role]: 'claude' })).toEqual([
      `no agent named claude (role ${role}); known agents: mine, scripted`,
    ])
})

test('an agent that several roles need is reported once, and one that no role needs is not', async () => {
  expect(await missing({ gone: command('no-such-program') })).toEqual([
    'cannot run agent gone: no-such-program is not on the PATH',
  ])
  expect(await missing({ mine: command('sh'), spare: command('no-such-program') })).toEqual([])
})

test('a review by rules needs no agent', async () => {
  expect(await missing({ mine: command('sh') }, { reviewer: 'rules' })).toEqual([])
})
