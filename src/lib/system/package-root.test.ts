import { expect, test } from 'vitest'
import { rootAbove } from './package-root.ts'

test('is above the sources and above the bundle, whatever the folders above are called', () => {
  expect(rootAbove('/home/ada/src/bosun/src/lib/system')).toBe('/home/ada/src/bosun')
  expect(rootAbove('/home/ada/dist/bosun/dist')).toBe('/home/ada/dist/bosun')
})
