/** What a turn of a real agent comes to when its provider fails: the reason why Bosun believes no end of a turn. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import {
  act,
  always,
  hang,
  limited,
  overloaded,
  play,
  say,
  signedOut,
  write,
  type Script,
  type Step,
} from '../agents/model-server/script.ts'
import { openAcpSession, outcomeOf, type AcpSession } from './acp-session.ts'
import { openAgentHome, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'

const TASK = 'Write "hello" into the file hello.txt.'
const HELLO = 'hello from the model\n'
/** How long an agent may try again before it counts as silent. */
const PATIENCE_MS = 30_000
const CANCEL_MS = 10_000

const first = (step: Step): Script =>
  play([{ steps: [step, act(write('hello.txt', HELLO)), say('I wrote the file.')] }])

const SCRIPTS = {
  signedOut: () => always(signedOut()),
  limited: () => always(limited(7_200_000)),
  overloaded: () => always(overloaded()),
  cutOff: () => first(say('I write the file now.', { ending: 'cut' })),
} as const

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let session: AcpSession | null = null
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(always(say('Hello.')))
    home = await openAgentHome(agent, server)
  })
  afterEach(async () => {
    await session?.client.stop()
    session = null
    await server.close()
    await home.dispose()
  })

  const start = async (script: Script) => {
    server.play(script)
    const { client, id } = (session = await openAcpSession(agent, home))
    return { client, id, turn: client.prompt(id, TASK) }
  }
  const isWritten = async (): Promise<boolean> =>
    (await readFile(join(home.cwd, 'hello.txt'), 'utf8').catch(() => '')) === HELLO

  test.each(Object.entries(SCRIPTS))('%s: its turn comes to what its row says', async (name, script) => {
    const { client, turn } = await start(script())
    const outcome = await outcomeOf(turn, PATIENCE_MS)
    const expected = agent.troubles[name as keyof typeof SCRIPTS]
    expect((await isWritten()) ? 'recovers' : outcome, `${client.text}\n${client.stderr}`).toBe(expected)
  })

  test('goes on after a short limit', async () => {
    const { turn } = await start(first(limited(1000)))
    expect([await outcomeOf(turn, PATIENCE_MS), await isWritten()]).toEqual(['end_turn', true])
  })

  test('is cancelled while its model hangs as its row says, and then takes another turn', async () => {
    const { client, id, turn } = await start(first(hang()))
    await server.until(({ step }) => step?.kind === 'hang')
    client.notify('session/cancel', { sessionId: id })
    expect(await outcomeOf(turn, CANCEL_MS)).toBe(agent.troubles.cancelled)
    if (agent.troubles.cancelled === 'silent') return
    expect([await outcomeOf(client.prompt(id, TASK), PATIENCE_MS), await isWritten()]).toEqual([
      'end_turn',
      true,
    ])
  })
})
