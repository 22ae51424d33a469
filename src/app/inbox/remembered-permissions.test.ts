import { afterAll, beforeAll, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { permissionsAnswer } from '../../protocol/task-answer.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { steerPlan } from '../plans/steer-plan.ts'
import { answerItem } from './answer-item.ts'
import { rememberedPermissions, revokePermission } from './remembered-permissions.ts'

let testing: TestHost
beforeAll(async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
})
afterAll(() => testing.dispose())

/** A plan in which a person has allowed a command for the whole plan. */
async function allowedIn(name: string): Promise<HostedPlan> {
  const { plan } = await testing.register([low('a')], { id: name, repository: testing.repository(name) })
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.live?.step === 'working')
  const worker = `w-${name}-a-1`
  const request = {
    id: `${worker}-r1`,
    kind: 'permission',
    text: 'curl',
    priority: 'normal',
    by: worker,
  } as const
  const asked = { type: 'request.received', v: 1, worker, task: 'a', attempt: 1 } as const
  await plan.propose({ ...asked, request: { ...request, equalBy: 'run `curl`' } })
  await testing.until(plan, ({ state }) => state.inbox.size > 0)
  await answerItem(testing.host, {
    id: `${name}:P-1`,
    choice: 'allow',
    feedback: '',
    by: 'ann',
    scope: 'plan',
  })
  return plan
}

const listed = () => {
  const answer = rememberedPermissions(testing.host)
  expect(permissionsAnswer.parse(answer)).toEqual(answer)
  return answer.permissions
}

test('remembered permissions are listed by plan, and each is revoked by its own id', async () => {
  expect(listed()).toEqual([])
  const [shop, cart] = [await allowedIn('shop'), await allowedIn('cart')]
  const rows = listed()
  const first = rememberedPermissions(testing.host, { limit: 1 })
  const last = rememberedPermissions(testing.host, { limit: 1, cursor: first.next ?? '' })
  expect([first.total, last.next]).toEqual([2, null])
  expect([...first.permissions, ...last.permissions]).toEqual(rows)
  expect(rows).toMatchObject([
    {
      plan: 'shop',
      item: 'P-1',
      decision: 'allow',
      what: 'run `curl`',
      scope: 'plan',
      task: null,
      by: 'ann',
    },
    { plan: 'cart', item: 'P-1' },
  ])
  const revoke = (id: string) => revokePermission(testing.host, { id, by: 'bea' })
  await expect(revoke('P-1')).rejects.toMatchObject({ code: 'conflict' })
  expect(await revoke(rows[1]?.id ?? '')).toMatchObject({ plan: 'cart' })
  expect([shop.state.permissions.length, cart.state.permissions.length]).toEqual([1, 0])
  await expect(revoke('cart:P-1')).rejects.toMatchObject({ code: 'not_found' })
  expect(listed().map(({ id }) => id)).toEqual(['P-1'])
  await steerPlan(testing.host, { what: 'cancel', plan: 'shop', by: 'ann', reason: '', now: false })
  expect(listed()).toEqual([])
})
