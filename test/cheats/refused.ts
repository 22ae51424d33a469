/** What holds for every cheat and all honest work, whatever the language. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CheatLab, LEVELS, refusals, type Project } from './lab.ts'

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

  describe.each(LEVELS)('honest work of tier %s passes every gate', (tier) => {
    test.concurrent.each(project.honest)('$name', async (honest) => {
      const { naive, verdicts } = await lab.attempt(honest, tier)
      expect(naive).toBe(true)
      expect(refusals(verdicts)).toEqual([])
    })
  })

  describe('an exit code lets it through, and Bosun does not', () => {
    test.concurrent.each(project.cheats)('$name', async (cheat) => {
      const { naive, verdicts } = await lab.attempt(cheat, 'low')
      expect(naive).toBe(true)
      const refused = Object.fromEntries(refusals(verdicts).map(({ gate, summary }) => [gate, summary]))
      expect(refused[cheat.by] ?? `passed; refused by ${JSON.stringify(refused)}`).toMatch(cheat.words)
    })
  })
}
