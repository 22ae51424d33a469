/** What every brain must do: one test per sentence of the port. */
import { describe, expect, test } from 'vitest'
import { replan } from '../../src/core/thinking/questions/replan.ts'
import type { Brain, ThinkCall } from '../../src/ports/brain.ts'
import { aTask } from '../helpers/plan-builder.ts'

export function aThinkCall(fields: Partial<ThinkCall> = {}): ThinkCall {
  return {
    about: { plan: 'shop', task: '1' },
    signal: new AbortController().signal,
    outage: 'unjudged',
    ...fields,
  }
}

export function describeBrain(name: string, make: () => Brain): void {
  describe(name, () => {
    const input = (feedback: string | null) => ({ spec: aTask('1'), feedback })

    test.each([null, 'only the header'])(
      'answers a question as its schema says (feedback %j)',
      async (feedback) => {
        const { answer, by } = await make().think(replan, input(feedback), aThinkCall())
        expect(replan.answer.parse(answer)).toEqual(answer)
        expect(replan.problem?.(answer, input(feedback))).toBeNull()
        expect(by).not.toBe('')
      },
    )

    test('holds no context: other questions do not change the answer', async () => {
      const brain = make()
      const first = await brain.think(replan, input('only the header'), aThinkCall())
      await brain.think(replan, input(null), aThinkCall())
      const again = await brain.think(replan, input('only the header'), aThinkCall())
      expect(again.answer).toEqual(first.answer)
    })

    test('rejects with the reason of an aborted call', async () => {
      const signal = AbortSignal.abort(new Error('no longer owed'))
      await expect(make().think(replan, input(null), aThinkCall({ signal }))).rejects.toThrow(
        'no longer owed',
      )
    })
  })
}
