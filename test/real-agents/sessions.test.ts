/** Sessions of real agents under the supervisor: what they use and ask for, and how they are stopped and continued. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { AGENT_ROWS } from '../../src/agents/profiles/rows.ts'
import { userText } from '../agents/model-server/request.ts'
import { act, always, limited, play, run, say, write } from '../agents/model-server/script.ts'
import { REAL_AGENTS } from './agents.ts'
import { install } from './install.ts'
import { FORMS, note, type Form } from './matrix.ts'
import { runCommand } from './run-command.ts'
import { Supervised } from './supervised.ts'

const APPLES = 'The first part is about apples.'
const PEARS = 'The second part is about pears.'
const PATIENCE_MS = 25_000

const work = () => play([{ steps: [act(write('hello.txt', 'hello')), say('I wrote it.')] }])
const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

let bosun: Supervised | null = null
afterEach(async () => {
  await bosun?.close()
  bosun = null
})

describe.each(REAL_AGENTS)('$name', (agent) => {
  const row = AGENT_ROWS.find(({ name }) => name === agent.name)
  beforeAll(async () => {
    for (const installation of agent.installations) await install(installation)
  })

  const open = async (form: Form = 'acp') => {
    bosun = await Supervised.open(agent, {
      form,
      idleMs: 120_000,
      continues: row?.acp.session.continues ?? null,
    })
    return bosun
  }
  /** All that the model was told by its user in the last request that has tools. */
  const lastAsked = ({ server }: Supervised): string => {
    const last = server.asked().findLast(({ request }) => request.tools.length > 0)
    return last === undefined ? '' : userText(last.request)
  }

  test.each(FORMS)('is done, and its usage is what its row says (%s)', async (form) => {
    const one = await open(form)
    one.server.play(work())
    await one.start('w-1', { brief: APPLES })
    const { end, usage } = await one.ended('w-1')
    expect([end, one.left()]).toEqual([{ kind: 'done' }, []])
    expect(lastAsked(one)).toContain(APPLES)
    expect(usage?.tokensIn).toBeGreaterThan(0)
    // Of the last step of a turn alone is not all.
    const isReported =
      form === 'acp' && row?.acp.session.usage !== 'none' && row?.acp.session.usage !== 'last_step'
    expect(usage?.isEstimated ?? false).toBe(!isReported)
    const how = isReported ? '' : ' (estimated)'
    note(agent.name, form, 'usage', `${usage?.tokensIn} in, ${usage?.tokensOut} out${how}`)
    const usd = usage?.usd ?? null
    note(agent.name, form, 'cost', usd === null ? 'none' : `$${usd}`)
    note(agent.name, form, 'stops clean', 'yes')
  })

  test.each(FORMS)('leaves nothing when it is stopped while its model is silent (%s)', async (form) => {
    const one = await open(form)
    await one.start('w-1')
    await one.server.until(({ step }) => step?.kind === 'hang')
    const start = performance.now()
    await one.stop('w-1')
    note(agent.name, form, 'cancel', seconds(performance.now() - start))
    expect((await one.ended('w-1')).end).toEqual({ kind: 'stopped', cause: 'killed' })
    expect(one.left()).toEqual([])
  })

  test('asks before it pushes, as its row says, and is refused', async () => {
    const one = await open()
    const push = act(run('git push origin main'))
    one.server.play(play([{ steps: [push, act(write('hello.txt', 'hello')), say('I wrote it.')] }]))
    await one.start('w-1')
    await one.ended('w-1')
    const asked = one.events.flatMap((event) =>
      event.kind === 'permission_asked' && /git push/.test(event.command ?? '') ? [event.decision] : [],
    )
    expect(asked).toEqual(agent.asksPermission ? ['deny'] : [])
    note(agent.name, 'acp', 'permission', agent.asksPermission ? 'asks; denied' : 'never asks')
    note(agent.name, 'command', 'permission', 'by its own mode')
  })

  test('continues a session in another folder, as its row says', async () => {
    const one = await open()
    one.server.play(work())
    await one.start('w-1', { brief: APPLES })
    await one.ended('w-1')
    one.server.play(work())
    await one.start('w-2', { brief: PEARS, after: 'w-1' })
    expect((await one.ended('w-2')).end).toEqual({ kind: 'done' })
    const isContinued = lastAsked(one).includes(APPLES)
    expect(isContinued).toBe(agent.continues === 'anywhere')
    // In a continued session it gets what is new alone.
    expect(lastAsked(one)).toContain(isContinued ? 'Go on with' : PEARS)
    note(agent.name, 'acp', 'resume', isContinued ? `yes (${row?.acp.session.continues})` : 'begins anew')
    note(agent.name, 'command', 'resume', 'begins anew')
  })

  test('continues a session of Bosun for its user', async () => {
    const one = await open()
    one.server.play(work())
    await one.start('w-1', { brief: APPLES })
    await one.ended('w-1')
    const session = one.sessionOf('w-1') ?? ''
    one.server.play(always(say('It is about fruit.')))
    const place = { cwd: one.workspaceOf('w-1'), env: one.home.env }
    const { exit, output } = await runCommand(agent.takeover(one.home.place, session), PEARS, place)
    const told = lastAsked(one)
    const isContinued = [APPLES, PEARS].every((text) => told.includes(text))
    note(agent.name, 'acp', 'takeover', isContinued ? 'yes' : 'no')
    expect([exit, isContinued], output).toEqual([0, true])
  })

  test('as a command at a limit of two hours ends as limited, or waits in silence', async () => {
    const one = await open('command')
    one.server.play(always(limited(7_200_000)))
    await one.start('w-1')
    const ended = await Promise.race([one.ended('w-1'), pause(PATIENCE_MS, null, { ref: false })])
    await one.stop('w-1')
    if (ended !== null) expect(ended.end).toMatchObject({ kind: 'limited' })
    note(agent.name, 'command', 'limits', ended === null ? '429: waits in silence' : '429')
    expect(one.left()).toEqual([])
  })
})
