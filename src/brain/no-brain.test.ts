import { expect, test } from 'vitest'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { NoBrain } from './no-brain.ts'

describeBrain('the brain that judges nothing', () => new NoBrain())

test('the brain that judges nothing depends on no service', async () => {
  expect(await new NoBrain().check()).toEqual([])
})
