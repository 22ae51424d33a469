import { expect, test } from 'vitest'
import { gateSign } from './signs.ts'

test.each(['failed', 'inconclusive', 'not_applicable', 'something_new'])(
  'a gate that is %s is never green',
  (outcome) => {
    expect(gateSign(outcome).tone).not.toBe('ok')
  },
)

test('what could not be checked says so', () => {
  expect(gateSign('inconclusive')).toMatchObject({ label: 'Could not check', tone: 'unknown' })
  expect(gateSign('something_new')).toMatchObject({ label: 'Could not check', tone: 'unknown' })
  expect(gateSign('passed').tone).toBe('ok')
})
