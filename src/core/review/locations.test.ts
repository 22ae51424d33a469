import { expect, test } from 'vitest'
import { placeOf, formatPlace, withPlacesChecked } from './locations.ts'

test.each([
  ['src/a.ts:12', { file: 'src/a.ts', line: 12 }],
  ['./src/a.ts:12:7', { file: 'src/a.ts', line: 12 }],
  ['`src/a.ts:12-19`', { file: 'src/a.ts', line: 12 }],
  ['src/a.ts#L12-L19', { file: 'src/a.ts', line: 12 }],
  ['src/a.ts', { file: 'src/a.ts', line: null }],
  ['', null],
  ['../a.ts:1', null],
  ['/etc/passwd:1', null],
])('%s is parsed as a place', (location, place) => {
  expect(placeOf(location)).toEqual(place)
})

const issue = (location: string) => ({ severity: 'major', description: '', location, howToFix: '' }) as const
const lines = new Map<string, number | null>([
  ['a.ts', 3],
  ['empty.ts', 0],
  ['gone.ts', null],
])
const foundAt = (location: string): boolean | undefined =>
  withPlacesChecked([issue(location)], (file) => lines.get(file))[0]?.isFound

test.each([
  ['a.ts:1', true],
  ['a.ts:3', true],
  ['a.ts:4', false],
  ['a.ts:0', false],
  ['a.ts', true],
  ['empty.ts:1', true],
  ['gone.ts:1', false],
  ['../a.ts:1', false],
  ['unread.ts:1', undefined],
  ['', undefined],
])('the location %s is found: %s', (location, isFound) => {
  expect(foundAt(location)).toBe(isFound)
})

test('a place that does not exist is marked as not found', () => {
  expect(formatPlace({ ...issue('a.ts:4'), isFound: false })).toBe('a.ts:4 (location not found)')
  expect(formatPlace(issue(''))).toBe('no location')
})
