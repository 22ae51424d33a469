/** What Bosun makes of a real agent whose provider fails: no end of a turn is believed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { WorkerEnded } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag } from '../agents/lab.ts'
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
} from '../agents/model-server/script.ts'
import { openAgentHome, startScript, type AgentHome } from './agent-home.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'

const IDLE_MS = 20_000

describe.each(REAL_AGENTS)('$name', (agent) => {
  let server: ModelServer
  let home: AgentHome
  let root: string
  let tag: string
  let bosun: SupervisedAgent
  let ended: Promise<WorkerEnded>
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    server = await startModelServer(always(hang()))
    home = await openAgentHome(agent, server)
    root = await mkdtemp(join(tmpdir(), 'bosun-ends-'))
    const { argv, env, method = null, mode = null, usage } = agent.acp(home.place)
    const start = join(root, 'start.sh')
    await writeFile(start, startScript(home, argv, env))
    tag = newTag()
    bosun = await labAgent({
      root,
      tag,
      commandFor: () => ['sh', start],
      acp: { authenticate: method, mode, usage },
      idleMs: IDLE_MS,
      graceMs: 5000,
    })
    ended = new Promise((resolve) => bosun.listen((event) => event.kind === 'ended' && resolve(event)))
  })
  afterEach(async () => {
    bosun.close()
    await server.close()
    await home.dispose()
    await rm(root, { recursive: true, force: true, maxRetries: 5 })
  })

  const end = async () => {
    await bosun.start(labJob('w-1', agent.name))
    const { end } = await ended
    expect(withTag(tag)).toEqual([])
    return end
  }

  test('that works ends as done', async () => {
    server.play(play([{ steps: [act(write('hello.txt', 'hello')), say('I wrote it.')] }]))
    expect(await end()).toEqual({ kind: 'done' })
  })

  /** Work that changed nothing, which the gates see. */
  const unlessHidden = (end: object) => (agent.troubles.areHidden === true ? { kind: 'done' } : end)

  test('whose key is refused has to be signed in', async () => {
    server.play(always(signedOut()))
    const refused = { kind: 'failed', reason: expect.stringContaining('its provider refused it') }
    expect(await end()).toMatchObject(unlessHidden(refused))
  })

  test.each([
    ['at a limit for two hours', limited(7_200_000)],
    ['overloaded', overloaded()],
  ])('whose provider is %s is limited', async (_, step) => {
    server.play(always(step))
    expect(await end()).toMatchObject(unlessHidden({ kind: 'limited' }))
  })

  test('whose provider never answers is limited', async () => {
    expect(await end()).toMatchObject({ kind: 'limited' })
  })
})
