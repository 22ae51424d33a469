import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { requestEvents, type Asked } from '../../../engine/external-events.ts'
import { defaultPlanSettings } from '../../settings/plan-settings.ts'

const WORKER = 'w-shop-1-1'
const ABOUT = { worker: WORKER, task: '1', attempt: 1 }
const ID = `${WORKER}-r1`

const working = (specialistMs = defaultPlanSettings().watch.specialistMs): PlayedPlan => {
  const { watch } = defaultPlanSettings()
  const settings = { reportEveryMs: 1000 * HOUR, watch: { ...watch, specialistMs } }
  return PlayedPlan.begun([low('1')], { settings })
    .started('1')
    .lives('1')
}

function ask(plan: PlayedPlan, asked: Partial<Asked> = {}): PlayedPlan {
  const events = requestEvents(plan.state, WORKER, {
    kind: 'need_help',
    text: 'which table?',
    priority: 'normal',
    ...asked,
  })
  if (typeof events === 'string') throw new Error(events)
  for (const event of events) plan.tell(event)
  return plan
}

const answer = (plan: PlayedPlan, outcome: 'answered' | 'none', text: string): PlayedPlan =>
  plan.tell({
    type: 'specialist.answered',
    v: 1,
    ...ABOUT,
    id: ID,
    answer: { outcome, text, agent: 'codex' },
    usage: { tokensIn: 900, tokensOut: 100, usd: 0.5 },
  })

describe('a request for help', () => {
  test('goes to a specialist before a person, who sees the work of the asker', () => {
    const plan = ask(working())
    expect([plan.effect('ask_specialist'), plan.state.inbox.size]).toMatchObject([
      {
        specialist: `${ID}-help`,
        question: { asker: WORKER, text: 'which table?', to: null },
        timeLimitMs: 10 * MINUTE,
      },
      0,
    ])
  })

  test('is answered with what the specialist says, marked as such, and the task keeps it', () => {
    const plan = answer(ask(working()), 'answered', 'the second one')
    expect(plan.last('request.answered').answer).toMatchObject({
      outcome: 'answered',
      by: 'specialist (codex)',
      text: expect.stringContaining('from a specialist, not from a person: the second one'),
    })
    expect(plan.task('1')).toMatchObject({
      help: [{ worker: WORKER, question: 'which table?', answer: 'the second one', by: 'codex' }],
      spent: { tokens: 1000, usd: 0.5 },
    })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('that Bosun makes for a worker with a reported issue goes to a specialist as well', () => {
    const plan = working().checkin('1', { issues: ['cannot find the docs'] })
    expect(plan.effect('ask_specialist').question).toMatchObject({ text: 'cannot find the docs' })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('goes to a person where the specialist cannot answer, and never to another specialist', () => {
    const plan = answer(ask(working()), 'none', 'only a person can decide')
    expect([plan.item().issue, plan.owes('ask_specialist')]).toEqual(['need_help', false])
    expect(plan.decisions('1').join()).toContain('did not answer')
  })

  test('goes to a person at once where no specialist is wanted', () => {
    const plan = ask(working(0))
    expect([plan.item().issue, plan.owes('ask_specialist')]).toEqual(['need_help', false])
  })

  test('is the third at most that is for a specialist: what a worker asks beyond that is for a person', () => {
    const plan = working()
    for (let nth = 1; nth <= 3; nth++) {
      ask(plan, { text: `question ${nth}` })
      const { request: id } = plan.effect('ask_specialist')
      const answer = { outcome: 'answered', text: 'yes', agent: 'codex' } as const
      plan.tell({ type: 'specialist.answered', v: 1, ...ABOUT, id, answer })
    }
    ask(plan, { text: 'question 4' })
    expect([plan.owes('ask_specialist'), plan.item().issue]).toEqual([false, 'need_help'])
  })

  test('to a person stays one', () => {
    expect(ask(working(), { to: 'human' }).owes('ask_specialist')).toBe(false)
  })
})

describe('a request for a clarification', () => {
  test('goes to the role that it names', () => {
    const plan = ask(working(), { kind: 'need_clarification', to: 'tester' })
    expect(plan.effect('ask_specialist').question).toMatchObject({ kind: 'need_clarification', to: 'tester' })
  })

  test('that names no role goes to a person: what the plan leaves open is not guessed', () => {
    const plan = ask(working(), { kind: 'need_clarification' })
    expect([plan.owes('ask_specialist'), plan.item().issue]).toEqual([false, 'need_clarification'])
  })
})
