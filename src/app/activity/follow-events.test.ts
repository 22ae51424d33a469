import { afterEach, expect, test } from 'vitest'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { followEvents, type FollowRequest } from './follow-events.ts'

let testing: TestHost
afterEach(() => testing.dispose())

const notice = (text: string) => ({ id: text, title: 'Bosun: something needs you', text, link: null })

/** The notices that a follower gets, up to the one that is for everybody. */
async function noticesFor(request: Partial<FollowRequest>, show: () => void): Promise<readonly string[]> {
  const until = new AbortController()
  const { signal } = until
  const asked = { after: await testing.log.head(), until: signal, idleMs: 1, ...request }
  const texts: string[] = []
  let isShown = false
  for await (const followed of followEvents(testing.host, asked)) {
    if (!isShown) show()
    isShown = true
    if (followed === 'nothing') continue
    texts.push(...followed.flatMap((message) => (message.notice === undefined ? [] : [message.notice.text])))
    if (texts.includes('last')) break
  }
  return texts
}

test('a terminal gets the notices about the plan that it follows, and none that only pages show', async () => {
  testing = await new TestHost({ worker: () => ({ workMs: null }) }).open()
  const { plan } = await testing.register([low('a')])
  const repository = plan.home.repository.id
  const { liveNotices } = testing.host
  const show = (): void => {
    liveNotices.show(notice('other plan'), { repository, plans: ['blog'], atTerminals: true })
    liveNotices.show(notice('other repository'), { repository: 'r', plans: ['shop'], atTerminals: true })
    liveNotices.show(notice('pages'), { repository, plans: ['shop'], atTerminals: false })
    liveNotices.show(notice('both plans'), { repository, plans: ['blog', 'shop'], atTerminals: true })
    liveNotices.show(notice('last'), { repository, plans: ['shop'], atTerminals: true })
  }
  expect(await noticesFor({ noticesFor: 'terminal', repository, plan: 'shop' }, show)).toEqual([
    'both plans',
    'last',
  ])
  expect(await noticesFor({ noticesFor: 'terminal' }, show)).toEqual([
    'other plan',
    'other repository',
    'both plans',
    'last',
  ])
  expect(await noticesFor({ noticesFor: 'page' }, show)).toContain('pages')
})
