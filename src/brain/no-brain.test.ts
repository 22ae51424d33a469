import { expect, test } from 'vitest'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { NoBrain } from './no-brain.ts'

describeBrain('the brain of rules', () => new NoBrain())

test('the brain of rules depends on no service', async () => {
  expect(await new NoBrain().check()).toEqual([])
})
