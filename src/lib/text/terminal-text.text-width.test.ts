import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutPath, cutText, fitText, textWidth, wrapText } from './terminal-text.ts'

describe('text in a terminal', () => {
  it('is as wide as its signs, wide ones twice and marks not at all', () => {
    expect(textWidth('plan')).toBe(4)
    expect(textWidth('計画')).toBe(4)
    expect(textWidth('e\u0301')).toBe(1)
    expect(textWidth('🚀')).toBe(2)
  })

  it('is cut with an ellipsis, never in half of a wide sign', () => {
    expect(cutText('a plan', 6)).toBe('a plan')
    expect(cutText('a plan', 5)).toBe('a pl…')
    expect(cutText('計画書', 4)).toBe('計…')
    expect(cutText('abc', 0)).toBe('')
  })

  it('keeps the end of a path', () => {
    expect(cutPath('docs/plans/shop.md', 10)).toBe('…s/shop.md')
  })

  it('never grows past the width asked for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', ' ', '計', '🚀', 'e\u0301') })
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 20 }), (value, width) => {
        expect(textWidth(cutText(value, width))).toBeLessThanOrEqual(width)
        expect(textWidth(cutPath(value, width))).toBeLessThanOrEqual(width)
        expect(textWidth(fitText(value, width))).toBe(width)
        for (const line of wrapText(value, width + 1)) expect(textWidth(line)).toBeLessThanOrEqual(width + 1)
      }),
    )
  })

  it('is wrapped between words', () => {
    expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
  })
})
