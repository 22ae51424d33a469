import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type * as Draft from './draft.ts'

/** Has room for texts of up to ten characters. */
const kept = new Map<string, string>()
const storage = {
  getItem: (key: string) => kept.get(key) ?? null,
  removeItem: (key: string) => void kept.delete(key),
  setItem: (key: string, text: string) => {
    if (text.length > 10) throw new DOMException('full', 'QuotaExceededError')
    kept.set(key, text)
  },
}

let draft: typeof Draft
beforeAll(async () => {
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('localStorage', storage)
  draft = await import('./draft.ts')
})
afterAll(() => void vi.unstubAllGlobals())

test('a draft that the browser has no room for is kept by the page', () => {
  draft.writeDraft('a', 'short')
  draft.writeDraft('a', 'longer than ten characters')
  expect(draft.readDraft('a')).toBe('longer than ten characters')
  draft.writeDraft('a', 'short again'.slice(0, 5))
  expect(draft.readDraft('a')).toBe('short')
  draft.writeDraft('a', 'longer than ten characters')
  draft.clearDraft('a')
  expect(draft.readDraft('a')).toBe('')
})
