/** Sessions of the Agent Client Protocol across workers, by a real supervisor each. */
import { describe, expect, test } from 'vitest'
import { AcpLab } from './acp-lab.ts'

const lab = new AcpLab()

const BEFORE = {
  id: 'session-before',
  agent: 'lab',
  protocol: 'acp',
  continues: 'load',
  worker: 'w-0',
  isContinued: false,
} as const
const prompted = (): readonly unknown[] =>
  lab
    .received('session/prompt')
    .map(({ params }) => (params as { prompt: [{ text: string }] }).prompt[0].text)

describe('an earlier session', () => {
  test('is continued with what is new, and its history is told apart', async () => {
    await lab.open()
    const end = await lab.run('works', { session: BEFORE })
    expect(end).toMatchObject({
      end: { kind: 'done' },
      session: { session: 'session-before', isContinued: true },
    })
    expect(lab.of('session')).toMatchObject([
      { session: 'session-before', agent: 'lab', isContinued: true, lost: null },
    ])
    expect(lab.of('text').filter(({ of }) => of === 'replay')).toMatchObject([
      { text: 'Do the task.An earlier answer.' },
    ])
    expect(lab.received('session/new')).toEqual([])
    expect(prompted()).toEqual(['Go on with 1.'])
  })

  test('that the agent does not have any more is replaced by a new one with the whole brief', async () => {
    await lab.open()
    expect((await lab.run('cannot_load', { session: BEFORE })).end).toEqual({ kind: 'done' })
    expect(lab.of('error')).toMatchObject([
      { text: expect.stringContaining('cannot continue session session-before') },
    ])
    const lost = { session: 'session-before', why: expect.stringContaining('Invalid session identifier') }
    expect(lab.of('session')).toMatchObject([{ isContinued: false, continues: 'load', lost }])
    expect(lab.received('session/new')).toHaveLength(1)
    expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
  })

  test('is resumed where the agent is known to do that', async () => {
    await lab.open({ acp: { usage: 'sum', continues: 'resume' } })
    await lab.run('works', { session: BEFORE })
    expect([lab.received('session/resume').length, lab.received('session/load').length]).toEqual([1, 0])
  })

  test.each(['of another agent', 'of an agent that must not continue any'])(
    '%s is left alone',
    async (which) => {
      const isOther = which === 'of another agent'
      await lab.open(isOther ? {} : { acp: { usage: 'sum', continues: null } })
      await lab.run('works', { session: isOther ? { ...BEFORE, agent: 'other' } : BEFORE })
      expect([lab.received('session/load').length, lab.received('session/new').length]).toEqual([0, 1])
      expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
    },
  )

  test('that an agent cannot load, by its own word, begins anew', async () => {
    await lab.open()
    const end = await lab.run('cannot_continue', { session: BEFORE })
    expect(end.session).toMatchObject({
      continues: null,
      lost: { why: 'its agent cannot continue sessions' },
    })
    expect(prompted()).toEqual([expect.stringContaining('Do 1.')])
  })

  test('is known to a listener that comes later, and with an end that came before it', async () => {
    await lab.open()
    await lab.start('works_on')
    await lab.seen('session')
    await lab.agent.close()
    lab.events = []
    await lab.open()
    await lab.seen('session')
    expect(lab.of('session')[0]).toMatchObject({ worker: 'w-1', agent: 'lab', continues: 'load' })
    await lab.agent.stop('w-1', 'cancelled')
    await lab.agent.close()
    await lab.open()
    const [end] = await lab.agent.unacknowledged()
    expect(end?.session).toMatchObject({ session: lab.of('session')[0]?.session, isContinued: false })
  })
})

describe('a reviewer', () => {
  test('that ends its turn without a verdict is asked for it once, in the same session', async () => {
    await lab.open()
    const end = await lab.run('works', { role: 'reviewer' })
    expect(end).toMatchObject({ end: { kind: 'done' }, review: null })
    const [, question, ...more] = prompted()
    expect(question).toContain('without a verdict')
    expect(more).toEqual([])
  })

  test('that gives its verdict when it is asked again is heard', async () => {
    await lab.open()
    const end = await lab.run('reviews_when_asked_again', { role: 'reviewer' })
    expect(end.review).toMatchObject({ verdict: 'approved' })
    expect(prompted()).toHaveLength(2)
  })
})

test('the end names the last words of the agent, on one line', async () => {
  await lab.open()
  expect((await lab.run('works')).lastWords).toBe('I do the task. It is done.')
})
