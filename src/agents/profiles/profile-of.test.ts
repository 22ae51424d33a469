import { expect, test } from 'vitest'
import { profileOf } from './profile-of.ts'
import { claude } from './rows/claude.ts'
import { goose } from './rows/goose.ts'

test('an agent that speaks ACP itself runs over ACP, with the settings of its row', () => {
  expect(profileOf(goose)).toEqual({
    protocol: 'acp',
    command: ['goose', 'acp', '--with-builtin', 'developer'],
    env: { GOOSE_MODE: 'approve' },
    reportsCost: false,
    acp: { mode: null, authenticate: null, usage: 'last_step', continues: 'load' },
  })
  expect(profileOf({ ...goose, protocol: 'command' })).toMatchObject({
    protocol: 'command',
    command: ['goose', ...goose.command.args],
    prints: 'goose',
  })
})

test('an agent that needs an adapter is run as a command', () => {
  expect(profileOf({ ...claude, protocol: 'acp' })).toEqual({
    protocol: 'command',
    command: ['claude', ...claude.command.args],
    directories: '--add-dir',
    prints: 'claude',
    reportsCost: true,
  })
})
