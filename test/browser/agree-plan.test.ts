/** A plan that waits for a person's agreement is read, edited and started on the page. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { daemonAt, type Daemon } from '../../src/client/daemon.ts'
import type { DaemonFacts } from '../../src/protocol/answers.ts'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import {
  DESKTOP,
  expectAccessible,
  expectNoSidewaysScroll,
  PHONE,
  signedIn,
  type SignedIn,
} from './browser.ts'

let lab: Lab
let person: SignedIn

beforeAll(async () => {
  lab = smallProject({ agent: 'sleep 600' })
  person = await signedIn(lab)
  const text = readFileSync(join(lab.repo, 'plan.yaml'), 'utf8')
  await daemon().post('/api/plans', { cwd: lab.repo, path: '-', text, propose: true })
})
afterAll(async () => {
  expect(person.complaints.all).toEqual([])
  await lab.dispose()
})

function daemon(): Daemon {
  const facts = JSON.parse(readFileSync(join(lab.home, 'daemon.json'), 'utf8')) as DaemonFacts
  const token = readFileSync(join(lab.home, 'token'), 'utf8').trim()
  return daemonAt({ facts, token }, () => Promise.reject(new Error('the daemon is gone')))
}

const planText = () => daemon().get('/api/plans/{id}/text', { id: 'small', repo: lab.repo })

test('a proposed plan is edited on the page: faults show their lines, the draft outlives a reload, and the question stays', async () => {
  const { page } = person
  const box = page.getByLabel('Text of the plan')
  const save = page.getByRole('button', { name: 'Save the plan' })
  await page.getByRole('button', { name: /^Start/ }).waitFor()
  await page.getByRole('button', { name: 'Edit the plan…' }).click()
  const before = await box.inputValue()
  expect(before).toBe((await planText()).text)
  expect(await save.isDisabled()).toBe(true)

  await box.fill(before.replace('tier: low', 'tier: lowest'))
  await save.click()
  const fault = page.getByRole('alert')
  await fault.getByText('line 5').waitFor()
  await expectAccessible(page, 'Could not save the plan')
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'Could not save the plan')
  await page.setViewportSize(DESKTOP)
  expect((await planText()).text).toBe(before)

  await page.reload()
  await box.waitFor()
  expect(await box.inputValue()).toContain('tier: lowest')
  await box.fill(before.replace('plan: small', 'plan: other'))
  await save.click()
  await page.getByRole('alert').getByText('plan: small').waitFor()

  await box.fill(before.replace('Add value 1', 'Write the first value'))
  await save.click()
  await box.waitFor({ state: 'detached' })
  await page.getByText('Write the first value (low').waitFor()
  const { inbox, workers } = await daemon().get('/api/plans/{id}', { id: 'small', repo: lab.repo })
  expect(inbox.map(({ options }) => options.map(({ key }) => key))).toEqual([['start', 'cancel']])
  expect(workers).toEqual([])
})

test('an edit of a plan that was edited elsewhere meanwhile shows both texts, and saves what the person chooses', async () => {
  const { page } = person
  const box = page.getByLabel('Text of the plan')
  await page.getByRole('button', { name: 'Edit the plan…' }).click()
  const mine = (await box.inputValue()).replace('title: Small values', 'title: My values')
  await box.fill(mine)
  const { text, version } = await planText()
  const theirs = text.replace('title: Small values', 'title: Their values')
  const edit = { cwd: lab.repo, path: '-', text: theirs, by: 'ada', plan: 'small', expected_version: version }
  await daemon().post('/api/plans', edit)

  await page.getByRole('button', { name: 'Save the plan' }).click()
  await page.getByRole('alert').getByText('was edited by ada').waitFor()
  expect(await page.getByLabel('The text as it is now').inputValue()).toBe(theirs)
  expect(await box.inputValue()).toBe(mine)
  await expectAccessible(page, 'was edited by ada')
  await page.setViewportSize(PHONE)
  await expectNoSidewaysScroll(page)
  await page.setViewportSize(DESKTOP)
  expect((await planText()).text).toBe(theirs)

  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await box.waitFor({ state: 'detached' })
  expect((await planText()).text).toBe(mine)
})

test('a plan that waits is edited and started on its own page too, with what it takes after the edit', async () => {
  const { page } = person
  await page.goto(new URL(`/p/small?repo=${encodeURIComponent(lab.repo)}`, page.url()).href)
  const proposed = page.getByRole('region', { name: 'Proposed plan' })
  await proposed.getByText('waits for you').waitFor()
  const before = await proposed.getByText('waits for you').textContent()
  await expectNoSidewaysScroll(page)
  await expectAccessible(page, 'waits for you')
  await page.getByRole('button', { name: 'Edit the plan…' }).click()
  const box = page.getByLabel('Text of the plan')
  const text = await box.inputValue()
  const second = text.slice(text.indexOf('  - { id:')).replaceAll('"1"', '"2"').replaceAll('m1', 'm2')
  await box.fill(`${text}${second}`)
  await page.getByRole('button', { name: 'Save the plan' }).click()
  await box.waitFor({ state: 'detached' })
  await expect.poll(() => proposed.getByText('waits for you').textContent()).not.toBe(before)
  await proposed.getByRole('button', { name: /^Start/ }).click()
  await proposed.waitFor({ state: 'detached' })
})
