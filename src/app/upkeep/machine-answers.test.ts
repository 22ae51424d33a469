import { afterEach, expect, test } from 'vitest'
import { aMachine, CLAUDE } from '../../../test/helpers/a-machine.ts'
import { low } from '../../../test/helpers/plan-builder.ts'
import { TestHost } from '../../../test/helpers/test-host.ts'
import { crewAnswer, doctorAnswer } from '../../protocol/machine-answer.ts'
import { crewPage, doctorPage } from './machine-answers.ts'

let testing: TestHost
afterEach(() => testing.dispose())

test('the crew is the agents found, with their roles and what is missing, and what each has done', async () => {
  testing = new TestHost({ worker: () => ({}) })
  const signedOut = { ...CLAUDE, name: 'pi', signIn: { by: 'none', detail: null }, fix: 'Sign in.' } as const
  testing.machine = aMachine({ agents: () => Promise.resolve([CLAUDE, signedOut]) })
  await testing.open()
  const { plan } = await testing.register([low('a')])
  await testing.until(plan, ({ state }) => state.tasks.get('a')?.step === 'completed')
  const crew = await crewPage(testing.host, (agent) => (agent === 'pi' ? ['reviewer'] : []))
  expect(crewAnswer.parse(crew)).toEqual(crew)
  expect(crew.agents).toMatchObject([
    { name: 'claude', sign_in: { by: 'key' }, roles: [], remedy: null },
    { name: 'pi', sign_in: { by: 'none', text: 'not signed in' }, roles: ['reviewer'], remedy: 'Sign in.' },
  ])
  expect(crew.results).toMatchObject([{ tasks: 1, attempts: 1, first_pass_rate: 1, first_pass_of: 1 }])
})

test('agents are looked for once within some seconds, since a look starts each of them', async () => {
  let looks = 0
  testing = new TestHost()
  testing.machine = aMachine({ agents: async () => (looks++, [CLAUDE]) })
  await testing.open()
  await crewPage(testing.host, () => [])
  await crewPage(testing.host, () => [])
  expect(looks).toBe(1)
})

test('an agent that is installed after none was found is found with the next look', async () => {
  const installed: (typeof CLAUDE)[] = []
  testing = new TestHost()
  testing.machine = aMachine({ agents: async () => [...installed] })
  await testing.open()
  expect((await crewPage(testing.host, () => [])).agents).toEqual([])
  installed.push(CLAUDE)
  expect((await crewPage(testing.host, () => [])).agents).toMatchObject([{ name: 'claude' }])
})

test('the checks of doctor are answered with their remedies, and one problem is enough not to be fine', async () => {
  testing = new TestHost()
  testing.machine = aMachine({ gitVersion: () => Promise.resolve(null) })
  await testing.open()
  const page = await doctorPage(testing.host, undefined)
  expect(doctorAnswer.parse(page)).toEqual(page)
  expect(page.ok).toBe(false)
  expect(page.findings.find(({ what }) => what === 'git')).toMatchObject({
    state: 'problem',
    remedy: expect.stringMatching(/git/i),
  })
  expect(page.findings.find(({ what }) => what === 'node')).toMatchObject({ state: 'ok', remedy: null })
})
