/** From a sentence to a plan, and from a spec to an edit of it, by clicking in a real browser. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daemonAt, type Daemon } from '../../src/client/daemon.ts'
import type { DaemonFacts } from '../../src/protocol/answers.ts'
import { Lab } from '../delivery/lab.ts'
import { GREETING_SPEC } from '../interview/greeting-spec.ts'
import { DESKTOP, expectAccessible, look, expectNothingCovered, PHONE, shoot, signedIn } from './browser.ts'

let lab: Lab

beforeAll(() => {
  lab = new Lab({
    'README.md': '# Shop\n',
    'package.json': '{"name":"shop","type":"module","scripts":{"test":"node --test"}}',
    'src/settings.js': 'export const settings = {}\n',
    'test/settings.test.js': "import { test } from 'node:test'\ntest('settings', () => {})\n",
    'bosun.yaml':
      'agents: { crew: { protocol: command, command: [sleep, "600"] } }\nroles: { developer: crew, fixer: crew, reviewer: crew }\n',
  })
})
afterAll(() => lab.dispose())

/** The daemon, as another door to the same interview. */
function daemon(): Daemon {
  const facts = JSON.parse(readFileSync(join(lab.home, 'daemon.json'), 'utf8')) as DaemonFacts
  const token = readFileSync(join(lab.home, 'token'), 'utf8').trim()
  return daemonAt({ facts, token }, () => Promise.reject(new Error('the daemon is gone')))
}

async function fillElsewhere(answers: Readonly<Record<string, string>>): Promise<void> {
  const { session_id } = await daemon().get('/api/pm/status', { repo: lab.repo })
  await daemon().post('/api/pm/chat', { repo: lab.repo, session_id: session_id ?? '', message: '', answers })
}

const SENTENCE = 'Let users upload a picture and see it in their profile and in comments'

test('a sentence is understood, corrected, asked about, previewed, submitted and planned', async () => {
  const { page, context, complaints } = await signedIn(lab, '/start')
  const box = page.getByLabel('What should be done?')
  await page.getByText('For example').first().waitFor()

  // What was typed stays over a reload; a folder that is not there is named with the remedy.
  await box.fill(SENTENCE)
  await page.getByLabel('Folder of the repository').fill(join(lab.folder, 'elsewhere'))
  await page.reload()
  expect(await box.inputValue()).toBe(SENTENCE)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('no folder').waitFor()
  await page.getByLabel('Folder of the repository').fill(lab.repo)

  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText('Understood from a sentence').waitFor()
  // Nobody judges it: nothing is chosen, and nothing can be started.
  await page.getByText('not judged: no model').waitFor()
  expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()).toBe(true)
  await page.getByRole('radio', { name: /^Feature/ }).click()
  await page.getByRole('radio', { name: /^Feature/, checked: true }).waitFor()
  await page.getByRole('radio', { name: /^Medium/ }).click()
  await page.getByRole('radio', { name: /^Light/, checked: true }).waitFor()
  await page.getByText('Because').first().waitFor()
  await page.getByRole('radio', { name: /^Small/ }).click()
  await page.getByRole('radio', { name: /^Direct/, checked: true }).waitFor()
  await page.getByText('It starts at once').waitFor()
  await page.getByLabel(/^What must be true/).fill('A picture is shown\nIt is kept')
  await page.getByRole('button', { name: 'Take these criteria' }).click()
  await page.getByRole('listitem').filter({ hasText: 'It is kept' }).waitFor()
  await page.getByRole('radio', { name: /^Medium/ }).click()
  await page.getByRole('button', { name: 'Begin the interview' }).click()

  // What is typed into a field is kept; sending it opens the preview by itself.
  await page.waitForURL(/\/interview\//)
  const done = page.getByLabel(/^What must be true/)
  await done.fill('A profile shows the picture')
  await page.getByRole('complementary', { name: 'Spec so far' }).getByText('Vision').waitFor()
  await page.getByText('For whom is it?').first().waitFor()
  await page.reload()
  await done.waitFor()
  expect(await done.inputValue()).toBe('A profile shows the picture')
  await page.getByRole('button', { name: /^Send/ }).click()
  const change = page.getByLabel('What should change?')
  await change.fill('half a sentence')
  expect(await page.getByRole('button', { name: 'Submit for Development' }).isDisabled()).toBe(true)
  await change.fill('')
  await look(page, 'interview-preview', 'Acceptance Criteria')
  await page.getByRole('radio', { name: 'Raw' }).click()
  await page.getByText('### R-001:').waitFor()

  // A notice covers neither of the two buttons, nor anything else that can be clicked.
  const error = { code: 'failed', message: 'the database is locked', remedy: 'Run: bosun doctor' }
  await page.route('**/api/pm/preview/action', (route) =>
    route.fulfill({ status: 422, json: { schema: 'bosun.error/v1', error } }),
  )
  for (const size of [DESKTOP, PHONE]) {
    await page.setViewportSize(size)
    await expectNothingCovered(page, async () => {
      await page.getByRole('button', { name: 'Submit for Development' }).click()
      await page.getByText('The database is locked').last().waitFor()
    })
  }
  await page.setViewportSize(DESKTOP)
  await page.unroute('**/api/pm/preview/action')

  // Another draft than the one that was read is not submitted.
  const { spec_sha } = await daemon().get('/api/pm/status', { repo: lab.repo })
  await daemon().post('/api/pm/preview/action', {
    repo: lab.repo,
    action: 'continue_interview',
    spec_sha: spec_sha ?? '',
  })
  await fillElsewhere({ done: 'A profile shows the picture\nIt also works for videos' })
  await page.getByText('There is a newer draft').waitFor()
  await page.getByRole('button', { name: 'Submit for Development' }).click()
  await page.getByText('The spec changed since you read it').waitFor()
  await page
    .getByText(/videos/)
    .first()
    .waitFor()
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(response.url())
  })
  await page.getByRole('button', { name: 'Submit for Development' }).click()

  // The page goes on to the plan by itself; going back, the interview leads there too.
  await page.waitForURL(/\/p\/let-users-upload/)
  await page.getByRole('region', { name: 'Board' }).getByRole('link', { name: /S-001/ }).first().waitFor()
  expect(missing).toEqual([])
  await page.goBack()
  await look(page, 'interview-approved', 'Open the plan')
  await page.getByRole('link', { name: 'Open the plan' }).click()
  await page.waitForURL(/\/p\/let-users-upload/)
  await page.getByRole('region', { name: 'Board' }).getByRole('link', { name: /S-001/ }).first().waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a dropped spec has its problems listed, and a changed one shows what it does to its plan', async () => {
  const { page, context, complaints } = await signedIn(
    lab,
    `/interview/9.9?repo=${encodeURIComponent(lab.repo)}`,
  )
  await page.getByText('This interview has ended').waitFor()
  const file = (text: string) => ({ name: 'spec.md', mimeType: 'text/markdown', buffer: Buffer.from(text) })
  const chooser = page.getByLabel('Spec to upload')
  await chooser.setInputFiles(file('# Feature: Nothing\n\nno requirements\n'))
  await page
    .getByRole('alert')
    .getByText(/^line \d+/)
    .first()
    .waitFor()
  await expectAccessible(page, 'line')
  await shoot(page, 'spec-problems-light')

  await chooser.setInputFiles(file(GREETING_SPEC))
  await page.getByRole('button', { name: 'Submit for Development' }).click()
  await page.waitForURL(/\/p\/greeting-by-name/)
  await page.goBack()

  await chooser.setInputFiles(file(GREETING_SPEC.replace("'hello Ann'", "'good day, Ann'")))
  const changes = page.getByRole('region', { name: 'Submitting it changes plan greeting-by-name' })
  await changes.getByText('changed: acceptance criteria').waitFor()
  expect(await changes.innerText()).toContain('1 task replaced or removed: S-001.1 (R-001)')
  await look(page, 'interview-changes', 'Submitting it changes plan')
  await page.getByLabel('What should change?').fill('greet in the evening too')
  await page.getByRole('button', { name: 'Continue Interview' }).click()
  await page
    .getByText(/evening/)
    .first()
    .waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})
