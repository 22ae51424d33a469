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
      for (const honest of project.honest) {
        test.concurrent(honest.name, async ({ expect }) => {
          const { naive, verdicts } = await lab.attempt(honest, tier)
          expect(naive).toBe(true)
          expect(refusals(verdicts)).toEqual([])
        })
      }
    })
  }

  // So what is refused here is refused on every tier; `npm run bench cheats` tries each of them.
  test('no tier asks for less than the lowest, on which cheats are tried', () => {
    const [low, ...higher] = LEVELS.map((tier) => gatesOf(project, tier))
    for (const gates of higher) expect(gates).toEqual(expect.arrayContaining([...(low ?? [])]))
  })

  describe('an exit code lets it through, and Bosun does not', () => {
    for (const cheat of project.cheats) {
      test.concurrent(cheat.name, async ({ expect }) => {
        const { naive, verdicts } = await lab.attempt(cheat, 'low')
        expect(naive).toBe(true)
        const refused = Object.fromEntries(refusals(verdicts).map(({ gate, summary }) => [gate, summary]))
        expect(refused[cheat.by] ?? `passed; refused by ${JSON.stringify(refused)}`).toMatch(cheat.words)
      })
    }
  })
}
