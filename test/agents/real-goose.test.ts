/** What a real agent does that an agent of our own only imitates: goose from npm under the supervisor. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { WorkerEnded } from '../../src/ports/agent.ts'
import { openAgentHome, startScript, type AgentHome } from '../real-agents/agent-home.ts'
import { goose } from '../real-agents/agents.ts'
import { install } from '../real-agents/install.ts'
import { labAgent, labJob, newTag, withTag } from './lab.ts'
import { startModelServer, type ModelServer } from './model-server/model-server.ts'
import { act, always, hang, limited, play, run, say, write } from './model-server/script.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

let server: ModelServer
let home: AgentHome
let root: string
let tag: string
let bosun: SupervisedAgent
let ended: Promise<WorkerEnded>
// About 100 MB the first time.
beforeAll(async () => {
  for (const installation of goose.installations) await install(installation)
}, 600_000)
beforeEach(async () => {
  server = await startModelServer(always(hang()))
  home = await openAgentHome(goose, server)
  root = tempFolder('goose')
  const { argv, env, usage } = goose.acp(home.place)
  await writeFile(join(root, 'start.sh'), startScript(home, argv, env))
  tag = newTag()
  bosun = await labAgent({
    root,
    tag,
    commandFor: () => ['sh', join(root, 'start.sh')],
    acp: { usage },
    idleMs: 6000,
  })
  ended = new Promise((resolve) => bosun.listen((event) => event.kind === 'ended' && resolve(event)))
})
afterEach(async () => {
  await bosun.close()
  await server.close()
  await home.dispose()
})

test('goose works, is done, and leaves no process', async () => {
  server.play(play([{ steps: [act(write('hello.txt', 'hello')), say('I wrote it.')] }]))
  await bosun.start(labJob('w-1', 'goose'))
  expect((await ended).end).toEqual({ kind: 'done' })
  expect(withTag(tag)).toEqual([])
})

test('goose, which ignores a cancel while its model is silent, is stopped and leaves no process', async () => {
  await bosun.start(labJob('w-1', 'goose'))
  await server.until(({ step }) => step?.kind === 'hang')
  await bosun.stop('w-1', 'killed')
  expect((await ended).end).toEqual({ kind: 'stopped', cause: 'killed' })
  expect(withTag(tag)).toEqual([])
})

test('goose in the middle of a command is stopped with it', async () => {
  server.play(play([{ steps: [act(run(`touch begun; sleep ${tag}`)), say('I slept.')] }]))
  await bosun.start(labJob('w-1', 'goose'))
  await expect.poll(() => withTag(`sleep\0${tag}`).length, { timeout: 60_000 }).toBeGreaterThan(0)
  await bosun.stop('w-1', 'killed')
  expect((await ended).end).toEqual({ kind: 'stopped', cause: 'killed' })
  expect(withTag(tag)).toEqual([])
})

test('goose, which waits in silence for the end of a limit in two hours, has trouble with its provider', async () => {
  server.play(always(limited(7_200_000)))
  await bosun.start(labJob('w-1', 'goose'))
  expect((await ended).end).toMatchObject({
    kind: 'limited',
    why: expect.stringMatching(/^no update from its model for \d+s/),
  })
  expect(withTag(tag)).toEqual([])
})
