import { expect, test } from 'vitest'
import { someIntegration } from '../../test/helpers/requests.ts'
import { virtualWorld } from '../../test/helpers/virtual-world.ts'
import { aTask } from '../../test/helpers/plan-builder.ts'
import { aThinkCall, describeBrain } from '../../test/conformance/brain.conformance.ts'
import { replan } from '../core/thinking/questions/replan.ts'
import { describeIntegrationRunner } from '../../test/conformance/integration-runner.conformance.ts'
import { ScriptedBrain, ScriptedIntegration } from './scripted-rest.ts'

describeIntegrationRunner('the scripted integration runner', () => {
  const { clock, during } = virtualWorld()
  const broken = new Set<string>()
  const integration = new ScriptedIntegration(clock, (test) => (broken.has(test) ? 'inconclusive' : 'passed'))
  return { integration, break: (test) => broken.add(test), during }
})

describeBrain('the scripted brain', () => new ScriptedBrain())

test('the scripted integration runner passes by default', async () => {
  const { clock, during } = virtualWorld()
  const { results } = await during(new ScriptedIntegration(clock).run(someIntegration))
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed'])
})

test('the scripted brain gives its scripted answers, then judges nothing', async () => {
  const left = [{ recommend: 'drop', note: 'as scripted' }]
  const brain = new ScriptedBrain(() => left.shift())
  const input = { spec: aTask('1'), feedback: 'only the header' }
  const scripted = await brain.think(replan, input, aThinkCall())
  expect([scripted.answer.recommend, scripted.by]).toEqual(['drop', 'the script'])
  const next = await brain.think(replan, input, aThinkCall())
  expect([next.answer.recommend, next.by]).toEqual(['rescope', 'nobody'])
})

test('a scripted answer that does not fit its question judges nothing, and says why', async () => {
  const brain = new ScriptedBrain(() => ({ recommend: 'explode' }))
  const { by, fallback } = await brain.think(replan, { spec: aTask('1'), feedback: null }, aThinkCall())
  expect([by, fallback]).toEqual([
    'nobody',
    expect.stringContaining('the scripted answer to replan was refused'),
  ])
})
