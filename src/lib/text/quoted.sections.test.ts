import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenced } from './fenced.ts'
import { renderSections } from './quoted.ts'

const long = (length: number): string => 'a line of text\n'.repeat(Math.ceil(length / 15)).slice(0, length)

test('a section without lines is left out', () => {
  const sections = [
    { title: 'A', body: ['one', 'two'] },
    { title: 'B', body: [] },
    { title: 'C', body: ['three'] },
  ]
  expect(renderSections(sections, 1000)).toBe('## A\n\none\ntwo\n\n## C\n\nthree\n')
})

test('what only explains is shortened before what is asked for, with a note of how much', () => {
  const text = renderSections(
    [
      { title: 'Requirements', body: [long(9000)] },
      { title: 'Context', body: [long(8000)], isSpare: true },
    ],
    12_000,
  )
  expect(text.length).toBeLessThanOrEqual(12_000)
  expect(text).toContain(long(9000))
  expect(text).toMatch(
    /\[Left out here: the last 5\d{3} of 8000 characters of "Context"; a brief has at most 12000\.\]\n$/,
  )
})

test('a fence that is cut is closed', () => {
  const text = renderSections([{ title: 'Notes', body: [fenced(long(9000), 'md')], isSpare: true }], 5000)
  expect(text).toContain('\n```\n\n[Left out here: ')
})

test('any text fits while its sections are few', () => {
  const section = fc.record({
    title: fc.string({ maxLength: 20 }),
    body: fc.array(fc.nat({ max: 40_000 }).map(long), { maxLength: 3 }),
    isSpare: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(section, { maxLength: 5 }), (sections) => {
      expect(renderSections(sections, 30_000).length).toBeLessThanOrEqual(30_000)
    }),
  )
})
