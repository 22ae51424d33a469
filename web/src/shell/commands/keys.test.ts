import { expect, test } from 'vitest'
import { bindingFor, keyOfEvent, type KeyBinding } from './keys.ts'

const bind = (keys: string): KeyBinding => ({ keys, label: '', run: () => undefined })
const all = [bind('j'), bind('g i'), bind('i'), bind('Ctrl+K')]
const event = (key: string, more: object = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test('two keys one after the other are one binding', () => {
  expect(bindingFor(all, 'g', null)).toEqual({ binding: undefined, isPrefix: true })
  expect(bindingFor(all, 'i', 'g').binding?.keys).toBe('g i')
  expect(bindingFor(all, 'j', 'g').binding?.keys).toBe('j')
  expect(bindingFor(all, 'x', 'g')).toEqual({ binding: undefined, isPrefix: false })
})

test('Ctrl and the command key are the same modifier, and Alt is left to the browser', () => {
  expect(keyOfEvent(event('k', { ctrlKey: true }))).toBe('Ctrl+K')
  expect(keyOfEvent(event('k', { metaKey: true }))).toBe('Ctrl+K')
  expect(keyOfEvent(event('ArrowLeft', { altKey: true }))).toBeNull()
  expect(keyOfEvent(event('j'))).toBe('j')
})
