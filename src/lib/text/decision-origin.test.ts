import { expect, test } from 'vitest'
import { originOf, originText } from './decision-origin.ts'

test('how an answer came is said with its process, where that is known, and not at all where nothing is', () => {
  const process = { pid: 7, program: 'bosun' }
  expect(originText({ via: 'terminal', process })).toBe(', in a terminal (bosun, process 7)')
  expect(originText({ via: 'unknown' })).toBe(', by an unknown program')
  expect(originText({ process })).toBe('')
  expect(originOf({ via: undefined, process: undefined })).toEqual({})
})
