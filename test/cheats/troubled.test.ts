import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CheatLab, LEVELS, refusals } from './lab.ts'
import { TROUBLED } from './javascript-troubled.ts'

let lab: CheatLab
beforeAll(async () => {
  lab = await CheatLab.open(TROUBLED)
})
afterAll(() => lab.close())

for (const tier of LEVELS) {
  describe(`honest work of tier ${tier} passes where the suite was red before`, () => {
    for (const honest of TROUBLED.honest) {
      test(honest.name, async () => {
        const { verdicts } = await lab.attempt(honest, tier)
        expect(refusals(verdicts)).toEqual([])
      })
    }
  })
}

describe('wrong work is refused where the suite was red before', () => {
  for (const cheat of TROUBLED.cheats) {
    test(cheat.name, async () => {
      const { verdicts } = await lab.attempt(cheat, 'low', [cheat.by])
      const refused = Object.fromEntries(refusals(verdicts).map(({ gate, summary }) => [gate, summary]))
      expect(refused[cheat.by] ?? `passed; refused by ${JSON.stringify(refused)}`).toMatch(cheat.words)
    })
  }
})
