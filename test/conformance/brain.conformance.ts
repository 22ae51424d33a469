/** What every brain must do: one test per sentence of the port. */
import { describe, expect, test } from 'vitest'
import { aReplan } from '../helpers/requests.ts'
import type { Brain } from '../../src/ports/brain.ts'

export function describeBrain(name: string, make: () => Brain): void {
  describe(name, () => {
    const { signal } = new AbortController()

    test.each([null, 'only the header'])('answers every question (feedback %j)', async (feedback) => {
      const { recommend, note, by } = await make().replan(aReplan(feedback), signal)
      expect(['rescope', 'drop']).toContain(recommend)
      expect([note, by]).not.toContain('')
    })

    test('holds no state: other questions do not change the answer', async () => {
      const brain = make()
      const first = await brain.replan(aReplan('only the header'), signal)
      await brain.replan(aReplan(null), signal)
      expect((await brain.replan(aReplan('only the header'), signal)).recommend).toBe(first.recommend)
    })
  })
}
