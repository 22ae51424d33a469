import { describe, expect, test } from 'vitest'
import { HOUR, low, MINUTE, normal } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'
import { outcomeOf } from '../../decide/outcome.ts'
import { probedBy } from './parking.ts'
import { standing } from '../../decide/standing.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR, maxParallelAgents: 2 } }
const FOUR = ['1', '2', '3', '4'].map((id) => low(id))
const lost = { kind: 'limited', until: null, why: '529 overloaded' } as const
const sent = (plan: PlayedPlan): number => plan.all('task.dispatched').length

describe('a limit with a known reset', () => {
  const begun = () => PlayedPlan.begun(FOUR, QUIET)
  const limited = (plan: PlayedPlan, until = plan.now + 5 * HOUR) =>
    plan.work('1', { end: { kind: 'limited', until }, agent: 'claude' })

  test('holds back all workers until the reset, then starts them all at once', () => {
    const plan = limited(begun())
    plan.work('2', { end: { kind: 'limited', until: plan.now + 5 * HOUR }, agent: 'claude' })
    expect([sent(plan), plan.owed().wakeAt]).toEqual([2, plan.now + 5 * HOUR])
    plan.pass(5 * HOUR - 1)
    expect(sent(plan)).toBe(2)
    plan.pass(1)
    expect(sent(plan)).toBe(4)
    expect(plan.task('1').counters).toEqual(plan.task('3').counters)
    expect(plan.last('provider.freed').why).toBe('its reset time has passed')
  })

  test('holds back tasks that were never tried', () => {
    const plan = limited(begun()).complete('2', { agent: 'claude' })
    expect([sent(plan), plan.step('3')]).toEqual([2, 'ready'])
  })

  test('is reported once for all workers that hit it; a later reset is reported again', () => {
    const plan = begun()
    const until = plan.now + HOUR
    limited(plan, until).work('2', { end: { kind: 'limited', until }, agent: 'claude' })
    expect(plan.all('provider.limited')).toHaveLength(1)
    plan.pass(HOUR)
    plan.work('1', { end: { kind: 'limited', until: plan.now + HOUR }, agent: 'claude' })
    expect(plan.all('provider.limited')).toHaveLength(2)
  })

  test('does not hold back workers of another agent', () => {
    const plan = PlayedPlan.begun([normal('1'), normal('2')], QUIET)
      .work('1', { agent: 'claude' })
      .gates('1')
    plan
      .started('1', 'codex')
      .ended('1', { end: { kind: 'limited', until: plan.now + HOUR }, agent: 'codex' })
    expect([plan.step('1'), plan.task('1').live]).toEqual(['reviewing', null])
    expect(plan.state.agents).toEqual({ developer: 'claude', reviewer: 'codex' })
    expect(plan.pass(HOUR).task('1').live?.role).toBe('reviewer')
  })

  test('keeps the plan moving and is named in its state', () => {
    const plan = limited(begun()).work('2', { end: lost, agent: 'claude' })
    expect(outcomeOf(plan.state, plan.now)).toBe('moving')
    expect(standing(plan.state)).toEqual({
      state: 'waiting',
      why: 'parked: claude is limited until 14:00 UTC; 4 tasks wait',
    })
  })

  test('that is more than a week off is not believed', () => {
    const plan = begun()
    limited(plan, plan.now + 8 * 24 * HOUR)
    expect(plan.state.parked.get('claude')?.until).toBeNull()
  })

  test('is probed when a person resumes the plan', () => {
    const plan = limited(begun()).work('2', { end: lost, agent: 'claude' }).pause()
    plan.pass(MINUTE).resume()
    expect(sent(plan)).toBe(3)
  })
})

describe('a limit without a reset', () => {
  const suspended = () =>
    PlayedPlan.begun(FOUR, QUIET)
      .work('1', { end: lost, agent: 'claude' })
      .work('2', { end: lost, agent: 'claude' })

  test('is probed every five minutes and not before', () => {
    const plan = suspended()
    expect(sent(plan.pass(5 * MINUTE - 1))).toBe(2)
    expect(sent(plan.pass(1))).toBe(3)
    const { worker } = plan.last('task.dispatched')
    expect(plan.last('provider.limited').probe).toBe(worker)
    expect(probedBy(plan.state, worker)).toBe('is checking whether claude works again')
    plan.work('1', { end: lost, agent: 'claude' })
    expect(sent(plan.pass(5 * MINUTE - 1))).toBe(3)
    expect(sent(plan.pass(1))).toBe(4)
    expect(plan.task('1').counters.restarts).toBe(0)
  })

  test('is over when the probe shows life for two minutes', () => {
    const plan = suspended()
      .pass(5 * MINUTE)
      .started('1', 'claude')
      .pass(2 * MINUTE)
    expect(sent(plan)).toBe(3)
    plan.lives('1')
    expect(sent(plan)).toBe(4)
    expect(plan.state.parked.size).toBe(0)
  })

  test('is over when the probe ends in any other way by itself', () => {
    const plan = suspended()
      .pass(5 * MINUTE)
      .ended('1', { agent: 'claude' })
    expect([plan.state.parked.size, plan.step('2')]).toEqual([0, 'launching'])
  })

  test.each([
    { kind: 'interrupted', reason: 'its supervisor died' } as const,
    { kind: 'stopped', cause: 'stalled' } as const,
  ])('is not over when the probe is ended from outside: %o', (end) => {
    const plan = suspended()
      .pass(5 * MINUTE)
      .started('1', 'claude')
      .ended('1', { end, agent: 'claude' })
    expect([plan.state.parked.size, plan.step('2')]).toEqual([1, 'deciding'])
    plan.collected('1')
    expect(sent(plan.pass(5 * MINUTE))).toBe(4)
  })

  test('is escalated once after 15 min, and withdrawn when it works', () => {
    const plan = suspended()
    for (let probe = 1; probe <= 6; probe++) {
      plan.pass(5 * MINUTE)
      const [id] = [...plan.state.active].filter(({ live }) => live !== null).map(({ spec }) => spec.id)
      plan.work(id ?? '', { end: lost, agent: 'claude' })
    }
    expect(plan.all('inbox.opened')).toHaveLength(1)
    expect(plan.item()).toMatchObject({ subject: 'provider', about: 'claude', blocking: false })
    expect(plan.item().problem).toBe('claude has been unavailable for 15 min: 529 overloaded')
    // A caller that cannot answer need not wait any longer.
    expect(outcomeOf(plan.state, plan.now)).toBe('needs_person')
    plan.pass(5 * MINUTE)
    const [id = ''] = [...plan.state.active].filter(({ live }) => live !== null).map(({ spec }) => spec.id)
    plan.ended(id, { agent: 'claude' })
    expect([plan.state.inbox.size, plan.state.parked.size]).toEqual([0, 0])
  })

  test('is probed at once when a person asks for it', () => {
    const plan = suspended()
      .pass(5 * MINUTE)
      .work('1', { end: lost, agent: 'claude' })
    plan.pass(4 * MINUTE).pass(MINUTE)
    plan
      .work('1', { end: lost, agent: 'claude' })
      .pass(5 * MINUTE)
      .work('1', { end: lost, agent: 'claude' })
    const before = sent(plan)
    plan.pass(MINUTE).answer('retry')
    expect(sent(plan)).toBe(before + 1)
  })
})

describe('what another plan found out', () => {
  const reported = { type: 'provider.limited', v: 1, agent: 'claude', why: '529', from: 'other' } as const

  test('parks this plan, without a word of its own, until that plan says that it works', () => {
    const plan = PlayedPlan.begun(FOUR, QUIET).started('1', 'claude')
    plan.tell({ ...reported, until: plan.now + HOUR })
    expect(plan.complete('1', { agent: 'claude' }).step('3')).toBe('ready')
    expect(plan.all('provider.limited')).toHaveLength(1)
    plan.tell({ type: 'provider.freed', v: 1, agent: 'claude', why: 'it works', from: 'other' })
    expect(plan.step('3')).toBe('launching')
  })

  test('is left to that plan to try, and tried here when that one no longer does', () => {
    const plan = PlayedPlan.begun(FOUR, QUIET).started('1', 'claude')
    plan
      .tell({ ...reported, until: null })
      .work('1', { end: lost, agent: 'claude' })
      .work('2', { end: lost })
    expect(sent(plan.pass(5 * MINUTE))).toBe(2)
    plan.tell({ ...reported, until: null, probe: 'w-other-1-2' })
    expect(sent(plan.pass(5 * MINUTE))).toBe(2)
    expect(sent(plan.pass(2 * MINUTE))).toBe(3)
  })
})

test('a role with an unknown agent gets one worker while some agent is parked', () => {
  const plan = PlayedPlan.begun(FOUR, QUIET).started('1', 'claude').started('2', 'claude')
  plan.tell({
    type: 'provider.limited',
    v: 1,
    agent: 'claude',
    until: plan.now + HOUR,
    why: '',
    from: 'other',
  })
  plan.work('1', { agent: 'claude' }).gates('1', { failed: ['unit'] })
  expect(plan.task('1').live?.role).toBe('fixer')
  plan.work('2', { agent: 'claude' }).gates('2', { failed: ['unit'] })
  expect(plan.task('2').live).toBeNull()
  plan.started('1', 'codex')
  expect(plan.task('2').live?.role).toBe('fixer')
})
