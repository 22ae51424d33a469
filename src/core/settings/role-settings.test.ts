import { expect, test } from 'vitest'
import { inherits } from './role-settings.ts'
import { settingsSchema } from './settings.ts'

test('a role says whether its workers inherit, else their agent does, else they do', () => {
  const agents = { own: { protocol: 'command', command: ['own'], inherit: false } } as const
  const roles = { reviewer: { agent: 'own', inherit: true }, fixer: { inherit: false } }
  const of = (role: 'developer' | 'fixer' | 'reviewer', agent: string) =>
    inherits(settingsSchema.parse({ agents, roles }), { role, agent })
  expect([of('developer', 'own'), of('developer', 'claude')]).toEqual([false, true])
  expect([of('reviewer', 'own'), of('fixer', 'claude')]).toEqual([true, false])
})
