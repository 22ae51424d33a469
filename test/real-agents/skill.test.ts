/** The skill of `bosun init --skill` where real agents look for it: what its user types brings it before the model. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SKILL_FILES } from '../../src/app/upkeep/init-skill.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { always, say } from '../agents/model-server/script.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS, type RealAgent } from './agents.ts'
import { install } from './install.ts'
import { runCommand } from './run-command.ts'

const BIN = join(import.meta.dirname, '../../bin/bosun')
/** From the middle of its text. */
const STEP = 'starts the plan, or attaches to it'

/** What a user types there, without a terminal. */
const CALLS: Readonly<Record<string, (command: readonly string[]) => readonly string[]>> = {
  claude: (command) => command,
  codex: (command) => command,
  opencode: (command) => [...command, '--command', 'pm-agent', 'docs/plans/shop.md'],
  gemini: (command) => command,
}
const TYPED: Readonly<Record<string, string>> = {
  claude: '/pm-agent docs/plans/shop.md',
  codex: '$pm-agent docs/plans/shop.md',
  opencode: '',
  gemini: '/pm-agent docs/plans/shop.md',
}
const TITLES: Readonly<Record<string, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  opencode: 'OpenCode',
  gemini: 'Gemini CLI',
}

const WITH_SKILL: readonly RealAgent[] = REAL_AGENTS.filter(({ name }) => name in CALLS)

test('every agent that the skill is written for is tried', () => {
  expect(WITH_SKILL.map(({ name }) => TITLES[name] ?? '').toSorted()).toEqual(
    SKILL_FILES.map(({ agent }) => agent).toSorted(),
  )
})

describe.each(WITH_SKILL)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(always(say('I hand it on.')))
    home = await openAgentHome(agent, server)
    const inRepo = { cwd: home.cwd, env: { ...home.env, BOSUN_HOME: join(home.place.home, 'bosun') } }
    execFileSync('git', ['init', '-q', '-b', 'main', '.'], inRepo)
    execFileSync(BIN, ['init', '--skill'], inRepo)
  })
  afterEach(async () => {
    await server.close()
    await home.dispose()
  })

  test('finds the skill, and has its text and the plan for its model', async () => {
    const argv = CALLS[agent.name]?.(agent.command(home.place)) ?? []
    const { output } = await runCommand(argv, TYPED[agent.name] ?? '', home)
    const bodies = server.asked().map(({ body }) => JSON.stringify(body))
    const isThere = (text: string): boolean => bodies.some((body) => body.includes(text))
    expect([isThere(STEP), isThere('docs/plans/shop.md')], output).toEqual([true, true])
  })
})
