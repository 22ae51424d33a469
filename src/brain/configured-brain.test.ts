import { expect, test } from 'vitest'
import { describeBrain } from '../../test/conformance/brain.conformance.ts'
import { noBrain } from '../../test/helpers/no-brain.ts'

describeBrain('the brain that judges nothing', noBrain)

test('the brain that judges nothing depends on no service', async () => {
  expect(await noBrain().check(new AbortController().signal)).toEqual([])
})
