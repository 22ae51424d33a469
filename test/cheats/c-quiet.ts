/** C with a program of tests that names none of them. */
import { C, TAP_C } from './c.ts'
import type { Project } from './lab.ts'

const QUIET_TAP_C = TAP_C.replace(/ {2}printf\("TAP.*\n/, '').replace(/ {4}printf\("%sok.*\n/, '')
/** What only names of tests show is seen by other means: by what the exit code comes to once a test is broken. */
const BY_OTHER_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['the exit code is changed on the way out', /cannot fail: /],
])

/**
 * The same shop with a program of tests that names none of them. Without the cheats that are refused by what was changed, which is
 * read the same whatever a program of tests prints: test/cheats/c.test.ts has these.
 */
export const QUIET_C: Project = {
  ...C,
  language: 'C, by exit code alone',
  base: { ...C.base, 'tests/tap.c': QUIET_TAP_C },
  environment: { test: { command: 'make test', report: 'exit' } },
  cheats: C.cheats
    .filter(({ by }) => by !== 'integrity')
    .map((cheat) => ({
      ...cheat,
      work:
        'tests/tap.c' in cheat.work
          ? { ...cheat.work, 'tests/tap.c': QUIET_TAP_C.replace('return worst', 'return 0') }
          : cheat.work,
      words: BY_OTHER_WORDS.get(cheat.name) ?? cheat.words,
    })),
}
