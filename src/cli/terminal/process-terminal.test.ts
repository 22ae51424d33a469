import { expect, test } from 'vitest'
import { colourWanted } from './process-terminal.ts'

test.each([
  [{}, false, true, true],
  [{}, false, false, false],
  [{}, true, true, false],
  [{ NO_COLOR: '1' }, false, true, false],
  [{ NO_COLOR: '' }, false, true, true],
  [{ NO_COLOR: '1', FORCE_COLOR: '1' }, false, true, false],
  [{ FORCE_COLOR: '1' }, false, false, true],
  [{ FORCE_COLOR: '1' }, true, false, false],
  [{ FORCE_COLOR: '0' }, false, true, false],
  [{ TERM: 'dumb' }, false, true, false],
  [{ TERM: 'dumb', FORCE_COLOR: '1' }, false, false, true],
  [{ CI: 'true' }, false, false, false],
])('with %j, --no-color %s, terminal %s: %s', (env, noColourFlag, isTerminal, wanted) => {
  expect(colourWanted({ env, noColourFlag, isTerminal })).toBe(wanted)
})
