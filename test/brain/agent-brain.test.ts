/** A real agent (goose from npm) as the brain, against the scripted model server. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AgentSessions } from '../../src/agents/asking/agent-sessions.ts'
import { AgentFinder } from '../../src/agents/profiles/find-agents.ts'
import { openBrain } from '../../src/composition/crew/open-brain.ts'
import { replan } from '../../src/core/thinking/questions/replan.ts'
import { settingsSchema } from '../../src/core/settings/settings.ts'
import { newTag, withTag } from '../agents/lab.ts'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { act, always, hang, play, run, say, signedOut } from '../agents/model-server/script.ts'
import { aThinkCall } from '../conformance/brain.conformance.ts'
import { aTask } from '../helpers/plan-builder.ts'
import { openAgentHome, type AgentHome } from '../real-agents/agent-home.ts'
import { goose } from '../real-agents/agents.ts'
import { install } from '../real-agents/install.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const DROP = JSON.stringify({ recommend: 'drop', note: 'nothing is left' })
const input = { spec: aTask('1'), feedback: 'only the header' }

let server: ModelServer
let home: AgentHome
let root: string
let tag: string
let sessions: AgentSessions
// About 100 MB the first time.
beforeAll(async () => {
  for (const installation of goose.installations) await install(installation)
}, 600_000)
beforeEach(async () => {
  server = await startModelServer(always(say(DROP)))
  home = await openAgentHome(goose, server)
  root = tempFolder('goose-brain')
  tag = newTag()
  sessions = new AgentSessions()
})
afterEach(async () => {
  await sessions.close()
  await server.close()
  await home.dispose()
})

function gooseBrain(command = goose.acp(home.place).argv) {
  const { GOOSE_MODE: _, PATH: __, ...variables } = home.env
  const settings = settingsSchema.parse({
    agents: { mine: { protocol: 'acp', command, env: { ...variables, TEST_TAG: tag } } },
    brain: { provider: 'agent', timeout: '100s' },
  })
  const finder = new AgentFinder({ root, node: process.execPath })
  const env = () => ({ PATH: process.env['PATH'] })
  return openBrain({ settings, root, repository: root, env, scripted: [process.execPath], finder, sessions })
}

const leftovers = (): readonly string[] => readdirSync(join(root, 'asking'))

test('goose answers a question in a session that leaves neither a process nor a folder', async () => {
  const thought = await gooseBrain().think(replan, input, aThinkCall({ about: {} }))
  expect(thought).toMatchObject({ answer: { recommend: 'drop' }, fallback: null, cached: false })
  expect(thought.by).toMatch(/^mine\//)
  expect(thought.usage?.tokensIn).toBeGreaterThan(0)
  expect(server.asked().some(({ request }) => JSON.stringify(request).includes('| only the header'))).toBe(
    true,
  )
  expect(withTag(tag)).toEqual([])
  expect(leftovers()).toEqual([])
})

test('goose is kept from acting, and its answer counts', async () => {
  const marker = join(root, 'acted')
  server.play(
    play([{ steps: [act(run(`touch ${marker}`)), say('I cannot do that.'), say(DROP)] }], always(say(DROP))),
  )
  const thought = await gooseBrain().think(replan, input, aThinkCall())
  expect(thought.answer.recommend).toBe('drop')
  expect(readdirSync(root)).not.toContain('acted')
})

test('goose whose provider refuses its key has judged nothing', async () => {
  server.play(always(signedOut()))
  const thought = await gooseBrain().think(replan, input, aThinkCall({ outage: 'throw' }))
  expect(thought.by).toBe('nobody')
  expect(thought.fallback).toMatch(/^mine: /)
  expect(withTag(tag)).toEqual([])
})

test('goose whose model takes for ever is ended when the call is aborted', async () => {
  server.play(always(hang()))
  const gone = new AbortController()
  const asked = gooseBrain().think(replan, input, aThinkCall({ signal: gone.signal }))
  await server.until(({ step }) => step?.kind === 'hang')
  gone.abort(new Error('no longer owed'))
  await expect(asked).rejects.toThrow('no longer owed')
  await expect.poll(() => withTag(tag)).toEqual([])
})

test('goose is healthy while it opens a session, and an agent that cannot be started is not', async () => {
  const { signal } = new AbortController()
  expect(await gooseBrain().check(signal)).toEqual([{ service: 'mine', ok: true, why: null }])
  expect(await gooseBrain(['sh', '-c', 'exit 3']).check(signal)).toMatchObject([
    { service: 'mine', ok: false },
  ])
})
