import { afterEach, beforeEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import type { HostedPlan } from './hosted-plan.ts'

const HOUR = 3_600_000
let until: number | null
let testing: TestHost
beforeEach(async () => {
  until = Date.now() + HOUR
  testing = await new TestHost({
    worker: ({ plan, attempt }) =>
      plan === 'limited' && attempt === 1
        ? { agent: 'claude', end: { kind: 'limited', until, why: 'usage limit reached' }, report: null }
        : { agent: 'claude', workMs: null },
  }).open()
})
afterEach(() => testing.dispose())

const isParked = ({ state }: HostedPlan): boolean => state.parked.has('claude')
const plan = async (id: string): Promise<HostedPlan> =>
  (await testing.register([low('a'), low('b')], { id, repository: testing.repository(id) })).plan

test('a limit that one plan hits parks every plan, later ones too, and they log its origin', async () => {
  const other = await plan('other')
  await testing.until(other, ({ state }) => state.agents.developer === 'claude')
  const limited = await plan('limited')
  await testing.until(limited, isParked)
  await testing.until(other, isParked)
  expect(other.state.parked.get('claude')).toMatchObject({ until, why: 'usage limit reached' })
  const later = await plan('later')
  await testing.until(later, isParked)
  const logged = (await testing.log.tail(0, 1000)).flatMap(({ stream, event }) =>
    event.type === 'provider.limited' ? [[stream.split('/')[1], event.from ?? null]] : [],
  )
  expect(logged).toEqual([
    ['limited', null],
    ['other', 'limited'],
    ['later', expect.anything()],
  ])
})

test('the end of a limit is passed on as well', async () => {
  const other = await plan('other')
  until = Date.now() + 1500
  const limited = await plan('limited')
  await testing.until(other, isParked)
  await testing.until(other, (one) => !isParked(one))
  await testing.until(limited, (one) => !isParked(one))
})

test('a plan that is taken up after a crash hears what the others know', async () => {
  const limited = await plan('limited')
  await testing.until(limited, isParked)
  await testing.reopen()
  const late = await plan('late')
  await testing.until(late, isParked)
})
