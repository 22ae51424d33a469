import { expect, test } from 'vitest'
import { HOUR, low, MINUTE } from '../../../../test/helpers/plan-builder.ts'
import { PlayedPlan } from '../../../../test/helpers/played-plan.ts'

const QUIET = { settings: { reportEveryMs: 1000 * HOUR, maxParallelAgents: 1 } }
const TWO = ['1', '2'].map((id) => low(id))
const BOTH = ['claude', 'codex']
const dispatched = (plan: PlayedPlan): number => plan.all('task.dispatched').length
const asked = (plan: PlayedPlan) => plan.all('inbox.opened').map(({ item }) => item)
const choice = (plan: PlayedPlan) => plan.owed().effects.find(({ kind }) => kind === 'start_worker')

/** The first worker is of claude, codex could do it too, and its provider turns it away. */
const limited = (until: number | null, signIn?: string): PlayedPlan => {
  const plan = PlayedPlan.begun(TWO, QUIET).started('1', 'claude', BOTH)
  const end = { kind: 'limited', until, why: 'x', ...(signIn === undefined ? {} : { signIn }) } as const
  return plan.work('1', { end, agent: 'claude' })
}

test('another agent takes over at once from one that is limited for hours, and learns which agent not to use', () => {
  const plan = limited(PlayedPlan.begun(TWO, QUIET).now + 2 * HOUR)
  expect(dispatched(plan)).toBe(2)
  expect(choice(plan)).toMatchObject({
    choice: { unusable: [{ agent: 'claude', why: expect.stringMatching(/^is limited until/) }] },
  })
  expect(plan.task('1').counters.restarts).toBe(0)
})

test('a limit of a few minutes is waited for', () => {
  const plan = limited(PlayedPlan.begun(TWO, QUIET).now + 5 * MINUTE)
  expect(dispatched(plan)).toBe(1)
  expect(dispatched(plan.pass(5 * MINUTE))).toBe(2)
  expect(choice(plan)).toMatchObject({ choice: { unusable: [] } })
})

test('the first choice is tried again every few minutes while another agent works', () => {
  const plan = limited(null)
  expect(choice(plan)).toMatchObject({ choice: { unusable: [{ agent: 'claude' }] } })
  plan
    .started('1', 'codex', BOTH)
    .pass(6 * MINUTE)
    .complete('1', { agent: 'codex' })
  expect(choice(plan)).toMatchObject({ worker: 'w-shop-2-1', choice: { unusable: [] } })
})

test('a worker that was to try an agent and got another leaves it to be tried again', () => {
  const plan = limited(null)
    .started('1', 'codex', BOTH)
    .pass(6 * MINUTE)
    .complete('1', { agent: 'codex' })
  expect(plan.state.parked.get('claude')?.probe).toBe('w-shop-2-1')
  plan.started('2', 'codex', BOTH)
  expect(plan.state.parked.get('claude')?.probe).toBeNull()
})

test('where every agent is limited the work waits for the first that is free', () => {
  const now = PlayedPlan.begun(TWO, QUIET).now
  const plan = limited(now + 3 * HOUR).started('1', 'codex', BOTH)
  plan.work('1', { end: { kind: 'limited', until: now + HOUR }, agent: 'codex' })
  expect(dispatched(plan)).toBe(2)
  expect(plan.owed().wakeAt).toBe(now + HOUR)
})

test('about a first choice that is signed out a person is asked, but nothing waits for the answer', () => {
  const plan = limited(null, 'Run `claude auth login`.')
  expect(dispatched(plan)).toBe(2)
  expect(asked(plan)).toMatchObject([
    {
      subject: 'provider',
      about: 'claude',
      blocking: false,
      impact: expect.stringContaining('another agent does its work'),
    },
  ])
})

test('an agent that cannot be driven over ACP is run as a command, and no attempt is used', () => {
  const end = { kind: 'interrupted', reason: 'no answer to initialize', protocol: 'acp' } as const
  const plan = PlayedPlan.begun(TWO, QUIET).started('1', 'claude', BOTH).work('1', { end, agent: 'claude' })
  expect(choice(plan)).toMatchObject({ worker: 'w-shop-1-2', choice: { byCommand: ['claude'] } })
  expect(plan.task('1').counters).toMatchObject({ restarts: 0, fixes: 0 })
})
