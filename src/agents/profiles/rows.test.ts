import { expect, test } from 'vitest'
import { possibleAgents, takenNames } from '../../core/settings/agent-variables.ts'
import { AGENT_ROWS } from './rows.ts'

test.each(AGENT_ROWS)('$name has a row without gaps', (row) => {
  expect(row.name).toMatch(/^[a-z0-9-]+$/)
  expect(row.programs.length).toBeGreaterThan(0)
  expect(row.signIn.fix).not.toBe('')
  expect(Object.keys(possibleAgents({ agents: {}, roles: {} }))).toContain(row.name)
  // An agent that is signed in by a variable has to get it.
  const named = row.signIn.checks.flatMap((check) => (check.kind === 'variables' ? check.names : []))
  const agent = { protocol: 'command' as const, command: [row.name] }
  expect(takenNames({ agent })).toEqual(expect.arrayContaining(named))
})

test('no agent is started with all of its permissions skipped', () => {
  const words = AGENT_ROWS.flatMap(({ command }) => command.args).join(' ')
  expect(words).not.toMatch(/dangerously|bypass|yolo|full-access/i)
})
