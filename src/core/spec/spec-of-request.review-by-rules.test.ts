import { expect, test } from 'vitest'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'
import { openPointsOf } from './spec-of-request.ts'

test('what the author marked as open is named with its place, numbered', () => {
  const spec = aSpec(
    [aRequirement('R-001', { criteria: ['TBD', 'Store: Redis or a file?'] }), aRequirement('R-002')],
    { notes: [{ heading: 'Constraints', text: 'No more than ??? MB' }] },
  )
  expect(openPointsOf(spec)).toBe(
    [
      '1. R-001: "TBD" is undecided. Decide it.',
      '2. R-001: "Store: Redis or a file?" leaves a choice open. Choose one: Redis or a file.',
      '3. Constraints: "No more than ??? MB" is undecided. Decide it.',
    ].join('\n'),
  )
})

test('nothing else is judged: vague, contradicting and repeated words pass', () => {
  const criteria = [
    'the page is user-friendly',
    'it includes deleted rows',
    'it does not include deleted rows',
  ]
  const spec = aSpec([aRequirement('R-001', { criteria }), aRequirement('R-002', { title: 'PDF', criteria })])
  expect(openPointsOf(spec)).toBe('')
})
