import { expect, test } from 'vitest'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { RulesBrain } from './rules-brain.ts'

describeBrain('the brain of rules', () => new RulesBrain())

test('the brain of rules depends on no service', async () => {
  expect(await new RulesBrain().check()).toEqual([])
})
