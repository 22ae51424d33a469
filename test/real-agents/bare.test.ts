/** Each real agent against the scripted model server, without Bosun: that the server is one to each of them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Params } from '../agents/acp-client.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { act, play, say, write } from '../agents/model-server/script.ts'
import { openAcpSession } from './acp-session.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { runCommand } from './run-command.ts'

const TASK = 'Write "hello" into the file hello.txt.'
const HELLO = 'hello from the model\n'

/** What was seen of each agent, for the notes about it. */
const seen: string[] = []
afterAll(() => process.stdout.write(`\n${seen.join('\n')}\n`))

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(
      play([{ steps: [act(write('hello.txt', HELLO)), say('I wrote the file.')] }]),
    )
    home = await openAgentHome(agent, server)
  })
  afterEach(async () => {
    await server.close()
    await home.dispose()
  })

  const hello = () => readFile(join(home.cwd, 'hello.txt'), 'utf8').catch(() => '(no file)')
  const asked = () => ({
    wires: [...new Set(server.asked().map(({ request }) => request.wire))],
    missing: server.requests.flatMap(({ missing }) => missing),
    invalid: server.requests.filter(({ kind }) => kind === 'invalid').map(({ path }) => path),
  })
  const note = (form: string, what: object) => {
    const others = server.requests.filter(({ kind }) => kind !== 'model')
    const paths = [...new Set(others.map(({ method, path }) => `${method} ${path}`))]
    seen.push(JSON.stringify({ agent: agent.name, form, asked: server.asked().length, paths, ...what }))
  }

  test('edits a file as a command', async () => {
    const { exit, output } = await runCommand(agent.command(home.place), TASK, home)
    expect(asked(), output).toEqual({ wires: [agent.wire], missing: [], invalid: [] })
    expect([await hello(), exit], output).toEqual([HELLO, 0])
    note('command', {})
  })

  test('edits a file over ACP', async () => {
    const { client, id, version } = await openAcpSession(agent, home)
    try {
      const end = await client.prompt(id, TASK)
      expect(asked(), client.stderr).toEqual({ wires: [agent.wire], missing: [], invalid: [] })
      expect([await hello(), end['stopReason']], client.stderr).toEqual([HELLO, 'end_turn'])
      note('acp', {
        version,
        end,
        updates: [...new Set(client.updates.map(({ update }) => (update as Params)['sessionUpdate']))],
        requests: [...new Set(client.requests.map((request) => request.method))],
        notices: [...new Set(client.notices.map((notice) => notice.method))],
        garbage: client.garbage.length,
        stoppedBy: await client.stop(),
      })
    } finally {
      await client.stop()
    }
  })
})
