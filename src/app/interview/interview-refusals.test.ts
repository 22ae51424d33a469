import { expect, test } from 'vitest'
import { refusalText } from './interview-refusals.ts'

test('an interview that ends because of bosun.yaml names each line that is wrong, with its remedy', () => {
  const fault = (line: number) => ({
    file: 'bosun.yaml',
    line,
    message: `unknown key k${line}`,
    remedy: 'Drop it.',
  })
  const refusal = { message: 'bosun.yaml has 2 problems', remedy: 'Fix /shop/bosun.yaml.' }
  expect(refusalText({ ...refusal, faults: [fault(3), fault(7)] }).split('\n')).toEqual([
    'bosun.yaml has 2 problems. Fix /shop/bosun.yaml.',
    'bosun.yaml:3: unknown key k3',
    '  Drop it.',
    'bosun.yaml:7: unknown key k7',
    '  Drop it.',
  ])
  expect(refusalText({ ...refusal, faults: [] })).toBe('bosun.yaml has 2 problems. Fix /shop/bosun.yaml.')
})
