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
