/** What holds for every cheat and all honest work, whatever the language. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CheatLab, gatesOf, LEVELS, refusals, type Project } from './lab.ts'

export function cheatsAreRefused(project: Project): void {
  let lab: CheatLab
  beforeAll(async () => {
    lab = await CheatLab.open(project)
  })
  afterAll(() => lab.close())

  test('wrong work without a cheat fails, also by its exit code', async () => {
    const { naive, verdicts } = await lab.attempt({ name: 'wrong', work: project.wrong }, 'low')
    expect(naive).toBe(false)
    expect(refusals(verdicts)).not.toEqual([])
  })

  for (const tier of LEVELS) {
    describe(`honest work of tier ${tier} passes every gate`, () => {
      // The highest has every gate of the others, so all of it is tried there; `npm run bench cheats` tries it on each.
      const tried = tier === LEVELS.at(-1) ? project.honest : project.honest.slice(0, 1)
      for (const honest of tried) {
        test.concurrent(honest.name, async ({ expect }) => {
          const { naive, verdicts } = await lab.attempt(honest, tier)
          expect(naive).toBe(true)
          expect(refusals(verdicts)).toEqual([])
        })
      }
    })
  }

  // So what the lowest refuses is refused on every tier, and what passes the highest passes every tier.
  test('no tier asks for less than the one below it', () => {
    const gates = LEVELS.map((tier) => gatesOf(project, tier))
    for (const [at, lower] of gates.slice(0, -1).entries())
      expect(gates[at + 1]).toEqual(expect.arrayContaining([...lower]))
  })

  describe('an exit code lets it through, and Bosun does not', () => {
    for (const cheat of project.cheats) {
      test.concurrent(cheat.name, async ({ expect }) => {
        // Each gate judges for itself, so the others need not run; `npm run bench cheats` runs all of them on each.
        const { naive, verdicts } = await lab.attempt(cheat, 'low', [cheat.by])
        expect(naive).toBe(true)
        const refused = Object.fromEntries(refusals(verdicts).map(({ gate, summary }) => [gate, summary]))
        expect(refused[cheat.by] ?? `passed; refused by ${JSON.stringify(refused)}`).toMatch(cheat.words)
      })
    }
  })
}
