/** A person decides in the browser: by clicking, in two browsers, on a phone, through a restart of the daemon. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject, THREE_VALUES, valuesPlan } from '../delivery/small-project.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { aBrowser, approveIn, CUTTABLE, expectAccessible, linkOf, PHONE, shoot, signedIn } from './browser.ts'

let lab: Lab

const PLAN = valuesPlan(THREE_VALUES)

beforeAll(async () => {
  lab = smallProject({
    agent: 'work; report',
    files: { 'plan.yaml': PLAN },
    settings: 'approval: each_task\nscheduling: { parallel_tiers: [low] }\n',
  })
  const { exit, stderr, last } = await lab.deliver()
  expect(exit, stderr).toBe(10)
  expect(last.inbox.map(({ kind }) => kind)).toEqual(['approval', 'approval', 'approval'])
})
afterAll(() => lab.dispose())

const APPROVE = { name: /^Approve/ }

test('a link lets one browser in, once, and leaves no code in the address', async () => {
  const context = await aBrowser()
  const link = await linkOf(lab)
  const page = await context.newPage()
  await page.goto(link)
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
  expect(page.url()).toBe(new URL('/', link).href)
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()

  // Another tab of this browser needs no link; another browser does, and the used one is refused.
  const tab = await context.newPage()
  await tab.goto(new URL('/workers', link).href)
  await tab.getByRole('heading', { level: 1, name: 'Workers' }).waitFor()
  // The link of a notice opens its item.
  await tab.goto(new URL('/?item=A-3', link).href)
  await tab.locator('[data-need$=":A-3"]').getByRole('button', APPROVE).first().waitFor()
  const stranger = await (await aBrowser()).newPage()
  await stranger.goto(link)
  await stranger.getByText('This link was used already or is too old').waitFor()
  await expectAccessible(stranger, 'bosun open')
  await shoot(stranger, 'signed-out-light')
  await context.close()
})

test('the list, its count in the rail and the title say the same, and More on a phone leads to the settings', async () => {
  const { page, context, complaints } = await signedIn(lab)
  const items = page
    .getByRole('list', { name: 'What needs you' })
    .getByRole('listitem')
    .filter({ hasText: 'waits' })
  await items.first().waitFor()
  await expect.poll(() => page.title()).toBe('(3) Needs you · Bosun')
  await page.setViewportSize(PHONE)
  await page.getByRole('navigation').getByRole('button', { name: 'More' }).click()
  await page.getByRole('dialog', { name: 'More' }).getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})

test('the first screen takes at most 200 kB, compressed', async () => {
  const context = await aBrowser()
  const page = await context.newPage()
  const sizes: Promise<readonly [string, number]>[] = []
  page.on('response', (response) => {
    const url = new URL(response.url())
    if (url.pathname.startsWith('/api/')) return
    sizes.push(response.body().then((body) => [url.pathname, gzipSync(body).length] as const))
  })
  await page.goto(await linkOf(lab))
  await page.getByRole('article').waitFor()
  const loaded = new Map(await Promise.all(sizes))
  expect(loaded.size).toBeGreaterThan(3)
  const total = [...loaded.values()].reduce((sum, size) => sum + size, 0)
  expect(total, JSON.stringify([...loaded])).toBeLessThanOrEqual(200 * 1000)
  await context.close()
})

test('keys move, choose and find, and Enter never approves', async () => {
  const { page, context, complaints } = await signedIn(lab)
  const approve = page.getByRole('button', APPROVE).first()
  await approve.waitFor()
  await approve.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('j')
  await page.keyboard.press('2')
  await page.getByLabel('What should change').fill('say it in one word')
  // The words are kept, and the focus is where it was: on the button, before the palette and after it.
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await page.keyboard.press('Escape')
  await page.getByLabel('What should change').waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/^Send back/)
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toMatch(/^Send back/)
  await page.keyboard.press('2')
  expect(await page.getByLabel('What should change').inputValue()).toBe('say it in one word')
  await page.keyboard.press('Control+k')
  await expectAccessible(page, 'Go to')
  await shoot(page, 'palette-light')
  await page.keyboard.type('crew')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Crew' }).waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await page.getByRole('heading', { level: 1, name: 'Needs you' }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keys' }).waitFor()
  await expectAccessible(page, 'Enter opens and never approves.')
  await expect.poll(() => page.title()).toBe('(3) Needs you · Bosun')
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a stream that is cut is resumed, without a SharedWorker too, and shows what happened meanwhile', async () => {
  const context = await aBrowser()
  await context.addInitScript(CUTTABLE)
  const { page, complaints } = await signedIn(lab, '/', context)
  await page.getByText('live', { exact: true }).waitFor()
  await page.evaluate('cutStream()')
  await page.getByText(/^Not live since/).waitFor()
  expect((await lab.bosun('pause', 'values')).exit).toBe(0)
  await page.evaluate('mendStream()')
  await page.getByText('live', { exact: true }).waitFor()
  // The click is answered by the daemon, and only then is the button another.
  await page.getByRole('button', { name: 'Resume' }).click()
  await page.getByRole('button', { name: 'Pause' }).waitFor()
  expect(await page.getByText(/^Not live since/).count()).toBe(0)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a stream that is cut under the page of a task is resumed, and shows what was decided meanwhile', async () => {
  const context = await aBrowser()
  await context.addInitScript(CUTTABLE)
  const { page, complaints } = await signedIn(lab, '/p/values/t/1', context)
  const verdict = page.getByTestId('verdict')
  await verdict.getByText('Waits for your approval').waitFor()
  const approve = page.getByRole('region', { name: 'Decision' }).getByRole('button', APPROVE)
  await approve.waitFor()
  await page.evaluate('cutStream()')
  await page.getByText(/^Not live since/).waitFor()
  await expect.poll(() => approve.isDisabled()).toBe(true)
  const asked = () =>
    lab.activity().filter(({ event, task_id }) => event === 'approval_opened' && task_id === '1')
  expect(asked()).toHaveLength(1)
  expect(
    (await lab.bosun('answer', String(asked()[0]?.data['id']), 'revise', '--feedback', 'once more')).exit,
  ).toBe(0)
  await expect.poll(() => asked().length).toBe(2)
  expect(await page.getByText('attempt 2').count()).toBe(0)
  await page.evaluate('mendStream()')
  await page.getByText('attempt 2').first().waitFor()
  await verdict.getByText('Waits for your approval').waitFor()
  await approve.waitFor()
  expect(await page.getByText(/^Not live since/).count()).toBe(0)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('of two people at the page of a task the second is shown what the first decided, and keeps the draft', async () => {
  const ann = await signedIn(lab, '/p/values/t/1')
  const bea = await signedIn(lab, '/p/values/t/1')
  const decision = bea.page.getByRole('region', { name: 'Decision' })
  await decision.getByRole('button', { name: /^Send back/ }).click()
  await decision.getByLabel('What should change').fill('rename the')
  await ann.page.getByLabel('Your name').fill('Ann Lee')
  await approveIn(ann.page)
  const notice = bea.page.getByRole('status').filter({ hasText: 'was not sent' })
  await notice.getByText(/^Ann Lee answered this .*: Approve$/).waitFor()
  await decision.waitFor({ state: 'detached' })
  // She goes on typing where her draft is now.
  await bea.page.keyboard.type(' value')
  expect(await notice.getByRole('textbox', { name: 'Your draft' }).inputValue()).toBe('rename the value')
  await bea.page
    .getByTestId('verdict')
    .getByText(/^Committed as /)
    .waitFor()
  await expectAccessible(bea.page, 'was not sent')
  await shoot(bea.page, 'task-conflict-light')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  expect([...ann.complaints.all, ...bea.complaints.all]).toEqual([])
  await ann.context.close()
  await bea.context.close()
})

test('of two browsers that answer the same item the second is shown who was first, and keeps its draft', async () => {
  const ann = await signedIn(lab)
  const bea = await signedIn(lab)
  const problem = await bea.page.getByRole('article').getByRole('heading').innerText()
  await bea.page.getByRole('button', { name: /^Send back/ }).click()
  await bea.page.getByLabel('What should change').fill('rename the value')
  // Her answer is on its way when Ann's is taken.
  await bea.page.route('**/api/inbox/*/answer', async (route) => {
    await approveIn(ann.page)
    await ann.page.getByText(problem).waitFor({ state: 'detached' })
    await route.continue()
  })
  await bea.page.keyboard.press('Control+Enter')
  const notice = bea.page.getByRole('status').filter({ hasText: 'was not sent' })
  await notice.waitFor()
  expect(await notice.innerText()).toMatch(/answered this (just now|\d+ (s|min) ago): Approve/)
  const draft = notice.getByRole('textbox', { name: 'Your draft' })
  expect(await draft.inputValue()).toBe('rename the value')
  await bea.page.keyboard.type(', just 1 word')
  expect(await draft.inputValue()).toBe('rename the value, just 1 word')
  // She may be typing still: no other item opens under her fingers.
  expect(await bea.page.getByRole('article').count()).toBe(0)
  await expectAccessible(bea.page, 'was not sent')
  await shoot(bea.page, 'needs-you-conflict-light')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  expect([...ann.complaints.all, ...bea.complaints.all]).toEqual([])
  await ann.context.close()
  await bea.context.close()
})

test('a daemon that is killed and started again under an open page costs no keystroke', async () => {
  const { page, context, complaints } = await signedIn(lab)
  await page
    .getByRole('button', { name: /^Send back/ })
    .first()
    .click()
  const text = page.getByLabel('What should change')
  await text.fill('half a sent')
  endProcessesOf(lab.home)
  await page.getByText(/^Not live since \d\d:\d\d · showing last known · retrying$/).waitFor()
  await text.pressSequentially('ence')
  expect(
    await page
      .getByRole('article')
      .getByRole('button', { name: 'Send back', exact: false })
      .last()
      .isDisabled(),
  ).toBe(true)
  await expectAccessible(page, 'showing last known')
  await shoot(page, 'offline-light')

  await linkOf(lab)
  await page.getByText(/^PM restarted/).waitFor()
  expect(await text.inputValue()).toBe('half a sentence')
  await page.reload()
  await page.getByLabel('What should change').waitFor()
  expect(await page.getByLabel('What should change').inputValue()).toBe('half a sentence')
  await page.keyboard.press('Control+Enter')
  await page.getByText(/^Sent back: task /).waitFor()
  const answers = lab.activity().filter(({ event }) => event === 'approval_answered')
  expect(answers.at(-1)?.data).toMatchObject({ choice: 'revise', feedback: 'half a sentence' })
  expect(complaints.all).toEqual([])
  await context.close()
})
