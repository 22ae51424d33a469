/** What Bosun makes of a real agent whose provider fails: no end of a turn is believed. */
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  act,
  always,
  limited,
  overloaded,
  play,
  say,
  signedOut,
  write,
} from '../agents/model-server/script.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { note } from './matrix.ts'
import { Supervised } from './supervised.ts'

describe.each(REAL_AGENTS)('$name', (agent) => {
  let bosun: Supervised
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })
  beforeEach(async () => {
    bosun = await Supervised.open(agent, { idleMs: 15_000 })
  })
  afterEach(() => bosun.close())

  const end = async () => {
    await bosun.start('w-1')
    const { end } = await bosun.ended('w-1')
    expect(bosun.left()).toEqual([])
    return end
  }

  test('that works ends as done', async () => {
    bosun.server.play(play([{ steps: [act(write('hello.txt', 'hello')), say('I wrote it.')] }]))
    expect(await end()).toEqual({ kind: 'done' })
    note(agent.name, 'acp', 'stops clean', 'yes')
  })

  test('whose key is refused has to be signed in', async () => {
    bosun.server.play(always(signedOut()))
    expect(await end()).toMatchObject({ kind: 'limited', until: null, signIn: expect.any(String) })
    note(agent.name, 'acp', 'limits', '401')
  })

  test.each([
    ['at a limit for two hours', '429', limited(7_200_000)],
    ['overloaded', '529', overloaded()],
  ])('whose provider is %s is limited', async (_, name, step) => {
    bosun.server.play(always(step))
    const ended = await end()
    expect(ended).toMatchObject({ kind: 'limited' })
    expect(ended).not.toHaveProperty('signIn')
    const isIdle = ended.kind === 'limited' && ended.why?.startsWith('nothing came from')
    note(agent.name, 'acp', 'limits', isIdle === true ? `${name} by silence` : name)
  })

  test('whose provider never answers is limited', async () => {
    expect(await end()).toMatchObject({ kind: 'limited' })
  })
})
