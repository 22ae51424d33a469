import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { requestEvents, type Asked } from '../../../engine/external-events.ts'
import { firstRejection } from '../../decide/admit.ts'
import type { RequestKind } from '../../event-schemas/requests.ts'
import { defaultPlanSettings } from '../../settings/plan-settings.ts'
import type { AskedRequest, Watch } from '../../state/state.ts'
import { MOST_REQUESTS } from '../rules.ts'

const WORKER = 'w-shop-1-1'
const settings = { reportEveryMs: 1000 * HOUR }
const working = (more = {}): PlayedPlan =>
  PlayedPlan.begun([low('1', { timeBudgetMs: HOUR })], { settings: { ...settings, ...more } }).started('1')

/** Makes a request and returns why it was rejected; null if it was accepted. */
function ask(plan: PlayedPlan, kind: RequestKind, text: string, more: Partial<Asked> = {}): string | null {
  const events = requestEvents(plan.state, WORKER, { kind, text, priority: 'normal', ...more })
  const why = typeof events === 'string' ? events : firstRejection(plan.state, events)
  if (typeof events === 'string' || why !== null) return why
  for (const event of events) plan.tell(event)
  return null
}
function watch(plan: PlayedPlan): Watch {
  const { live } = plan.task('1')
  if (live === null) throw new Error('no worker is running')
  return live.watch
}
const lastRequest = (plan: PlayedPlan): AskedRequest | undefined => watch(plan).requests.at(-1)
const answerTo = (plan: PlayedPlan): string => plan.last('request.answered').answer.text
const keys = (plan: PlayedPlan): string[] => plan.item().options.map(({ key }) => key)

describe('more time', () => {
  test('is granted with a reason, up to 30 min, and the supervisor gets the new limit', () => {
    const plan = working()
    ask(plan, 'need_time', 'the build is slow', { minutes: 20 })
    expect(plan.last('request.answered').answer).toMatchObject({
      outcome: 'granted',
      by: 'bosun',
      minutes: 20,
    })
    expect(plan.effect('extend_worker')).toMatchObject({ extraMs: 20 * MINUTE, limitMs: 80 * MINUTE })
    expect(plan.state.inbox.size).toBe(0)
  })

  test('is denied without a reason, and the answer asks for one', () => {
    const plan = working()
    ask(plan, 'need_time', ' ', { minutes: 20 })
    expect(answerTo(plan)).toContain('denied: no reason given. Say why you need more time')
    expect(watch(plan).waiting.at(-1)).toMatchObject({ kind: 'answer', text: answerTo(plan) })
    expect(watch(plan).extraMs).toBe(0)
  })

  test('is at most 60 min by rule: the answer names what is left, then it is a denial', () => {
    const plan = working()
    ask(plan, 'need_time', 'one', { minutes: 30 })
    ask(plan, 'need_time', 'two', { minutes: 20 })
    ask(plan, 'need_time', 'three', { minutes: 20 })
    expect(answerTo(plan)).toContain('you already got 50 min; at most 10 min more')
    ask(plan, 'need_time', 'four')
    expect(plan.last('request.answered').answer.minutes).toBe(10)
    ask(plan, 'need_time', 'five', { minutes: 1 })
    expect(answerTo(plan)).toContain('hand in what you have')
    expect(watch(plan).extraMs).toBe(60 * MINUTE)
  })

  test('of more than 30 min at once is for a person, who may give another amount', () => {
    const plan = working()
    ask(plan, 'need_time', 'a migration', { minutes: 90 })
    expect(plan.item()).toMatchObject({
      subject: 'request',
      kind: 'question',
      blocking: false,
      recommended: 'grant',
    })
    expect([plan.item().problem, keys(plan)]).toEqual([
      'w-shop-1-1 at task 1 (Do 1) needs more time, 90 min: a migration',
      ['grant', 'deny'],
    ])
    plan.answer('grant', { feedback: '45 min, not more' })
    expect(watch(plan).extraMs).toBe(45 * MINUTE)
    expect(answerTo(plan)).toContain('granted by ada: 45 min more. 45 min, not more')
  })

  test('that a person gave does not count as given by rule', () => {
    const plan = working()
    ask(plan, 'need_time', 'a migration', { minutes: 90 })
    plan.answer('grant')
    ask(plan, 'need_time', 'tests', { minutes: 30 })
    expect(watch(plan).extraMs).toBe(120 * MINUTE)
  })
})

describe('more resources', () => {
  const budgets = { planUsd: null, taskUsd: null, planTokens: null, taskTokens: 1000 }

  test('within the budget of the task are granted, and nothing is raised', () => {
    const plan = working({ budgets })
    ask(plan, 'need_resources', 'large files', { tokens: 1000 })
    expect(answerTo(plan)).toContain('granted: 1000 tokens are left')
    expect(plan.task('1').forgiven.tokens).toBe(0)
  })

  test('beyond it are for a person, whose grant raises what the task may use', () => {
    const plan = working({ budgets })
    ask(plan, 'need_resources', 'large files', { tokens: 5000 })
    expect(plan.item()).toMatchObject({ recommended: 'deny' })
    plan.answer('grant')
    const about = { worker: WORKER, task: '1', attempt: 1 }
    plan.tell({ type: 'worker.used', v: 1, ...about, tokens: 6000, usd: 0 })
    expect(plan.step('1')).toBe('working')
    plan.tell({ type: 'worker.used', v: 1, ...about, tokens: 6001, usd: 0 })
    expect(plan.effect('stop_worker').cause).toBe('budget')
  })

  test('that are no tokens are for a person to talk about', () => {
    const plan = working()
    ask(plan, 'need_resources', 'a GPU')
    expect(keys(plan)).toEqual(['answer', 'deny'])
  })
})

describe('a question', () => {
  test('of a worker is answered in the words of a person', () => {
    const plan = working()
    ask(plan, 'need_clarification', 'which schema?', { to: 'architect' })
    expect(plan.item().problem).toContain('needs clarification from the architect: which schema?')
    expect(plan.item().impact).toBe(
      'the worker continues meanwhile if it can; after 1h without an answer the worker continues as well as it can',
    )
    plan.answer('answer', { feedback: 'the second one' })
    expect(answerTo(plan)).toBe('On need clarification (w-shop-1-1-r1): ada says: the second one')
    expect([plan.state.inbox.size, lastRequest(plan)?.answer?.outcome]).toEqual([0, 'answered'])
  })

  test('to an unknown addressee is denied, and the answer lists the known ones', () => {
    const plan = working()
    ask(plan, 'need_clarification', 'which schema?', { to: 'the cook' })
    expect(answerTo(plan)).toContain(
      'unknown addressee "the cook". Use one of architect, designer, developer, reviewer, tester, human, user.',
    )
  })

  test('can be given back: the worker decides', () => {
    const plan = working()
    ask(plan, 'need_help', 'the parser')
    plan.answer('decide')
    expect(answerTo(plan)).toContain('decide yourself and report what you assumed')
  })

  test('without an answer expires, its item is withdrawn, and the worker goes on', () => {
    const plan = working()
    ask(plan, 'need_help', 'the parser')
    for (let minute = 0; minute < 59; minute++) plan.lives('1').pass(MINUTE)
    expect(plan.all('request.answered')).toEqual([])
    plan.lives('1').pass(MINUTE)
    expect(plan.last('request.answered').answer).toMatchObject({ outcome: 'expired', by: 'bosun' })
    expect(answerTo(plan)).toContain('Go on as best you can')
    expect(plan.last('inbox.withdrawn').why).toBe('it no longer needs an answer')
  })

  test('goes with its worker', () => {
    const plan = working()
    ask(plan, 'need_help', 'the parser')
    plan.ended('1')
    expect([plan.state.inbox.size, plan.last('inbox.withdrawn').why]).toEqual([0, 'the worker has stopped'])
  })
})

describe('a worker that is blocked', () => {
  test('is escalated at once, and may wait for the answer in silence until it expires', () => {
    const plan = working()
    ask(plan, 'blocked', 'no access to the API')
    expect(plan.item()).toMatchObject({ kind: 'escalation', recommended: 'answer' })
    expect(keys(plan)).toEqual(['answer', 'decide', 'restart'])
    plan.pass(25 * MINUTE)
    expect([
      plan.all('worker.told').filter(({ message }) => message.kind === 'nudge'),
      plan.step('1'),
    ]).toEqual([[], 'working'])
  })

  test('has as long as ever from its answer on, however long it waited', () => {
    const plan = working()
    ask(plan, 'blocked', 'no access to the API')
    plan.pass(25 * MINUTE).answer('decide')
    const nudges = (): number =>
      plan.all('worker.told').filter(({ message }) => message.about === 'nudge').length
    expect([nudges(), plan.pass(5 * MINUTE - 1).step('1'), nudges()]).toEqual([0, 'working', 0])
    plan.pass(1)
    expect(nudges()).toBe(1)
  })

  test('and says so in its check-ins is escalated once, by its request', () => {
    const plan = working().checkin('1', { status: 'blocked' })
    expect(plan.item().subject).toBe('worker')
    ask(plan, 'blocked', 'no access to the API')
    expect(plan.last('inbox.withdrawn').why).toBe('the worker has asked for help itself')
    expect([...plan.state.inbox.values()].map(({ item }) => item.subject)).toEqual(['request'])
  })

  test('can be replaced, which costs no attempt', () => {
    const plan = working()
    ask(plan, 'blocked', 'no access to the API')
    expect(plan.answer('restart').effect('stop_worker').cause).toBe('restarted')
  })
})

describe('a worker that asks too much', () => {
  test('cannot repeat a request that is open', () => {
    const plan = working()
    expect(ask(plan, 'need_help', 'the parser')).toBeNull()
    expect(ask(plan, 'need_help', 'the parser')).toBe('this request was already made')
    plan.answer('decide')
    expect(ask(plan, 'need_help', 'the parser')).toBeNull()
  })

  test('cannot reuse the id of a request, even after it was answered', () => {
    const plan = working()
    ask(plan, 'need_time', 'slow', { minutes: 5, ref: 'req-1' })
    expect(ask(plan, 'need_time', 'slow', { minutes: 5, ref: 'req-1' })).toBe('this request was already made')
  })

  test('has at most five open; then it is nudged once, and a person is alerted', () => {
    const plan = working()
    for (let nth = 1; nth <= 5; nth++) ask(plan, 'need_help', `issue ${nth}`)
    expect(ask(plan, 'need_help', 'issue 6')).toBeNull()
    expect(plan.last('worker.told').message).toMatchObject({ kind: 'nudge', about: 'too many requests' })
    expect(ask(plan, 'need_help', 'issue 7')).toContain('5 requests are already open')
    expect([plan.all('request.received').length, plan.state.inbox.size]).toEqual([5, 6])
    const alerts = plan.all('inbox.opened').filter(({ item }) => item.subject === 'worker')
    expect(alerts.map(({ item }) => item.issue)).toEqual(['too_many_requests'])
    expect(plan.task('1').live?.watch.health).toBe('stalled')
    expect([plan.step('1'), plan.all('worker.condemned')]).toEqual(['working', []])
  })

  test('is well again once fewer of its requests are open', () => {
    const plan = working()
    for (let nth = 1; nth <= 6; nth++) ask(plan, 'need_help', `issue ${nth}`)
    const [first] = plan.all('inbox.opened')
    plan.tell({
      type: 'inbox.answered',
      v: 1,
      id: first?.item.id ?? '',
      choice: 'decide',
      feedback: '',
      by: 'ada',
    })
    expect(plan.last('inbox.withdrawn').why).toContain('the worker has recovered')
    expect(plan.task('1').live?.watch.health).toBe('healthy')
  })

  test('and then falls silent is stopped like any other, after a person was alerted', () => {
    const plan = working().pass(MINUTE).lives('1')
    for (let nth = 1; nth <= 6; nth++) ask(plan, 'need_help', `issue ${nth}`)
    for (let minute = 0; minute < 30; minute++) plan.pass(MINUTE)
    const about = plan.events.map((event) =>
      event.type === 'inbox.opened' ? event.item.subject : event.type,
    )
    expect(about.indexOf('worker')).toBeGreaterThan(-1)
    expect(about.indexOf('worker.condemned')).toBeGreaterThan(about.indexOf('worker'))
  })

  test('reaches a limit of requests, even where a rule answers at once', () => {
    const plan = working()
    for (let nth = 1; nth <= 2 * MOST_REQUESTS; nth++) ask(plan, 'need_time', '')
    expect(plan.all('request.received')).toHaveLength(MOST_REQUESTS)
  })
})

describe('a worker that reports an issue', () => {
  test('without a request gets one made on its behalf, once for each issue', () => {
    const plan = working().checkin('1', { issues: ['no schema'] })
    expect(lastRequest(plan)).toMatchObject({ kind: 'need_help', text: 'no schema', by: 'bosun' })
    expect(plan.item().problem).toContain('asked on its behalf')
    plan.checkin('1', { issues: ['no schema'] }).answer('decide')
    plan.checkin('1', { issues: ['no schema', 'no docs'] }).checkin('1', { issues: ['no docs'] })
    expect(plan.all('request.received').map(({ request }) => request.text)).toEqual(['no schema', 'no docs'])
  })

  test('and has a request open gets none made on its behalf', () => {
    const plan = working()
    ask(plan, 'need_clarification', 'which schema?')
    plan.checkin('1', { issues: ['no schema'] })
    expect(plan.all('request.received')).toHaveLength(1)
  })
})

test('in monitor mode no rule answers: a person is asked about everything, and the request waits', () => {
  const { watch: rules } = defaultPlanSettings()
  if (rules === undefined) throw new Error('there are no watch settings')
  const plan = working({ watch: { ...rules, mode: 'monitor' } })
  ask(plan, 'need_time', 'the build is slow', { minutes: 10 })
  for (let minute = 0; minute < 120; minute++) plan.checkin('1', { issues: ['no schema'] }).pass(MINUTE)
  expect(plan.all('request.answered')).toEqual([])
  expect(plan.item('w-shop-1-1-r1').options.map(({ key }) => key)).toEqual(['grant', 'deny'])
  expect(plan.all('watch.would').map(({ what }) => what)).not.toContain('help')
  plan.answer('grant', { about: 'w-shop-1-1-r1' })
  expect(watch(plan).extraMs).toBe(10 * MINUTE)
  plan.checkin('1', { issues: ['no schema'] })
  expect(plan.all('watch.would').map(({ what }) => what)).toContain('help')
})

test('a clock that jumps takes open requests along', () => {
  const plan = working()
  ask(plan, 'need_help', 'the parser')
  const at = lastRequest(plan)?.at ?? 0
  plan.now += 5 * HOUR
  plan.tell({ type: 'clock.jumped', v: 1, byMs: 5 * HOUR })
  expect(lastRequest(plan)?.at).toBe(at + 5 * HOUR)
})
