import { afterEach, beforeEach, expect, test } from 'vitest'
import { low } from '../../test/helpers/plan-builder.ts'
import { aPlan, TestHost } from '../../test/helpers/test-host.ts'
import { planFigures } from '../core/planning/plan-figures.ts'
import { defaultSettings } from '../core/settings.ts'
import { registerPlan } from './register-plan.ts'

let testing: TestHost
beforeEach(async () => {
  testing = await new TestHost().open()
})
afterEach(() => testing.dispose())

test('a plan with integration tests is refused, and nothing is begun', async () => {
  const integration = {
    id: 'it-1',
    description: 'energy',
    afterLayer: 'core',
    tasksCovered: ['a'],
    command: 'node energy.js',
    reference: {},
  }
  const plan = { ...aPlan('shop', [low('a')]), integration: [integration] }
  const reading = { plan, figures: planFigures(plan, ['low']), text: '' }
  const settings = defaultSettings()
  const asked = registerPlan(testing.host, { reading, settings, repository: testing.repository() })
  await expect(asked).rejects.toMatchObject({
    name: 'Refusal',
    code: 'failed',
    message: expect.stringContaining('integration tests are not supported yet'),
    remedy: expect.stringContaining('integration:'),
  })
  expect(testing.host.plans()).toEqual([])
})

test('a plan whose workers would have the names of another plan is refused, also when that one is over', async () => {
  const theirs = await testing.register([low('7-1')], { id: 'a' })
  const refused = {
    name: 'Refusal',
    code: 'conflict',
    message: expect.stringMatching(/^task 1 of plan a-7 and task 7-1 of plan a in .* worker w-a-7-1-1$/),
  }
  await expect(testing.register([low('1')], { id: 'a-7' })).rejects.toMatchObject(refused)
  await testing.log.closeStream(theirs.plan.home.stream)
  await testing.reopen()
  await expect(testing.register([low('1')], { id: 'a-7' })).rejects.toMatchObject(refused)
})

test('plans with names of their own are taken, and so is the same name in another repository', async () => {
  await testing.register([low('7-1')], { id: 'a' })
  await testing.register([low('2')], { id: 'a-7' })
  await testing.register([low('1')], { id: 'a-7', repository: testing.repository('other') })
  expect(testing.host.plans().map(({ id }) => id)).toEqual(['a', 'a-7', 'a-7'])
})
