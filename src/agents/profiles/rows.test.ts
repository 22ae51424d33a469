import { expect, test } from 'vitest'
import { decidePermission } from '../../core/crew/permission-policy.ts'
import { protectionOf } from '../../core/gates/integrity/protected-names.ts'
import { possibleAgents, takenNames } from '../../core/settings/agent-variables.ts'
import { AGENT_ROWS } from './rows.ts'

test.each(AGENT_ROWS)('$name has a row without gaps', (row) => {
  expect(row.name).toMatch(/^[a-z0-9-]+$/)
  expect(row.signIn.fix).not.toBe('')
  // An agent that is signed in by a variable has to get it.
  const named = row.signIn.checks.flatMap((check) => (check.kind === 'variables' ? check.names : []))
  const agent = { protocol: 'command' as const, command: [row.name] }
  expect(takenNames({ agent })).toEqual(expect.arrayContaining(named))
})

test('every agent with a row has its variables, in the same order', () => {
  const known = Object.keys(possibleAgents({ agents: {}, roles: {} }))
  expect(known).toEqual(AGENT_ROWS.map(({ name }) => name))
})

/** What each agent reads in a project: its settings, which may run programs, and its instructions. */
const READS: Readonly<Record<string, { readonly settings: string; readonly instructions: string }>> = {
  claude: { settings: '.claude/settings.json', instructions: 'CLAUDE.md' },
  codex: { settings: '.codex/config.toml', instructions: 'AGENTS.md' },
  opencode: { settings: 'opencode.json', instructions: 'AGENTS.md' },
  gemini: { settings: '.gemini/settings.json', instructions: 'GEMINI.md' },
  qwen: { settings: '.qwen/settings.json', instructions: 'QWEN.md' },
  goose: { settings: '.goose/skills/deploy/SKILL.md', instructions: '.goosehints' },
  pi: { settings: '.pi/settings.json', instructions: 'AGENTS.md' },
}

test.each(AGENT_ROWS)('work may not change by itself what $name reads in a project', ({ name }) => {
  const { settings, instructions } = READS[name] ?? { settings: 'add it to READS', instructions: '' }
  expect([settings, protectionOf(settings)?.kind]).toEqual([settings, 'agent_settings'])
  expect([instructions, protectionOf(instructions)?.kind]).toEqual([instructions, 'agent_settings'])
})

test.each(AGENT_ROWS)(
  'a request to change the settings of $name is recognised as one',
  ({ name, folders }) => {
    const home = folders[0]?.replace('~', '/home/ada') ?? ''
    for (const path of [`/clone/${READS[name]?.settings}`, `${home}/settings.json`]) {
      const request = { kind: 'edit', title: '', paths: [path], command: null, isBosunTool: false }
      const asked = { outsideWorkspace: 'ask', network: 'ask', gitPush: 'ask' } as const
      const { decision } = decidePermission(request, { ...asked, agentSettings: 'deny', roots: ['/clone'] })
      expect([path, decision]).toEqual([path, 'deny'])
    }
  },
)

test('no agent is started with all of its permissions skipped', () => {
  const words = AGENT_ROWS.flatMap(({ command }) => command.command).join(' ')
  expect(words).not.toMatch(/dangerously|bypass|yolo|full-access/i)
})
