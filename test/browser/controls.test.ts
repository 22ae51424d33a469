/** Controls that decide nothing, or once: each click is followed by what a person then sees, or what is on record. */
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { expectAccessible, expectCopies, middleOf, signedIn, type SignedIn } from './browser.ts'
import { controlsProject } from './controls-project.ts'

let lab: Lab
let person: SignedIn
let page: Page

beforeAll(async () => {
  lab = controlsProject()
  const extra = await lab.deliver('extra.yaml')
  expect(
    extra.last.inbox.map(({ kind }) => kind),
    extra.stderr,
  ).toEqual(['approval'])
  await lab.bosun('answer', extra.last.inbox[0]?.id ?? '', 'approve')
  const values = await lab.deliver('plan.yaml')
  expect(
    values.last.inbox.map(({ kind }) => kind),
    values.stderr,
  ).toEqual(['approval', 'approval'])
  person = await signedIn(lab)
  ;({ page } = person)
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write'])
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

const go = (path: string) => page.goto(new URL(path, page.url()).href)
const decided = () => lab.activity().filter(({ event }) => event.endsWith('_answered'))
const radio = (name: string | RegExp) => page.getByRole('radio', { name })

test('a diff is shown in one column or in two, and a file that is chosen comes into view', async () => {
  await go('/p/values/t/1')
  const lines = page.getByRole('region', { name: 'Changed lines' })
  const [before, after] = [lines.getByText('the old first line'), lines.getByText('the new first line')]
  await before.waitFor()
  const placed = async (): Promise<string> => {
    const [was, is] = [await middleOf(before), await middleOf(after)]
    return Math.abs(was.y - is.y) < 4 && was.x < is.x ? 'beside' : was.y < is.y ? 'below' : 'elsewhere'
  }
  await expect.poll(placed).toBe('below')
  await radio('Split').click()
  await expect.poll(placed).toBe('beside')
  await page.reload()
  await before.waitFor()
  await expect.poll(placed).toBe('beside')
  await radio('Unified').click()
  await expect.poll(placed).toBe('below')

  const seen = async (text: string): Promise<boolean> => {
    const [box, place] = [await lines.boundingBox(), lines.getByText(text)]
    if (box === null || (await place.count()) === 0) return false
    const { y } = await middleOf(place.first())
    return y > box.y && y < box.y + box.height
  }
  expect(await seen('test -e src/m1/value')).toBe(false)
  const files = page.getByLabel('Go to a file')
  await files.selectOption({ label: 'test/m1.t' })
  await expect.poll(() => seen('test -e src/m1/value')).toBe(true)
  await files.selectOption({ label: 'src/m1/list' })
  await expect.poll(() => seen('the old first line')).toBe(true)
})

test('filters of a plan leave the tasks that they name in every view, and the graph is drawn larger and smaller', async () => {
  await go('/p/values?view=list')
  const row = (title: string) => page.getByRole('main').getByRole('link', { name: new RegExp(title) })
  await row('Add the third value').waitFor()
  await page.getByLabel('Stage').selectOption({ label: 'Waiting' })
  await row('Change the list').waitFor({ state: 'detached' })
  expect(await row('Add the third value').count()).toBe(1)
  await page.reload()
  await row('Add the third value').waitFor()
  expect(await row('Change the list').count()).toBe(0)
  await page.getByLabel('Stage').selectOption('')
  await page.getByLabel('Tier').selectOption('critical')
  await row('Add the third value').waitFor({ state: 'detached' })
  await row('Change the list').waitFor()

  await radio('Graph').click()
  const beside = page.getByRole('navigation', { name: 'Tasks of the graph' })
  await beside.getByRole('button', { name: 'Change the list' }).waitFor()
  expect(await beside.getByRole('button').count()).toBe(1)
  const node = (id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)
  const opacity = (id: string) =>
    page.evaluate<string>(
      `getComputedStyle(document.querySelector('.react-flow__node[data-id="${id}"] a')).opacity`,
    )
  await expect.poll(() => opacity('2')).toBe('0.35')
  expect(await opacity('1')).toBe('1')
  const scale = async (): Promise<number> =>
    Number(
      /scale\(([\d.]+)\)/.exec(
        (await page.locator('.react-flow__viewport').getAttribute('style')) ?? '',
      )?.[1],
    )
  await node('1').getByText('Change the list').waitFor()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await expect.poll(scale).toBeGreaterThan(1.1)
  // From afar only the id can be read.
  for (const most of [1.1, 0.9, 0.75, 0.6]) {
    await page.getByRole('button', { name: 'Zoom out' }).click()
    await expect.poll(scale).toBeLessThan(most)
  }
  await node('1').getByText('Change the list').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Active work' }).click()
  await expect.poll(scale).toBe(1)
  await node('1').getByText('Change the list').waitFor()

  await radio('Timeline').click()
  await row('Add the second value').waitFor({ state: 'detached' })
  await row('Change the list').first().click()
  await page.waitForURL(/\/p\/values\/t\/1/)
})

test('metrics and activity are of the time and the plan that are chosen', async () => {
  await go('/metrics')
  const completed = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Tasks completed' }) })
  await completed.getByText('As a table').click()
  const table = page.getByRole('region', { name: 'Tasks completed as a table' })
  for (const [range, unit, least] of [
    ['24h', 'Hour', 24],
    ['30 days', 'Day', 30],
    ['90 days', 'Day', 90],
    ['7 days', 'Day', 7],
  ] as const) {
    await radio(range).click()
    await page.getByRole('radio', { name: range, checked: true }).waitFor()
    await table.getByRole('columnheader', { name: unit }).waitFor()
    // The first hour or day is there too, though not all of it.
    await expect
      .poll(async () => (await table.getByRole('row').count()) - 1 - least)
      .toSatisfy((more: number) => more === 0 || more === 1)
  }
  await page.getByLabel('Plan').selectOption('extra')
  await expect.poll(() => new URL(page.url()).searchParams.get('plan')).toBe('extra')
  await completed.getByText('1', { exact: true }).first().waitFor()
  await page.getByLabel('Plan').selectOption('values')
  await completed.getByText('No data in this period.').waitFor()

  await go('/activity')
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'values' }).first().waitFor()
  await page.getByLabel('Plan').selectOption('extra')
  await main.getByRole('link', { name: 'values' }).first().waitFor({ state: 'detached' })
  await main
    .getByText(/^Committed/)
    .first()
    .waitFor()
  await radio('Everything').click()
  await main.getByText('Dispatched w-').first().waitFor()
  await radio('Outcomes').click()
  await main.getByText('Dispatched w-').first().waitFor({ state: 'detached' })
})

test('what copies itself is in the clipboard afterwards, whole', async () => {
  await go('/p/values/t/1')
  await expectCopies(page.getByTitle('Copy the place').first(), 'src/m1/value:1')
  await page.locator('summary').filter({ hasText: 'Unit tests' }).click()
  await expectCopies(page.getByTitle('Copy the command').locator('visible=true').first(), 'sh suite.sh')
  await go('/p/extra/release')
  await page.getByText('It waits for your signature').waitFor()
  await expectCopies(page.getByRole('banner').getByTitle(/^Copy the branch/), 'feat/extra/working')
  const sha = lab.git('rev-parse', 'feat/extra/working')
  await expectCopies(page.getByTestId('release-state').getByTitle('Copy the commit'), sha)
  await expectCopies(
    page.getByRole('button', { name: /^git switch/ }),
    'git switch main && git merge --no-ff feat/extra/working',
  )
  await go('/activity')
  await expectCopies(
    page.getByTitle('Copy the commit').first(),
    (await page.getByTitle('Copy the commit').first().innerText()).trim(),
  )
  await go('/metrics')
  await expectCopies(page.getByTitle(/^Copy http/), new URL('/metrics', page.url()).href)
  await go('/crew')
  await expectCopies(page.getByTitle('Copy bosun crew'), 'bosun crew')
  await go('/settings')
  await expectCopies(page.getByRole('button', { name: lab.home }), lab.home)
  await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('denied'))")
  await page.getByRole('button', { name: lab.home }).click()
  await page.getByText('Could not copy it').waitFor()
})

test('a release opens what is folded, with what it is about', async () => {
  await go('/p/extra/release')
  for (const [title, text] of [
    ['Breaking changes', 'None.'],
    ['Migration', 'None.'],
    ['Rollback', /git revert/],
    ['Manifest', /^plan_id: extra/],
  ] as const) {
    const heading = page.getByRole('heading', { name: title, exact: true })
    const summary = page.locator('summary').filter({ has: heading })
    const inside = page.locator('details').filter({ has: summary }).getByText(text).first()
    await summary.click()
    await inside.waitFor()
    await summary.click()
    await inside.waitFor({ state: 'hidden' })
  }
  const idle = page.locator('summary').filter({ hasText: /not apply/ })
  await idle.click()
  await page.locator('details').filter({ has: idle }).getByText('did not apply').first().waitFor()
})

test('settings of this browser hold from then on, and all settings can be listed', async () => {
  await go('/settings')
  const theme = () => page.evaluate<string | null>("document.documentElement.getAttribute('data-theme')")
  await radio('Dark').click()
  await expect.poll(theme).toBe('dark')
  await radio('Light').click()
  await expect.poll(theme).toBe('light')
  await radio('Light').press('ArrowRight')
  await expect.poll(theme).toBe('dark')
  await page.keyboard.press('ArrowRight')
  await expect.poll(theme).toBeNull()
  await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('System')
  await page.getByLabel('Your decisions are recorded under it').fill('Ann Lee')
  await radio(/^All \(/).click()
  await page.getByRole('cell', { name: 'scheduling.parallel_tiers' }).waitFor()
  const rows = page.getByRole('region', { name: 'Settings in effect' }).getByRole('row')
  const all = await rows.count()
  await radio(/^Set or detected/).click()
  await expect.poll(() => rows.count()).toBeLessThan(all)
  await page.reload()
  expect(await page.getByLabel('Your decisions are recorded under it').inputValue()).toBe('Ann Lee')
})

test('an example fills the box, and files that are added are the request, but none that is no text', async () => {
  await go('/start')
  const box = page.getByLabel('What should be done?')
  for (const example of ['Fix the typo in the README', 'Add a dark mode toggle to the settings page']) {
    await page.getByRole('button', { name: example }).click()
    await expect.poll(() => box.inputValue()).toBe(example)
    // Examples are for an empty box.
    await page.getByRole('button', { name: example }).waitFor({ state: 'detached' })
    await box.fill('')
  }
  const add = async (name: string, bytes: Uint8Array): Promise<void> => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Add files' }).click()
    await (await chooser).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(bytes) })
  }
  const files = page.getByRole('list', { name: 'Files' })
  await add('picture.png', Uint8Array.from([0x89, 0x50, 0, 0xff]))
  await page.getByRole('alert').getByText('picture.png is not a text file').waitFor()
  expect(await files.count()).toBe(0)
  await add('wish.md', Buffer.from('Fix the typo in the README'))
  await files.getByText('wish.md').waitFor()
  await files.getByText('26 characters').waitFor()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/^Understood from/).waitFor()
  await expectAccessible(page, 'Understood from')
  await files.getByRole('button', { name: 'Remove wish.md' }).click()
  await files.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
})

test('a plan is paused from the page of a task only with a name, and name and reason are on record', async () => {
  await go('/p/values/t/3')
  await page.getByRole('button', { name: 'Pause the plan…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Pause values?' })
  await dialog.getByLabel('Reason').fill('we look at the list first')
  await dialog.getByLabel('Your name').fill('')
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  await dialog.getByText('Recorded with the pause.').waitFor()
  expect(lab.activity().some(({ event }) => event === 'plan_paused')).toBe(false)
  await expectAccessible(page, 'Recorded with the pause.')
  await dialog.getByLabel('Your name').fill('Ann Lee')
  await dialog.getByRole('button', { name: 'Pause', exact: true }).click()
  const banner = page.getByRole('banner')
  await banner.getByRole('button', { name: 'Resume' }).waitFor()
  const pause = page.getByRole('button', { name: 'Pause the plan…' })
  await pause.waitFor({ state: 'detached' })
  expect(lab.activity().find(({ event }) => event === 'plan_paused')?.data).toMatchObject({
    by: 'Ann Lee',
    reason: 'we look at the list first',
  })
  await banner.getByRole('button', { name: 'Resume' }).click()
  await banner.getByRole('button', { name: 'Pause' }).waitFor()
  await pause.waitFor()
})

test('the palette leads to the item that is chosen, again after it was closed, and a card leads to its diff', async () => {
  await go('/crew')
  const item = page.locator('[data-need]').filter({ hasText: 'Add the second value' })
  const choose = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Search and commands' }).click()
    const option = page.getByRole('option', { name: /^Approve Add the second value/ })
    await option.first().click()
    await item.getByRole('article').waitFor()
    expect(await page.getByRole('article').count()).toBe(1)
  }
  await choose()
  await item.getByRole('button', { name: 'Close' }).click()
  await item.getByRole('article').waitFor({ state: 'detached' })
  await choose()
  await item.getByRole('link', { name: 'Open the task and its diff' }).click()
  await page.waitForURL(/\/p\/values\/t\/2/)
  await page.getByRole('region', { name: 'Changed lines' }).waitFor()
  await go('/')
  await page.getByRole('link', { name: 'All workers' }).click()
  await page.getByRole('link', { name: 'Start something' }).click()
  await page.getByRole('heading', { level: 1, name: 'What should be done?' }).waitFor()
})

test('keys select tasks on board and list and choose options of a task; none of them, nor Enter, decides', async () => {
  const before = decided().length
  const selected = page.locator('main a[aria-current=true]')
  for (const [view, name] of [
    ['board', 'Board'],
    ['list', 'List of tasks'],
  ] as const) {
    await go(`/p/values?view=${view}`)
    await page.getByRole('region', { name }).getByRole('link').nth(2).waitFor()
    await page.keyboard.press('j')
    await selected.getByText('Change the list').waitFor()
    await page.keyboard.press('j')
    await selected.getByText('Add the second value').waitFor()
    await page.keyboard.press('l')
    await selected.getByText('Add the third value').waitFor()
    await page.keyboard.press('h')
    await page.keyboard.press('k')
    await selected.getByText('Change the list').waitFor()
    await page.keyboard.press('Escape')
    await selected.waitFor({ state: 'detached' })
  }
  // A person who does not want them turns them off, and finds them again in the palette.
  const help = page.getByRole('dialog', { name: 'Keys' })
  await page.keyboard.press('?')
  await help.getByText('Next task').waitFor()
  await help.getByRole('button', { name: 'Turn single keys off' }).click()
  await help.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Keys' }).click()
  expect(await selected.count()).toBe(0)
  await help.getByRole('button', { name: 'Turn single keys on' }).click()
  await help.getByRole('button', { name: 'Close' }).click()
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/p\/values\/t\/1/)

  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByRole('button', { name: /^Approve/ }).waitFor()
  await page.keyboard.press('2')
  const change = decision.getByLabel('What should change')
  await change.fill('rename the list')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('1')
  await decision.getByLabel('Note (optional)').waitFor()
  for (const button of await decision.getByRole('button', { name: /^Approve/ }).all()) {
    await button.focus()
    await page.keyboard.press('Enter')
  }
  await decision.getByRole('button', { name: 'Not now' }).click()
  await decision.getByLabel('Note (optional)').waitFor({ state: 'detached' })
  expect(decided()).toHaveLength(before)
})

/** Opens the dialog and fills it; the last click is left. */
async function fillSignOff(tab: Page, name: string): Promise<Locator> {
  await tab.getByRole('button', { name: 'Sign off…' }).click()
  const dialog = tab.getByRole('dialog')
  await dialog.getByLabel('Your name').fill(name)
  await dialog.getByLabel('Type extra to confirm').fill('extra')
  return dialog.getByRole('button', { name: 'Sign off' })
}

test('a signature that another person gave first is named to the second, and counts alone', async () => {
  const bea = await signedIn(lab, '/p/extra/release')
  // Hers is on its way when Ann's is taken.
  await bea.page.route('**/api/plans/extra/sign', async (route) => {
    await go('/p/extra/release')
    await (await fillSignOff(page, 'Ann Lee')).click()
    await page.getByText('Signed off. Merge it when you are ready.').waitFor()
    await route.continue()
  })
  await (await fillSignOff(bea.page, 'Bea')).click()
  const notice = bea.page.getByRole('status').filter({ hasText: 'Ann Lee signed it off before you.' })
  await notice.waitFor()
  await bea.page.getByTestId('release-state').getByText('Ann Lee').waitFor()
  await expectAccessible(bea.page, 'Your signature was not recorded')
  await notice.getByRole('button', { name: 'Dismiss' }).click()
  await notice.waitFor({ state: 'detached' })
  const signatures = decided().filter(({ event }) => event === 'release_answered')
  expect(signatures.map(({ data }) => data['by'])).toEqual(['Ann Lee'])
  expect(bea.complaints.all).toEqual([])
  await bea.context.close()
})
