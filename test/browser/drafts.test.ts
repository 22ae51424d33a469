/** What a person has typed anywhere on the page outlives the daemon, and a reload. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { Complaints, linkOf, signedIn, type SignedIn } from './browser.ts'

let lab: Lab
let person: SignedIn

beforeAll(async () => {
  lab = smallProject({
    tasks: 2,
    sideBySide: true,
    agent: 'if [ "$id" = 2 ]; then sleep 600; fi; work; report',
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab, '/start')
  const wish = 'Let users upload a picture and see it in their profile and in comments'
  await lab.bosun('interview', '--text', wish, '--no-input', '--json')
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

interface Box {
  readonly path: string
  /** Brings the box, where it is not there at once. */
  readonly open?: (page: Page) => Promise<void>
  readonly box: (page: Page) => Locator
}

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const BOXES: Readonly<Record<string, Box>> = {
  'an answer': { path: '/', open: press(/^Send back/), box: (page) => page.getByLabel('What should change') },
  'the reason of a pause': {
    path: '/p/small/t/2',
    open: press('Pause the plan…'),
    box: (page) => page.getByLabel('Reason'),
  },
  'the reason of a cancellation': {
    path: '/p/small',
    open: press('Cancel plan…'),
    box: (page) => page.getByLabel('Reason (optional)'),
  },
  'an instruction': {
    path: '/workers/w-small-2-1',
    open: press('Instruct…'),
    box: (page) => page.getByLabel('Message'),
  },
  'the reason of a kill': {
    path: '/workers/w-small-2-1',
    open: press('Kill…'),
    box: (page) => page.getByLabel('Reason (optional)'),
  },
  'a request': { path: '/start', box: (page) => page.getByLabel('What should be done?') },
  'a field of the interview': {
    path: '/interview/1.1',
    box: (page) => page.getByLabel(/^What must be true/),
  },
}

test('what is half typed in any box stays when the daemon is killed and started again, and over a reload', async () => {
  const { context } = person
  const { origin } = new URL(person.page.url())
  const tabs = []
  for (const [name, { path, open, box }] of Object.entries(BOXES)) {
    const page = await context.newPage()
    const complaints = new Complaints(page)
    await page.goto(`${origin}${path}?repo=${encodeURIComponent(lab.repo)}`)
    await open?.(page)
    await box(page).fill(`half ${name}`)
    tabs.push({ name, page, open, box, complaints })
  }
  endProcessesOf(lab.home)
  for (const { page, box } of tabs) {
    await page.getByText(/^Not live since /).waitFor()
    await box(page).press('End')
    await box(page).pressSequentially(' typed')
  }
  await linkOf(lab)
  for (const { name, page, open, box, complaints } of tabs) {
    await page.getByText(/^Not live since /).waitFor({ state: 'detached' })
    expect(await box(page).inputValue(), name).toBe(`half ${name} typed`)
    await page.reload()
    if (name !== 'an answer') await open?.(page)
    await box(page).waitFor()
    expect(await box(page).inputValue(), `${name}, after a reload`).toBe(`half ${name} typed`)
    expect(complaints.all, name).toEqual([])
    await page.close()
  }
})
