/** Real agents that get Bosun's MCP server from Bosun, and report by it and by nothing else. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { act, call, play, say, write } from '../agents/model-server/script.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { putOnPath } from './on-path.ts'

const REPORT = {
  explanation: 'reported by a tool',
  self_assessment: 'confident',
  criteria: [{ criterion: 1, file: 'src/m1/value', line: 1 }],
  review_note: { summary: 'adds a value by a tool', risks: [], rollback: 'revert the commit' },
}
const WORK = act(write('src/m1/value', '1\n'), write('test/m1.t', 'test -e src/m1/value\n'))
const TELL = act(call('report_to_pm', { message_type: 'work_completed', payload: REPORT }))

/** pi takes no MCP server. */
const WITH_MCP = REAL_AGENTS.filter(({ name }) => name !== 'pi')

describe.each(WITH_MCP)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let lab: Lab
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(play([{ steps: [WORK, TELL, say('It is done.')] }]))
    home = await openAgentHome(agent, server)
    lab = smallProject({ agent: '' })
  })
  afterEach(async () => {
    await lab.dispose()
    await server.close()
    await home.dispose()
  })

  const delivers = async (): Promise<void> => {
    const done = await lab.deliver()
    expect(
      server.requests.flatMap(({ missing }) => missing),
      done.stderr,
    ).toEqual([])
    expect(done.last, done.stderr).toMatchObject({ outcome: 'released' })
    const log = await lab.bosun('log', '--event', 'report_received', '--json')
    expect(log.stdout).toContain(REPORT.explanation)
    const [job = ''] = globSync('repos/*/workers/*/job.json', { cwd: lab.home })
    const { command, env } = JSON.parse(readFileSync(join(lab.home, job), 'utf8')) as {
      readonly command: readonly string[]
      readonly env: Readonly<Record<string, string>>
    }
    const token = env['BOSUN_TOKEN'] ?? 'no token'
    expect(command.join(' ')).not.toContain(token)
    for (const file of globSync('repos/*/workers/*/{transcript.jsonl,journal.jsonl,output.log}', {
      cwd: lab.home,
    }))
      expect(readFileSync(join(lab.home, file), 'utf8'), file).not.toContain(token)
  }

  test('reports by a tool without any settings', async () => {
    lab.write({ 'bosun.yaml': 'brain: { provider: none }\n' })
    lab.variables = await putOnPath(agent, home, server)
    await delivers()
  })

  // Its tools are behind a search there.
  test.skipIf(agent.name === 'qwen')('reports by a tool over ACP', async () => {
    const { PATH: _, ...env } = home.env
    const { argv, env: more = {} } = agent.acp(home.place)
    const mine = { protocol: 'acp', command: argv, env: { ...env, ...more } }
    lab.write({
      'bosun.yaml': JSON.stringify({
        agents: { mine },
        roles: { developer: 'mine' },
        brain: { provider: 'none' },
      }),
    })
    await delivers()
  })
})
