import { expect, test } from 'vitest'
import { styleOf } from './terminal.ts'

test('paints, and starts again after what is painted inside', () => {
  const { bold, dim, red } = styleOf('coloured')
  expect(red('x')).toBe('\u001b[31mx\u001b[39m')
  expect(bold(`a${dim('b')}c`)).toBe('\u001b[1ma\u001b[2mb\u001b[22m\u001b[1mc\u001b[22m')
})

test('leaves everything as it is where no colour is wanted', () => {
  const { isColorSupported, ...paints } = styleOf('plain')
  expect(isColorSupported).toBe(false)
  for (const paint of Object.values(paints)) expect(paint('x')).toBe('x')
})
