import { expect, test } from 'vitest'
import { CODE_LIFE_MS, MOST_WRONG, PageCodes } from './page-sessions.ts'

const wrong = (n: number): string => n.toString(16).padStart(64, '0')

test('a code works once', () => {
  const codes = new PageCodes()
  const { code } = codes.mint(0)
  expect(code).toMatch(/^[0-9a-f]{64}$/)
  expect(codes.redeem(code, 1)).toBe('ok')
  expect(codes.redeem(code, 2)).toBe('used')
})

test('a code works for a minute', () => {
  const codes = new PageCodes()
  const [early, late] = [codes.mint(0), codes.mint(0)]
  expect(early.expiresAt).toBe(CODE_LIFE_MS)
  expect(codes.redeem(early.code, CODE_LIFE_MS - 1)).toBe('ok')
  expect(codes.redeem(late.code, CODE_LIFE_MS)).toBe('wrong')
})

test('several links may be open at once, but only so many', () => {
  const codes = new PageCodes()
  const minted = Array.from({ length: 33 }, () => codes.mint(0).code)
  expect(minted.map((code) => codes.redeem(code, 1)).filter((one) => one === 'ok')).toHaveLength(32)
  expect(codes.redeem(minted[0] ?? '', 1)).toBe('wrong')
})

test('after many wrong codes within a minute, a wrong one is one too many and a right one still works', () => {
  const codes = new PageCodes()
  const { code } = codes.mint(0)
  for (let n = 0; n < MOST_WRONG; n++) expect(codes.redeem(wrong(n), n)).toBe('wrong')
  expect(codes.redeem(wrong(99), 30)).toBe('too_many')
  expect(codes.redeem(code, 31)).toBe('ok')
  expect(codes.redeem(wrong(99), 60_000 + MOST_WRONG)).toBe('wrong')
})
