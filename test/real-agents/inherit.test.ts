/** What of a user's own set-up reaches a real agent, with it and without. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { BareRun } from '../../src/agents/agent-table.ts'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { play, say } from '../agents/model-server/script.ts'
import { openAcpSession } from './acp-session.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { runCommand } from './run-command.ts'

const SKILL = '---\nname: own\ndescription: OWN_SKILL does things. Use it always.\n---\nDo things.\n'
const INSTRUCTIONS = 'OWN_INSTRUCTIONS: be kind.\n'

/** The user's own set-up of each agent. `touch` makes a command that leaves a trace. */
const SETUPS: Readonly<
  Record<string, (touch: (name: string) => string) => Readonly<Record<string, string>>>
> = {
  claude: (touch) => ({
    '.claude/CLAUDE.md': INSTRUCTIONS,
    '.claude/skills/own/SKILL.md': SKILL,
    '.claude/settings.json': JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch('hook') }] }] },
    }),
    '.claude.json': JSON.stringify({
      mcpServers: { own: { type: 'stdio', command: 'sh', args: ['-c', touch('mcp')] } },
    }),
  }),
  codex: (touch) => ({
    '.codex/AGENTS.md': INSTRUCTIONS,
    '.codex/skills/own/SKILL.md': SKILL,
    '.codex/config.toml': `[mcp_servers.own]\ncommand = "sh"\nargs = ["-c", ${JSON.stringify(touch('mcp'))}]\n`,
    '.codex/hooks.json': JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch('hook') }] }] },
    }),
  }),
  opencode: (touch) => ({
    '.config/opencode/AGENTS.md': INSTRUCTIONS,
    '.config/opencode/skills/own/SKILL.md': SKILL,
    '.config/opencode/opencode.json': JSON.stringify({
      mcp: { own: { type: 'local', command: ['sh', '-c', touch('mcp')], enabled: true } },
    }),
    '.config/opencode/plugins/own.js': `import { execSync } from 'node:child_process'\nexport const Own = async () => { execSync(${JSON.stringify(touch('hook'))}); return {} }\n`,
  }),
  gemini: (touch) => ({
    '.gemini/GEMINI.md': INSTRUCTIONS,
    '.gemini/skills/own/SKILL.md': SKILL,
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false },
      mcpServers: { own: { command: 'sh', args: ['-c', touch('mcp')] } },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch('hook') }] }] },
    }),
  }),
  qwen: (touch) => ({
    '.qwen/QWEN.md': INSTRUCTIONS,
    '.qwen/skills/own/SKILL.md': SKILL,
    '.qwen/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      mcpServers: { own: { command: 'sh', args: ['-c', touch('mcp')] } },
      hooks: { SessionStart: [{ hooks: [{ type: 'command', command: touch('hook') }] }] },
    }),
  }),
  goose: (touch) => ({
    '.config/goose/.goosehints': INSTRUCTIONS,
    '.agents/skills/own/SKILL.md': SKILL,
    '.config/goose/config.yaml': `extensions:\n  own:\n    enabled: true\n    type: stdio\n    name: own\n    cmd: sh\n    args: ["-c", ${JSON.stringify(touch('mcp'))}]\n    timeout: 5\n`,
  }),
  pi: (touch) => ({
    '.pi/agent/AGENTS.md': INSTRUCTIONS,
    '.pi/agent/skills/own/SKILL.md': SKILL,
    '.pi/agent/extensions/own.ts': `import { execSync } from 'node:child_process'\nexport default function () { execSync(${JSON.stringify(touch('hook'))}) }\n`,
  }),
}

/** What reaches it with the set-up, where that is not all of it: pi has no MCP, goose no hooks; Codex runs none it does not trust. */
const HAS: Readonly<Record<string, readonly string[]>> = {
  codex: ['instructions', 'mcp', 'skills'],
  goose: ['instructions', 'mcp', 'skills'],
  pi: ['instructions', 'hooks', 'skills'],
}
const ALL = ['instructions', 'mcp', 'hooks', 'skills']

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(play([{ steps: [say('Done.')] }]))
    home = await openAgentHome(agent, server)
    const touch = (name: string) => `touch ${join(home.place.home, `${name}-ran`)}`
    for (const [path, text] of Object.entries(SETUPS[agent.name]?.(touch) ?? {})) {
      const file = join(home.place.home, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text)
    }
  })
  afterEach(async () => {
    await server.close()
    await home.dispose()
  })

  const found = () => {
    const asked = JSON.stringify(server.requests.map(({ body }) => body))
    const ran = (name: string) => existsSync(join(home.place.home, `${name}-ran`))
    return [
      ...(asked.includes('OWN_INSTRUCTIONS') ? ['instructions'] : []),
      ...(ran('mcp') ? ['mcp'] : []),
      ...(ran('hook') ? ['hooks'] : []),
      ...(asked.includes('OWN_SKILL') ? ['skills'] : []),
    ]
  }

  const row = AGENT_ROWS.find(({ name }) => name === agent.name)
  /** What an agent of the row keeps, of what it has. */
  const kept = (bare: BareRun | undefined) =>
    (HAS[agent.name] ?? ALL).filter((part) => bare === undefined || bare.keeps.some((one) => one === part))

  test.each(['with', 'without'])('as a command, %s it', async (how) => {
    const bare = how === 'without' ? row?.command.bare : undefined
    const argv = agent.command(home.place).filter((word) => word !== '--no-profile')
    const env = { ...home.env, ...bare?.env }
    const { output } = await runCommand([...argv, ...(bare?.args ?? [])], 'Say hello.', { ...home, env })
    expect(server.asked().length, output).toBeGreaterThan(0)
    expect(found()).toEqual(kept(bare))
  })

  test.each(['with', 'without'])('over ACP, %s it', async (how) => {
    const bare = how === 'without' ? row?.acp.bare : undefined
    const acp = agent.acp(home.place)
    const argv = [...acp.argv, ...(bare?.args ?? [])]
    const bareAgent = { ...agent, acp: () => ({ ...acp, argv, env: { ...acp.env, ...bare?.env } }) }
    const meta = bare?.meta === undefined ? {} : { _meta: bare.meta }
    const { client, id } = await openAcpSession(bareAgent, home, meta)
    try {
      await client.prompt(id, 'Say hello.')
    } finally {
      await client.stop()
    }
    // Gemini CLI runs no hooks over the protocol.
    const parts = agent.name === 'gemini' ? kept(bare).filter((part) => part !== 'hooks') : kept(bare)
    expect(found()).toEqual(parts)
  })
})
