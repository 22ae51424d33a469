import { expect, test } from 'vitest'
import { pathIn } from './notice-path.ts'

test('the link of a notice leads to its place within this page, and never to another server', () => {
  expect(pathIn('http://127.0.0.1:4321/?item=E-1&plan=shop&repo=%2Fr')).toBe('/?item=E-1&plan=shop&repo=%2Fr')
  expect(pathIn('https://elsewhere.example/p/shop')).toBe('/p/shop')
  expect(pathIn('http://127.0.0.1:4321//elsewhere.example/')).toBe('/elsewhere.example/')
  expect([pathIn(null), pathIn('no address'), pathIn('javascript:alert(1)')]).toEqual(['/', '/', '/'])
})
