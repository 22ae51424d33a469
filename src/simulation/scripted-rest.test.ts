import { expect, test } from 'vitest'
import { aReplan, someIntegration } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { describeIntegrationRunner } from '../../test/conformance/integration-runner.conformance.ts'
import { describeNotifier } from '../../test/conformance/notifier.conformance.ts'
import { ScriptedBrain, ScriptedIntegration, ScriptedNotifier } from './scripted-rest.ts'

describeIntegrationRunner('the scripted integration runner', () => {
  const { clock, during } = virtualWorld()
  const broken = new Set<string>()
  const integration = new ScriptedIntegration(clock, (test) => (broken.has(test) ? 'inconclusive' : 'passed'))
  return { integration, break: (test) => broken.add(test), during }
})

describeBrain('the scripted brain', () => new ScriptedBrain())

describeNotifier('the scripted notifier', () => {
  const notifier = new ScriptedNotifier()
  return { notifier, texts: () => [...notifier.notices.values()].map(({ text }) => text) }
})

test('the scripted integration runner passes by default', async () => {
  const { clock, during } = virtualWorld()
  const { results } = await during(new ScriptedIntegration(clock).run(someIntegration))
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed'])
})

test('the scripted brain gives its scripted answers', async () => {
  const brain = new ScriptedBrain(() => ({ recommend: 'drop', note: 'as scripted', by: 'rules' }))
  expect(await brain.replan(aReplan('only the header'))).toMatchObject({
    recommend: 'drop',
    note: 'as scripted',
  })
})
