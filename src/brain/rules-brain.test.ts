import { expect, test } from 'vitest'
import { aReplan } from '../../test/helpers/requests.ts'
import { describeBrain } from '../ports/conformance/brain.conformance.ts'
import { RulesBrain } from './rules-brain.ts'

describeBrain('the brain of rules', () => new RulesBrain())

test('the rules propose a new scope where the person gave one, else to leave the task out', async () => {
  const brain = new RulesBrain()
  expect((await brain.replan(aReplan('only the header'))).recommend).toBe('rescope')
  expect((await brain.replan(aReplan(null))).recommend).toBe('drop')
})
