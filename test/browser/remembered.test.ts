/** Permissions that are remembered, seen and revoked in the settings, and news on a page that a person reads. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linesOf, type Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { expectAccessible, signedIn, type SignedIn } from './browser.ts'

const AGENT = join(import.meta.dirname, '../fixtures/agents/steered-acp-agent.mjs')
const CURL = 'curl https://example.org/packages'

let lab: Lab
let person: SignedIn

const steps = (): string => join(lab.folder, 'steps')

beforeAll(async () => {
  lab = smallProject({ agent: 'work; report' })
  mkdirSync(steps())
  const command = JSON.stringify([process.execPath, AGENT, steps(), 'sh', 'tools/agent.sh', lab.repo])
  lab.write({
    'bosun.yaml': `agents: { crew: { protocol: acp, command: ${command} } }\nbrain: { provider: none }\n`,
  })
  lab.spawn('run', 'plan.yaml', '--no-input', '--json')
  person = await signedIn(lab)
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

const go = (path: string) => person.page.goto(new URL(path, person.page.url()).href)
const log = () => linesOf(join(steps(), '1.log')).map((line) => JSON.parse(line) as { answer?: string })
const answers = () => log().flatMap(({ answer }) => (answer === undefined ? [] : [answer]))
const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 60_000, interval: 50 })

/** The agent asks for the permission. */
function ask(): void {
  const file = join(steps(), '1.next')
  writeFileSync(`${file}.draft`, JSON.stringify({ ask: CURL }))
  renameSync(`${file}.draft`, file)
}

test('a permission that holds for the plan is listed in the settings, and once revoked it is asked for again', async () => {
  const { page } = person
  await eventually(() => log().length).toBe(1)
  ask()
  await page
    .getByRole('radiogroup', { name: 'Allow for' })
    .getByRole('radio', { name: 'The whole plan' })
    .click()
  await page
    .getByRole('article')
    .getByRole('button', { name: /^Allow/ })
    .click()
  await eventually(answers).toEqual(['yes'])
  ask()
  await eventually(answers).toEqual(['yes', 'yes'])

  await go('/settings')
  const remembered = page.locator('section').filter({
    has: page.getByRole('heading', { name: 'Remembered permissions' }),
  })
  await remembered.getByText(CURL).waitFor()
  await expectAccessible(page, CURL)
  const revoke = remembered.getByRole('button', { name: /^Revoke/ })
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await remembered.getByText(CURL).waitFor()
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
  await remembered.getByText(/^None\. A permission/).waitFor()
  expect(lab.activity().map(({ event }) => event)).toContain('permission_revoked')

  ask()
  await go('/')
  await page.getByRole('article').getByRole('button', { name: /^Deny/ }).click()
  await eventually(answers).toEqual(['yes', 'yes', 'no'])
})

test('activity that happens under the eyes of a reader moves nothing: it is counted, and shown when they ask', async () => {
  const { page } = person
  await go('/activity?show=all')
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.first().waitFor()
  const pill = page.getByRole('button', { name: /^\d+ new$/ })
  expect(await pill.count()).toBe(0)
  const before = await rows.allInnerTexts()
  const place = await rows.first().boundingBox()
  ask()
  await pill.waitFor()
  expect(await rows.first().boundingBox()).toEqual(place)
  // Times grow old; what happened stays where it was.
  expect((await rows.allInnerTexts()).map(firstLine)).toEqual(before.map(firstLine))
  await pill.click()
  await pill.waitFor({ state: 'detached' })
  await eventually(async () => (await rows.allInnerTexts()).length).toBeGreaterThan(before.length)
})

test('keys go through the lines of the activity, and Enter opens what a line is about', async () => {
  const { page } = person
  await go('/activity?show=all')
  const rows = page
    .getByRole('main')
    .getByRole('listitem')
    .filter({ has: page.locator('a[href^="/p/"]') })
  await rows.nth(2).waitFor()
  const focused = (at: number) => rows.nth(at).locator('a:focus')
  await page.keyboard.press('j')
  await focused(0).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await focused(2).waitFor()
  await page.keyboard.press('k')
  await focused(1).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/p\/small/)
})

const firstLine = (text: string): string => text.split('\n')[0] ?? ''
