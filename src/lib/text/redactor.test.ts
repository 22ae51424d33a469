import { expect, test } from 'vitest'
import { formsOf } from './secret-forms.ts'
import { Redactor } from './redactor.ts'

const VALUE = 'T9xq-Wm4z_Lp8k.Vr2n'
const redactor = new Redactor([
  { name: 'SHOP_KEY', value: VALUE },
  { name: 'SHORT', value: 'abc1234' },
  { name: 'QUOTED', value: 'say "hi"\nto\\all' },
])

test('a secret is replaced by its name, raw, encoded and as JSON writes it', () => {
  expect(redactor.text(`key=${VALUE}; again ${VALUE}`)).toBe('key=[secret SHOP_KEY]; again [secret SHOP_KEY]')
  for (const { text } of formsOf(VALUE)) expect(redactor.text(`<${text}>`)).toBe('<[secret SHOP_KEY]>')
  expect(redactor.text(JSON.stringify({ a: 'say "hi"\nto\\all' }))).toBe('{"a":"[secret QUOTED]"}')
})

test('text without a secret, and a value shorter than 8 characters, stay as they are', () => {
  const text = 'abc1234 é \uD800 T9xq-Wm4z_Lp8k.Vr2'
  expect(redactor.text(text)).toBe(text)
  const value = { a: [text], b: null }
  expect(redactor.inAll(value)).toBe(value)
})

test('all texts of a value are cleaned, keys too, and Bosun’s own words are left', () => {
  const odd = new Redactor([{ name: 'ODD', value: 'completed' }])
  expect(odd.inAll({ outcome: 'completed', text: 'completed', completed: 1, list: ['x completed'] })).toEqual(
    {
      outcome: 'completed',
      text: '[secret ODD]',
      '[secret ODD]': 1,
      list: ['x [secret ODD]'],
    },
  )
})

test('a secret is found across the borders of chunks, wherever they are', () => {
  const text = `é before ${VALUE} and ${VALUE}${VALUE} T9xq-Wm4z_ after ${VALUE.slice(0, 9)}`
  const bytes = new TextEncoder().encode(text)
  for (let size = 1; size < 40; size++) {
    const stream = redactor.stream()
    const out: Uint8Array[] = []
    for (let at = 0; at < bytes.length; at += size) out.push(stream.add(bytes.subarray(at, at + size)))
    out.push(stream.end())
    const all = Buffer.concat(out).toString('utf8')
    expect(all).toBe(redactor.text(text))
    expect(all).not.toContain(VALUE)
  }
})

test('of two values where one begins with the other, the whole longer one is replaced', () => {
  const two = new Redactor([
    { name: 'SHORT', value: 'token-1234' },
    { name: 'LONG', value: 'token-1234-5678' },
  ])
  expect(two.text('token-1234 token-1234-5678 token-1234-567')).toBe(
    '[secret SHORT] [secret LONG] [secret SHORT]-567',
  )
  const stream = two.stream()
  const parts = ['token-', '1234-5', '678 token-1234', '!'].map((text) => stream.add(Buffer.from(text)))
  expect(Buffer.concat([...parts, stream.end()]).toString()).toBe('[secret LONG] [secret SHORT]!')
})
