import { expect, test } from 'vitest'
import { placeOf, placeWords, withPlacesChecked } from './locations.ts'

test.each([
  ['src/a.ts:12', { file: 'src/a.ts', line: 12 }],
  ['./src/a.ts:12:7', { file: 'src/a.ts', line: 12 }],
  ['`src/a.ts:12-19`', { file: 'src/a.ts', line: 12 }],
  ['src/a.ts#L12-L19', { file: 'src/a.ts', line: 12 }],
  ['src/a.ts', { file: 'src/a.ts', line: null }],
  ['', null],
  ['../a.ts:1', null],
  ['/etc/passwd:1', null],
])('%s is a place', (location, place) => {
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
])('whether %s is found: %s', (location, isFound) => {
  expect(foundAt(location)).toBe(isFound)
})

test('a place that is not found says so', () => {
  expect(placeWords({ ...issue('a.ts:4'), isFound: false })).toBe('a.ts:4 (location not found)')
  expect(placeWords(issue(''))).toBe('no location')
})
