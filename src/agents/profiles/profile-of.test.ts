import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { adapterFolder, adapterOf, profileOf } from './profile-of.ts'
import { AGENT_ROWS } from './rows.ts'

const root = mkdtempSync(join(tmpdir(), 'bosun-profile-'))
afterAll(() => rmSync(root, { recursive: true }))
const row = (wanted: string) => {
  const found = AGENT_ROWS.find(({ name }) => name === wanted)
  if (found === undefined) throw new Error(`no row ${wanted}`)
  return found
}
const [claude, goose] = [row('claude'), row('goose')]

const place = { root, node: '/opt/node' }

test('an agent that speaks ACP itself runs over ACP, with the settings of its row', () => {
  expect(profileOf(goose, place)).toMatchObject({
    protocol: 'acp',
    command: ['goose', 'acp', '--with-builtin', 'developer'],
    env: { GOOSE_MODE: 'approve' },
    maker: 'AAIF',
    acp: { usage: 'last_step', continues: 'load' },
    otherwise: { protocol: 'command', command: goose.command.command },
  })
})

test('an agent that needs an adapter is run as a command until it is installed', () => {
  expect(profileOf(claude, place)).toMatchObject({
    protocol: 'command',
    command: claude.command.command,
    directories: '--add-dir',
    mcp: claude.command.mcp,
    prints: 'claude',
    reportsCost: true,
  })
  const adapter = adapterOf(claude)
  if (adapter === null) throw new Error('claude has no adapter')
  const { package: name, version, entry } = adapter
  const home = join(adapterFolder(root, adapter), 'node_modules', name)
  mkdirSync(join(home, 'dist'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name, version }))
  writeFileSync(join(home, entry), '')
  expect(profileOf(claude, place)).toMatchObject({
    protocol: 'acp',
    command: ['/opt/node', join(home, entry)],
    drives: { program: 'claude', variable: 'CLAUDE_CODE_EXECUTABLE' },
    otherwise: { command: claude.command.command },
  })
})
