/** Sessions of the Agent Client Protocol across workers, by a real supervisor each. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SupervisedAgent } from '../../src/agents/supervised-agent.ts'
import type { AgentEvent, Job, WorkerEnded } from '../../src/ports/agent.ts'
import { labAgent, labJob, newTag, withTag, type Lab } from './lab.ts'

const PROGRAM = join(import.meta.dirname, 'misbehaving-acp-agent.ts')

let lab: Lab
let agent: SupervisedAgent
let events: AgentEvent[]
let log: string

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'bosun-acp-'))
  log = join(root, 'log.jsonl')
  const commandFor = (behaviour: string) => [process.execPath, PROGRAM, behaviour, log]
  lab = { root, tag: newTag(), acp: { usage: 'sum' }, commandFor }
  events = []
})
afterEach(async () => {
  agent.close()
  expect(withTag(lab.tag)).toEqual([])
  await rm(lab.root, { recursive: true, force: true })
})

const open = async (more: Partial<Lab> = {}): Promise<void> => {
  lab = { ...lab, ...more }
  agent = await labAgent(lab)
  agent.listen((event) => events.push(event))
}
const until = (holds: () => boolean) => expect.poll(holds, { timeout: 30_000 }).toBe(true)
const of = <K extends AgentEvent['kind']>(kind: K) =>
  events.filter((event): event is Extract<AgentEvent, { kind: K }> => event.kind === kind)
const seen = (kind: AgentEvent['kind']) => until(() => of(kind).length > 0)
const ended = async (): Promise<WorkerEnded> => {
  await seen('ended')
  const [end] = of('ended')
  if (end === undefined) throw new Error('it never ended')
  return end
}
const start = (behaviour: string, job: Partial<Job> = {}) => agent.start(labJob('w-1', behaviour, job))
const run = async (behaviour: string, job: Partial<Job> = {}): Promise<WorkerEnded> => {
  await start(behaviour, job)
  return ended()
}
/** What the agent got from its client, by the agent's own log. */
const received = (method: string): readonly Record<string, unknown>[] =>
  readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly in?: Record<string, unknown> }).in ?? {})
    .filter((one) => one['method'] === method)

const BEFORE = {
  id: 'session-before',
  agent: 'lab',
  protocol: 'acp',
  continues: 'load',
  worker: 'w-0',
  isContinued: false,
} as const
const prompted = (): readonly unknown[] =>
  received('session/prompt').map(({ params }) => (params as { prompt: [{ text: string }] }).prompt[0].text)

describe('an earlier session', () => {
  test('is continued with what is new, and its history is told apart', async () => {
    await open()
    const end = await run('works', { session: BEFORE })
    expect(end).toMatchObject({
      end: { kind: 'done' },
      session: { session: 'session-before', isContinued: true },
    })
    expect(of('session')).toMatchObject([
      { session: 'session-before', agent: 'lab', isContinued: true, lost: null },
    ])
    expect(of('text').filter(({ of }) => of === 'replay')).toMatchObject([
      { text: 'Do the task.An earlier answer.' },
    ])
    expect(received('session/new')).toEqual([])
    expect(prompted()).toEqual(['Go on with 1.'])
  })

  test('that the agent does not have any more is replaced by a new one with the whole brief', async () => {
    await open()
    expect((await run('cannot_load', { session: BEFORE })).end).toEqual({ kind: 'done' })
    expect(of('error')).toMatchObject([
      { text: expect.stringContaining('cannot continue session session-before') },
    ])
    const lost = { session: 'session-before', why: expect.stringContaining('Invalid session identifier') }
    expect(of('session')).toMatchObject([{ isContinued: false, continues: 'load', lost }])
    expect(received('session/new')).toHaveLength(1)
    expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
  })

  test('is resumed where the agent is known to do that', async () => {
    await open({ acp: { usage: 'sum', continues: 'resume' } })
    await run('works', { session: BEFORE })
    expect([received('session/resume').length, received('session/load').length]).toEqual([1, 0])
  })

  test.each(['of another agent', 'of an agent that must not continue any'])(
    '%s is left alone',
    async (which) => {
      const isOther = which === 'of another agent'
      await open(isOther ? {} : { acp: { usage: 'sum', continues: null } })
      await run('works', { session: isOther ? { ...BEFORE, agent: 'other' } : BEFORE })
      expect([received('session/load').length, received('session/new').length]).toEqual([0, 1])
      expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
    },
  )

  test('that an agent cannot load, by its own word, begins anew', async () => {
    await open()
    const end = await run('cannot_continue', { session: BEFORE })
    expect(end.session).toMatchObject({
      continues: null,
      lost: { why: 'its agent cannot continue sessions' },
    })
    expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
  })

  test('is known to a listener that comes later, and with an end that came before it', async () => {
    await open()
    await start('works_on')
    await seen('session')
    agent.close()
    events = []
    await open()
    await seen('session')
    expect(of('session')[0]).toMatchObject({ worker: 'w-1', agent: 'lab', continues: 'load' })
    await agent.stop('w-1', 'cancelled')
    agent.close()
    await open()
    const [end] = await agent.unacknowledged()
    expect(end?.session).toMatchObject({ session: of('session')[0]?.session, isContinued: false })
  })
})

describe('a reviewer', () => {
  test('that ends its turn without a verdict is asked for it once, in the same session', async () => {
    await open()
    const end = await run('works', { role: 'reviewer' })
    expect(end).toMatchObject({ end: { kind: 'done' }, review: null })
    const [, question, ...more] = prompted()
    expect(question).toContain('without a verdict')
    expect(more).toEqual([])
  })

  test('that gives its verdict when it is asked again is heard', async () => {
    await open()
    const end = await run('reviews_when_asked_again', { role: 'reviewer' })
    expect(end.review).toMatchObject({ verdict: 'approved' })
    expect(prompted()).toHaveLength(2)
  })
})

test('the end names the last words of the agent, on one line', async () => {
  await open()
  expect((await run('works')).lastWords).toBe('I do the task. It is done.')
})
