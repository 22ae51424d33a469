/** A person steers agents that speak the Agent Client Protocol: each click reaches the agent, which writes down what it got. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf, type Lab } from '../delivery/lab.ts'
import { smallProject, valuesPlan } from '../delivery/small-project.ts'
import { aBrowser, expectAccessible, signedIn, type SignedIn } from './browser.ts'

const AGENT = join(import.meta.dirname, '../fixtures/agents/steered-acp-agent.mjs')

let lab: Lab
let home: SignedIn

const PLAN = valuesPlan([{ id: '1' }, { id: '2' }, { id: '3' }])

/** Escape sequences and marks of direction, as they come and as they are shown. */
const HOSTILE = '<img src=x onerror=alert(1)> \u202Egnp.exe \u001B[31mred'
const SHOWN = '<img src=x onerror=alert(1)> ⟨U+202E⟩gnp.exe ␛[31mred'

/** It is not certain of its work, so an agent reviews it. */
const WORK = `work; printf 'second line\\nthird line\\n' >> "src/m$id/value"; report; sed -i s/confident/uncertain/ "$BOSUN_REPORT"`

const REVIEW = JSON.stringify({
  verdict: 'changes_requested',
  summary: 'not yet',
  critical: [],
  major: [{ description: `says ${HOSTILE}`, location: 'src/m1/value:2', how_to_fix: 'say two' }],
  minor: [
    { description: 'could be shorter', location: './src/m1/value:3', how_to_fix: '' },
    { description: 'was like that', location: 'lib/base:1', how_to_fix: '' },
  ],
})

beforeAll(async () => {
  lab = smallProject({ agent: WORK, files: { 'plan.yaml': PLAN } })
  mkdirSync(steps())
  const command = JSON.stringify([process.execPath, AGENT, steps(), 'sh', 'tools/agent.sh', lab.repo])
  lab.write({
    'tools/critic.sh': `while [ ! -e "$1/verdict" ]; do sleep 0.1; done\ncat > "$BOSUN_REPORT" <<'END'\n${REVIEW}\nEND\n`,
    'bosun.yaml': [
      `agents: { crew: { protocol: acp, command: ${command} }, critic: { protocol: command, command: [sh, tools/critic.sh, ${JSON.stringify(steps())}] } }`,
      'roles: { developer: crew, fixer: crew, reviewer: critic }',
      'review: { max_iterations: 0 }',
      'scheduling: { parallel_tiers: [low] }',
      'pm: { max_parallel_agents: 3 }',
      '',
    ].join('\n'),
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  home = await signedIn(lab)
})
afterAll(async () => {
  expect(home.complaints.all).toEqual([])
  await lab.dispose()
})

const steps = (): string => join(lab.folder, 'steps')

/** What an agent does next. */
function next(id: string, step: object): void {
  const file = join(steps(), `${id}.next`)
  writeFileSync(`${file}.draft`, JSON.stringify(step))
  renameSync(`${file}.draft`, file)
}

interface Noted {
  readonly prompt?: string
  readonly asked?: string
  readonly answer?: string
  readonly cancelled?: true
  readonly ended?: true
}

const noted = (id: string): readonly Noted[] =>
  linesOf(join(steps(), `${id}.log`)).map((line) => JSON.parse(line) as Noted)
const answersTo = (id: string): readonly (string | undefined)[] =>
  noted(id).flatMap(({ asked, answer }) => (asked === CURL ? [answer] : []))
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 50 })

const CURL = 'curl https://example.org/packages'
const toast = (page: Page, text: string | RegExp) => page.locator('[data-sonner-toast]').getByText(text)
const reach = (of: 'Allow' | 'Deny') => home.page.getByRole('radiogroup', { name: `${of} for` })
const scope = (of: 'Allow' | 'Deny', name: string) => reach(of).getByRole('radio', { name }).click()
const answer = (name: RegExp) => home.page.getByRole('article').getByRole('button', { name }).click()
const cleared = () => home.page.getByRole('article').waitFor({ state: 'detached' })

/** Keeps the notices that the page shows, and lets the page be hidden. */
const OBSERVED = `
  globalThis.shown = []
  const Real = Notification
  globalThis.Notification = class extends Real {
    constructor(title, options) { super(title, options); shown.push({ title, body: options.body, notice: this }) }
  }
  Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden === true })
`

test('a hidden page notifies of what newly needs a person, once it may, and the notice leads to its item', async () => {
  const context = await aBrowser({ permissions: ['notifications'] })
  await context.addInitScript(OBSERVED)
  const { page, complaints } = await signedIn(lab, '/activity', context)
  await page.goto(new URL('/', page.url()).href)
  await page.getByRole('button', { name: 'Notify me' }).click()
  await page.getByRole('button', { name: 'Notifications on' }).waitFor()
  await page.evaluate('void (isHidden = true)')
  await eventually(() => noted('3').length).toBe(1)
  next('3', { ask: 'curl https://example.org/other' })
  await eventually(() =>
    page.evaluate<string>('shown.map(({ title, body }) => title + ": " + body).join()'),
  ).toMatch(/^Bosun: something needs you: values .*curl https:\/\/example.org\/other/)
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.getByRole('heading', { level: 1, name: 'Activity' }).waitFor()
  await page.evaluate('void shown[0].notice.dispatchEvent(new Event("click"))')
  await page.waitForURL(/\/\?item=.*&plan=values&repo=/)
  // Seen, it is not repeated, and off is off.
  await page.getByRole('article').getByRole('button', { name: /^Deny/ }).click()
  await page.getByRole('article').waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).toBe('Needs you · Bosun')
  await page.getByRole('button', { name: 'Notifications on' }).click()
  next('3', { ask: 'curl https://example.org/third' })
  await page.getByRole('article').getByRole('button', { name: /^Deny/ }).click()
  await page.getByRole('article').waitFor({ state: 'detached' })
  expect(await page.evaluate('shown.length')).toBe(1)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('equal permissions are one item, and one click answers every agent that waits, once', async () => {
  const { page } = home
  await eventually(() => ['1', '2'].map((id) => noted(id).length)).toEqual([1, 1])
  // While one that was answered elsewhere is still shown, nothing opens in its place.
  await expect.poll(() => page.title()).toBe('Needs you · Bosun')
  next('1', { ask: CURL })
  next('2', { ask: CURL })
  await page.getByText('Asked 2 times; your answer answers all of them.').waitFor()
  await expect.poll(() => page.title()).toBe('(1) Needs you · Bosun')
  expect(await reach('Allow').getByRole('radio', { name: 'This once' }).getAttribute('aria-checked')).toBe(
    'true',
  )
  await expectAccessible(page, CURL)
  await answer(/^Allow/)
  await cleared()
  await eventually(() => [answersTo('1'), answersTo('2')]).toEqual([['yes'], ['yes']])
  await expect.poll(() => page.title()).toBe('Needs you · Bosun')
})

test('an answer for the task holds for that task alone, and one for the plan for every other', async () => {
  // Once was once: the same is asked again.
  next('1', { ask: CURL })
  await scope('Allow', 'This task')
  await answer(/^Allow/)
  await eventually(() => answersTo('1')).toEqual(['yes', 'yes'])
  await cleared()
  next('1', { ask: CURL })
  await eventually(() => answersTo('1')).toEqual(['yes', 'yes', 'yes'])

  next('2', { ask: CURL })
  await scope('Deny', 'The whole plan')
  await answer(/^Deny/)
  await eventually(() => answersTo('2')).toEqual(['yes', 'no'])
  await cleared()
  next('3', { ask: CURL })
  await eventually(() => answersTo('3')).toEqual(['no'])
  // What was decided for the task stays.
  next('1', { ask: CURL })
  await eventually(() => answersTo('1')).toEqual(['yes', 'yes', 'yes', 'yes'])
  await expect.poll(() => home.page.title()).toBe('Needs you · Bosun')
  const answered = lab.activity().filter(({ event }) => event === 'permission_answered')
  expect(answered.slice(2).map(({ data }) => [data['choice'], data['scope'] ?? 'once'])).toEqual([
    ['allow', 'once'],
    ['allow', 'once'],
    ['allow', 'task'],
    ['deny', 'plan'],
  ])
})

test('a link that an agent writes is text on the page of its worker', async () => {
  const { page } = await signedIn(lab, '/workers/w-values-1-1', home.context)
  const log = page.getByRole('log', { name: 'Transcript' })
  next('1', { say: 'Read https://evil.example/path and [this](https://evil.example/other)' })
  await log.getByText('https://evil.example/path').waitFor()
  expect(await log.locator('a[href*="evil.example"]').count()).toBe(0)
  expect(await page.locator('[href*="evil.example"], [src*="evil.example"]').count()).toBe(0)

  // What was read stays when the daemon is gone, also for another look at it.
  await page.route('**/api/workers/*/log*', (route) => route.abort())
  await page.getByText('Not live: Bosun does not answer.').waitFor()
  await page.getByRole('tab', { name: 'Journal' }).click()
  await log.waitFor({ state: 'detached' })
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await log.getByText('https://evil.example/path').waitFor()
  await page.close()
})

test('a nudge is queued, a message reaches the agent with its next turn, and an instruction to do it another way at once', async () => {
  const { page, complaints } = await signedIn(lab, '/workers/w-values-1-1', home.context)
  await page.getByRole('button', { name: 'Nudge' }).click()
  await toast(page, /nudge queued for w-values-1-1: delivered with the agent's next prompt/).waitFor()
  await page.getByRole('button', { name: 'Instruct…' }).click()
  await page.getByLabel('Message').fill('Keep it to one line, please.')
  await page.getByLabel('Your name').fill('Ann Lee')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await toast(page, /queued/)
    .nth(1)
    .waitFor()
  expect(noted('1').filter(({ prompt }) => prompt !== undefined)).toHaveLength(1)
  next('1', { end: true })
  await eventually(() => noted('1').findLast(({ prompt }) => prompt !== undefined)?.prompt).toContain(
    'Keep it to one line, please.',
  )
  expect(noted('1').findLast(({ prompt }) => prompt !== undefined)?.prompt).toContain(
    'asks for a sign of life',
  )
  await page.getByRole('tab', { name: 'Journal' }).click()
  // The nudge came along with the message, and is not queued again.
  await page.getByText(/^message 1 delivered into its session$/).waitFor()
  await page
    .getByText(/^(delivered|read) /)
    .nth(1)
    .waitFor()
  await expect.poll(() => page.getByText('not delivered').count()).toBe(0)

  await page.getByRole('button', { name: 'Instruct…' }).click()
  expect(await page.getByLabel('Message').inputValue()).toBe('')
  await page.getByLabel('Kind').selectOption('revise')
  await page.getByLabel('Message').fill('Write it in capitals.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await eventually(() => noted('1').at(-1)?.prompt ?? '').toContain('Write it in capitals.')
  expect(noted('1').at(-2)).toEqual({ cancelled: true })
  await page.getByRole('tab', { name: 'Journal' }).click()
  await page.getByText('Write it in capitals.').first().waitFor()
  expect(complaints.all).toEqual([])
  await page.close()
})

test('time is given in whole minutes up to a day, and nothing is sent of what is beyond', async () => {
  const { page, complaints } = await signedIn(lab, '/workers/w-values-2-1', home.context)
  const sent: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/extend')) sent.push(request.postData() ?? '')
  })
  await page.getByRole('button', { name: 'Extend…' }).click()
  const dialog = page.getByRole('dialog')
  for (const minutes of ['1441', '0', '2.5', 'an hour', '']) {
    await dialog.getByLabel('Minutes').fill(minutes)
    await dialog.getByText('A whole number from 1 to 1440.').waitFor()
    await dialog.getByRole('button', { name: 'Extend', exact: true }).click({ force: true })
  }
  await expectAccessible(page, 'A whole number from 1 to 1440.')
  expect(sent).toEqual([])
  await dialog.getByLabel('Minutes').fill('1440')
  await dialog.getByRole('button', { name: 'Extend by 1440m' }).click()
  await toast(page, /^w-values-2-1 has .* more$/).waitFor()
  expect(sent).toHaveLength(1)
  await page.getByText('its time limit was extended by', { exact: false }).first().waitFor()
  const granted = lab.activity().filter(({ worker_id }) => worker_id === 'w-values-2-1')
  expect(JSON.stringify(granted)).toContain('1440')
  expect(complaints.all).toEqual([])
  await page.close()
})

test('the command of Take over stops the agent, and the page says who works in its place', async () => {
  const { page, complaints } = await signedIn(lab, '/workers/w-values-2-1', home.context)
  await page.getByRole('button', { name: 'Take over…' }).click()
  const line = await page
    .getByRole('dialog')
    .getByText(/^bosun worker open/)
    .innerText()
  await page.keyboard.press('Escape')
  const [, ...words] = line.trim().split(' ')
  const { exit, stdout, stderr } = await lab.bosun(...words, '--print')
  expect(exit, stderr).toBe(0)
  expect(stdout).toMatch(/^cd /)
  await page.getByText(/works in its place\./).waitFor()
  expect(noted('2').at(-1)).toEqual({ ended: true })
  await expectAccessible(page, 'works in its place')
  expect(complaints.all).toEqual([])
  await page.close()
})

test('an agent is killed only when that is confirmed', async () => {
  const { page, complaints } = await signedIn(lab, '/workers/w-values-3-1', home.context)
  await page.getByRole('button', { name: 'Kill…' }).click()
  await page.keyboard.press('Escape')
  expect(noted('3').at(-1)).not.toEqual({ ended: true })
  await page.getByRole('button', { name: 'Kill…' }).click()
  await page.getByLabel('Reason (optional)').fill('it asks too much')
  await page.getByRole('dialog').getByRole('button', { name: 'Kill w-values-3-1' }).click()
  const end = page.getByRole('region', { name: 'How it ended' })
  await end.getByText('Killed by Ann Lee').waitFor()
  await eventually(() => noted('3').some(({ ended }) => ended === true)).toBe(true)
  const condemned = lab.activity().filter(({ event }) => event === 'worker_condemned')
  expect(JSON.stringify(condemned.at(-1))).toContain('it asks too much')
  expect(complaints.all).toEqual([])
  await page.close()
})

const said = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const toolCall = (update: object) => ({ toolCallId: 'call-1', ...update })

test('a transcript joins what an agent streams, and folds a tool call with its name, its status, and its input and output as text', async () => {
  const { page, complaints } = await signedIn(lab, '/workers/w-values-1-1', home.context)
  const log = page.getByRole('log', { name: 'Transcript' })
  next('1', { updates: [said('Now I read the te')] })
  await log.getByText('Now I read the te', { exact: true }).waitFor()
  const begun = { title: 'Terminal', kind: 'execute', status: 'pending', rawInput: {} }
  next('1', {
    updates: [said(`sts. ${HOSTILE}`), toolCall({ sessionUpdate: 'tool_call', ...begun })],
  })
  await log.getByText(`Now I read the tests. ${SHOWN}`, { exact: true }).waitFor()
  await log.getByRole('button', { name: 'execute Terminal running' }).waitFor()

  const command = 'grep -rn "<script>" test'
  const output = { type: 'content', content: { type: 'text', text: `test/a:1:<script>\n${HOSTILE}` } }
  const named = { status: 'in_progress', title: command, rawInput: { command } }
  next('1', { updates: [toolCall({ sessionUpdate: 'tool_call_update', ...named })] })
  // While it runs its input is there, folded.
  const running = log.getByRole('button', { name: `execute ${command} running` })
  await running.click()
  await expect.poll(() => log.locator('pre').innerText()).toBe(JSON.stringify({ command }))
  await running.click()
  next('1', {
    updates: [toolCall({ sessionUpdate: 'tool_call_update', status: 'completed', content: [output] })],
  })
  const call = log.getByRole('button', { name: `execute ${command} completed` })
  await call.waitFor()
  expect(await call.getAttribute('aria-expanded')).toBe('false')
  expect(await log.locator('pre').count()).toBe(0)
  await call.focus()
  await page.keyboard.press('Enter')
  await log.locator('pre').waitFor()
  expect(await log.locator('pre').innerText()).toBe(
    `${JSON.stringify({ command })}\ntest/a:1:<script>\n${SHOWN}`,
  )
  expect(await log.locator('img, script').count()).toBe(0)
  await expectAccessible(page, 'test/a:1:<script>')
  expect(complaints.all).toEqual([])
  await page.close()
})

test('what a reviewer finds comes to its lines of an open diff, with its severity, and what is elsewhere stands above', async () => {
  next('1', { work: true })
  const { page, complaints } = await signedIn(lab, '/p/values/t/1', home.context)
  const diff = page.getByRole('region', { name: 'Diff', exact: true })
  await diff.getByText('What would land').waitFor()
  await diff.getByText('second line').waitFor()
  writeFileSync(join(steps(), 'verdict'), '')
  await diff.getByText('3 findings', { exact: true }).waitFor()
  const major = diff.getByRole('listitem').filter({ hasText: `major: says ${SHOWN} (fix: say two)` })
  const minor = diff.getByRole('listitem').filter({ hasText: 'minor: could be shorter' })
  await major.getByText('w-values-1-1-review-1').waitFor()
  await major.getByText('must be fixed').waitFor()
  await minor.getByText('a note').waitFor()
  const tops = async (): Promise<readonly number[]> => {
    const shown = [diff.getByText('second line'), major, diff.getByText('third line'), minor]
    const boxes = await Promise.all(shown.map((one) => one.boundingBox()))
    return boxes.map((box) => box?.y ?? Number.NaN)
  }
  // Each right below its line.
  await eventually(tops).toSatisfy((all: readonly number[]) =>
    all.every((top, place) => place === 0 || top > (all[place - 1] ?? Number.NaN)),
  )
  await diff.getByText('1 finding outside the lines of this diff').click()
  await diff.getByText('lib/base:1').waitFor()
  await diff.getByText('minor: was like that').waitFor()
  expect(await diff.locator('img').count()).toBe(0)
  await expectAccessible(page, 'must be fixed')

  // After a rework they are about an attempt that is over: on no line of the new work, whose review is still to come.
  rmSync(join(steps(), 'verdict'))
  const prompts = () => noted('1').filter(({ prompt }) => prompt !== undefined).length
  const before = prompts()
  const decision = page.getByRole('region', { name: 'Decision' })
  await decision.getByRole('button', { name: /^Send back/ }).click()
  await decision.getByRole('textbox').first().fill('say two')
  await decision.getByRole('button', { name: /^Send back Ctrl/ }).click()
  await eventually(prompts).toBeGreaterThan(before)
  next('1', { work: true })
  const earlier = diff.getByText('3 findings on an earlier attempt; the lines may have moved')
  await earlier.waitFor()
  await diff.getByText('What would land').waitFor()
  await diff.getByText('second line').first().waitFor()
  expect(await diff.getByText('must be fixed').count()).toBe(0)
  await earlier.click()
  await diff.getByText('on an earlier attempt', { exact: true }).first().waitFor()
  await expectAccessible(page, 'on an earlier attempt')
  expect(complaints.all).toEqual([])
  await page.close()
})
