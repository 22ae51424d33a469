/** The whole way by clicking, with a model on 127.0.0.1 and an agent that edits files; and an interview whose model is down. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startModelServer, type ModelServer } from '../agents/model-server/model-server.ts'
import { always, overloaded, say, type Script } from '../agents/model-server/script.ts'
import { Lab } from '../delivery/lab.ts'
import { GREETING_SPEC } from '../interview/greeting-spec.ts'
import { endProcessesOf } from '../helpers/end-processes.ts'
import { approveIn, expectAccessible, linkOf, shoot, signedIn } from './browser.ts'

/** Writes a file of code and the tests that its brief names; works once it is let go. */
const AGENT = `
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
const { BOSUN_ROLE: role, BOSUN_REPORT: report, BOSUN_TASK_ID: task } = process.env
const brief = readFileSync(0, 'utf8')
const criteria = [...brief.matchAll(/^([0-9]+)\\. /gm)].map(([, number]) => Number(number))
const tell = (data) => writeFileSync(report, JSON.stringify(data))
if (role === 'reviewer') tell({ verdict: 'approved', summary: 'fine', critical: [], major: [], minor: [] })
else {
  console.log('I read the brief.')
  while (!existsSync(process.argv[2])) await delay(50)
  const name = task.toLowerCase().replaceAll('.', '-')
  const file = 'src/' + name + '.js'
  writeFileSync(file, 'export const done = ' + criteria.length + '\\n')
  for (const [, path] of brief.matchAll(/^- Add: \`([^\`]+)\`/gm))
    writeFileSync(path, [
      "import assert from 'node:assert'",
      "import { test } from 'node:test'",
      "import { done } from '../" + file + "'",
      "test('" + task + "', () => assert.equal(done, " + criteria.length + "))",
      '',
    ].join('\\n'))
  tell({
    explanation: 'done',
    criteria: criteria.map((criterion) => ({ criterion, file, line: 1 })),
    review_note: { summary: 'as asked', risks: [], rollback: 'revert' },
  })
}
`

let lab: Lab
let model: ModelServer

const SETTINGS = (): string =>
  `agents: { crew: { protocol: command, command: [node, tools/agent.mjs, ${JSON.stringify(join(lab.folder, 'go'))}] } }
roles: { developer: crew, fixer: crew, reviewer: crew }
brain: { provider: compatible, base_url: "${model.url}/v1", small: m, large: m }
approval: each_task
`

beforeAll(async () => {
  model = await startModelServer(interviewer)
  lab = new Lab({
    'README.md': '# Shop\n',
    'package.json': '{"name":"shop","type":"module","scripts":{"test":"node --test"}}',
    'src/settings.js': 'export const settings = {}\n',
    'test/settings.test.js': "import { test } from 'node:test'\ntest('settings', () => {})\n",
    'tools/agent.mjs': AGENT,
  })
  lab.variables = { OPENAI_COMPATIBLE_API_KEY: 'sk-test' }
  lab.write({ 'bosun.yaml': SETTINGS() })
})
afterAll(async () => {
  await lab.dispose()
  await model.close()
})

const SENTENCE = 'Let users upload a picture and see it in their profile and in comments'
const SPEC = GREETING_SPEC.replace(
  'Visitors are greeted by their name.',
  'Visitors are greeted by their name, as [the guide](https://guide.example/names) says.',
)
const QUESTION = {
  id: 'q1',
  text: 'Who is greeted?',
  options: [
    { key: 'a', label: 'Every visitor', consequence: 'Guests have no name.' },
    { key: 'b', label: 'Members only', consequence: 'Guests see no greeting.' },
  ],
  default: 'a',
}

/** As a model: it asks once, submits a spec when it was answered, and a changed one when that is asked for. */
const interviewer: Script = (request) => {
  const text = JSON.stringify(request)
  // Other questions get no answer of the right form, so nobody judges them.
  if (!text.includes('You are the product manager')) return say('none')
  const answer = (call: object) => say(JSON.stringify({ answer: call }))
  const submit = (markdown: string) => answer({ tool: 'spec_submit', markdown, bootstrap_markdown: null })
  if (text.includes('in the evening too')) return submit(SPEC.replace("'hello Ann'", "'good evening, Ann'"))
  if (text.includes('You have asked something since')) return answer({ tool: 'await_user' })
  if (text.includes('Members only')) return submit(SPEC)
  return answer({ tool: 'chat_post', text: 'One question.', questions: [QUESTION] })
}

async function begin(page: Page, sentence: string): Promise<void> {
  await page.getByLabel('What should be done?').fill(sentence)
  // The first time its folder is typed; afterwards it is the repository that is chosen.
  const folder = page.getByLabel('Folder of the repository')
  await folder
    .or(page.getByLabel('Repository', { exact: true }))
    .first()
    .waitFor()
  if (await folder.isVisible()) await folder.fill(lab.repo)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('radio', { name: /^Feature/ }).click()
  await page.getByRole('radio', { name: /^Feature/, checked: true }).waitFor()
  await page.getByRole('radio', { name: /^Medium/ }).click()
  await page.getByRole('button', { name: 'Begin the interview' }).click()
  await page.waitForURL(/\/interview\//)
}

test('a sentence is asked about, previewed, changed, submitted, planned, built, approved, released and signed, all by clicking', async () => {
  const { page, context, complaints } = await signedIn(lab, '/start')
  await begin(page, SENTENCE)
  await page.getByRole('radio', { name: /Members only/ }).click()
  await page.getByRole('button', { name: /^Send answer/ }).click()

  // The preview opens by itself. A link in it is asked about before it leads anywhere.
  const submit = page.getByRole('button', { name: 'Submit for Development' })
  await submit.waitFor()
  await page.getByRole('button', { name: 'the guide' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open this link?' })
  await dialog.getByText('https://guide.example/names').waitFor()
  await expectAccessible(page, 'Open this link?')
  expect(await dialog.getByRole('link', { name: 'Open in a new tab' }).getAttribute('rel')).toContain(
    'noopener',
  )
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('What should change?').fill('greet in the evening too')
  await page.getByRole('button', { name: 'Continue Interview' }).click()
  await page.getByText('good evening, Ann').first().waitFor()
  await submit.click()
  // An approved spec leads to its plan, which is shown before anything of it starts.
  await page.waitForURL(/\/p\/greeting-by-name/)
  await page
    .getByRole('link', { name: /^Needs you/ })
    .first()
    .click()
  await page.getByRole('button', { name: /^Start/ }).click()
  await page.getByText('Nothing needs you').waitFor()
  await page
    .getByRole('link', { name: /Greeting by name/ })
    .first()
    .click()

  // From the board to the task, to its worker, which is at work, and back.
  await page.getByRole('region', { name: 'Board' }).getByRole('link', { name: /S-001/ }).first().click()
  await page.getByRole('link', { name: /^w-greeting-by-name-/ }).click()
  await page.getByRole('log', { name: 'Transcript' }).getByText('I read the brief.').waitFor()
  writeFileSync(join(lab.folder, 'go'), '')
  await page.getByRole('link', { name: /S-001/ }).first().click()
  await page.getByTestId('verdict').getByText('Waits for your approval').waitFor()
  const unit = page.locator('summary').filter({ hasText: 'Unit tests' })
  await unit.click()
  await page.locator('details').filter({ has: unit }).getByText('exit 0').first().waitFor()
  await approveIn(page)
  await page
    .getByTestId('verdict')
    .getByText(/^Committed as /)
    .waitFor()

  await page.getByRole('main').getByRole('link', { name: 'greeting-by-name' }).first().click()
  await page
    .getByRole('link', { name: /release/i })
    .first()
    .click()
  await page.getByText('It waits for your signature').waitFor()
  // From the requirement over its task and tests to the commit, in one row.
  const traced = page.getByRole('region', { name: 'Requirements' }).getByRole('row').nth(1)
  const commits = lab.git('log', '--format=%H', '--grep=Refs:', 'feat/greeting-by-name/working').split('\n')
  const shown = await traced.innerText()
  expect(shown).toMatch(/R-001[^]*S-001[^]*\d of \d[^]*no tests of its own/)
  expect(commits.some((sha) => shown.includes(sha.slice(0, 10)))).toBe(true)
  const before = lab.git('rev-parse', 'main')
  await page.getByText('git merge --no-ff feat/greeting-by-name/working').waitFor()
  await page.getByRole('button', { name: 'Sign off…' }).click()
  const signing = page.getByRole('dialog')
  await signing.getByLabel('Your name').fill('Ann Lee')
  await signing.getByLabel('Type greeting-by-name to confirm').fill('greeting-by-name')
  await signing.getByRole('button', { name: 'Sign off' }).click()
  await page.getByText('Signed off. Merge it when you are ready.').waitFor()

  // A signature merges nothing.
  expect(lab.git('rev-parse', 'main')).toBe(before)
  expect(await page.getByRole('button', { name: /^merge/i }).count()).toBe(0)
  // The manifest lies in the branch, whole, and the signature is on record.
  const { stdout, exit } = await lab.bosun('release', 'verify', 'greeting-by-name')
  expect(exit, stdout).toBe(0)
  expect(stdout).toMatch(/^ok +digest /m)
  const signed = lab.activity().findLast(({ event }) => event === 'release_answered')
  expect(signed?.data).toMatchObject({ choice: 'sign', by: 'Ann Lee' })
  expect(complaints.all).toEqual([])
  await context.close()
})

test('a dropped spec is previewed; what cannot be planned is refused with its place, and goes on when that is mended', async () => {
  const { page, context, complaints } = await signedIn(
    lab,
    `/interview/9.9?repo=${encodeURIComponent(lab.repo)}`,
  )
  await page.getByText('This interview has ended').waitFor()
  // A real drop: the page reads the file from the data transfer of the event.
  const spec = SPEC.replace('# Feature: Greeting by name', '# Feature: Farewell by name')
  const zone = page.getByText('Drop a spec here to preview it')
  const transfer = await page.evaluateHandle(
    `(() => { const all = new DataTransfer(); all.items.add(new File([${JSON.stringify(spec)}], 'spec.md', { type: 'text/markdown' })); return all })()`,
  )
  for (const type of ['dragenter', 'dragover', 'drop'])
    await zone.dispatchEvent(type, { dataTransfer: transfer })
  await page.getByRole('heading', { name: 'Farewell by name' }).first().waitFor()

  lab.write({ 'bosun.yaml': 'no_such_setting: true\n' })
  await page.getByRole('button', { name: 'Submit for Development' }).click()
  // The place and the remedy, as the command line has them; the preview stays.
  await page.getByText('Could not submit it').waitFor()
  await page.getByText(/bosun\.yaml:1: Unknown key no_such_setting/i).waitFor()
  await expectAccessible(page, 'Could not submit it')
  lab.write({ 'bosun.yaml': SETTINGS() })
  await page.getByRole('button', { name: 'Submit for Development' }).click()
  await page.waitForURL(/\/p\/farewell-by-name/)
  expect(complaints.all).toEqual([])
  await context.close()
})

test('an interview whose model is down says so, keeps what is written meanwhile, and goes on by itself', async () => {
  const { page, context, complaints } = await signedIn(lab, '/start')
  await begin(page, SENTENCE)
  await page.getByRole('radio', { name: /Members only/ }).click()
  model.play(always(overloaded()))
  await page.getByRole('button', { name: /^Send answer/ }).click()
  await page.getByText('Suspended: a service does not answer').waitFor()
  await expectAccessible(page, 'Everything is kept')
  await shoot(page, 'interview-suspended-light')
  await page.getByLabel('Your message').fill('half a sent')
  // A daemon that was killed looks at once whether the service is back, not after half a minute.
  endProcessesOf(lab.home)
  await page.getByText(/^Not live since/).waitFor()
  await page.getByLabel('Your message').pressSequentially('ence')
  model.play(interviewer)
  await linkOf(lab)
  await page.getByText('The draft is ready', { exact: true }).waitFor()
  expect(await page.getByLabel('Your message').inputValue()).toBe('half a sentence')
  await page.getByRole('button', { name: 'Show the preview' }).first().click()
  await page.getByRole('button', { name: 'Submit for Development' }).waitFor()
  expect(complaints.all).toEqual([])
  await context.close()
})
