import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GatheredText } from './gathered-text.ts'

test('whatever is added is there, in its order, however little room there was at first', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 40 })), (texts) => {
      const gathered = new GatheredText(8)
      for (const text of texts) gathered.add(text)
      const whole = texts.join('').toWellFormed()
      expect(gathered.length).toBe(Buffer.byteLength(whole))
      expect(gathered.take().toString()).toBe(whole)
    }),
  )
})

test('what was taken stays as it is, and is not there any more', () => {
  const gathered = new GatheredText()
  gathered.add('one')
  const taken = gathered.take()
  gathered.add('two')
  expect([taken.toString(), gathered.take().toString(), gathered.length]).toEqual(['one', 'two', 0])
})
