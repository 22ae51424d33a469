/** Before a request is sent, the page says who judges it, what that may cost and how long it takes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Lab } from '../delivery/lab.ts'
import { smallProject } from '../delivery/small-project.ts'
import { expectAccessible, signedIn } from './browser.ts'

let lab: Lab

beforeAll(() => {
  lab = smallProject({ agent: 'sleep 600', settings: 'brain: { provider: agent }\n' })
})
afterAll(() => lab.dispose())

test('the page names the agent that judges a request, its cost and its usual time, before anything is asked', async () => {
  const { page, complaints } = await signedIn(lab, '/start')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') asked.push(request.url())
  })
  await page.getByLabel('Folder of the repository').fill(lab.repo)
  await page
    .getByText('Continue asks crew with its own model, cost unknown before it answers, usually')
    .waitFor()
  await expectAccessible(page, 'Continue asks crew')
  expect(asked).toEqual([])

  lab.write({ 'bosun.yaml': 'brain: { provider: none }\n' })
  await page.reload()
  await page.getByText('No model is asked').waitFor()
  expect(complaints.all).toEqual([])
})
