import { describe, expect, test } from 'vitest'
import { bootId } from './boot-id.ts'

const missing = (): string => {
  throw new Error('there is no such thing')
}

describe('the name of this run of the machine', () => {
  test('is the same every time it is asked for', () => {
    expect(bootId()).toBe(bootId())
  })

  test('is what Linux says', () => {
    expect(bootId({ linux: () => 'abc\n', macos: () => 'def' })).toBe('abc')
  })

  test('is what macOS says where Linux says nothing', () => {
    expect(bootId({ linux: missing, macos: () => 'def\n' })).toBe('def')
    expect(bootId({ linux: () => ' \n', macos: () => 'def\n' })).toBe('def')
  })

  test("is this process's own where neither says anything", () => {
    const own = bootId({ linux: missing, macos: missing })
    expect(own).toMatch(/^process-/)
    expect(bootId({ linux: missing, macos: missing })).toBe(own)
  })
})
