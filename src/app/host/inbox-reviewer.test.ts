import { expect, test } from 'vitest'
import type { PresentItem } from '../../core/decide/effects.ts'
import { describeHumanReviewer } from '../../../test/conformance/human-reviewer.conformance.ts'
import { InboxReviewer } from './inbox-reviewer.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A person at a door: they try again where the door says that it did not get through. */
describeHumanReviewer('the inbox reviewer', () => {
  const reviewer = new InboxReviewer()
  const seen = new Set<string>()
  const answers = new Map<string, string>()
  const open = new Set<string>()
  const speak = async (): Promise<void> => {
    await turn()
    for (const id of open) {
      const choice = answers.get(id)
      if (choice === undefined) continue
      const answer = { id, choice, feedback: '', by: 'ann', proof: 'token' } as const
      await reviewer.answer(answer).then(
        () => open.delete(id),
        () => undefined,
      )
    }
  }
  return {
    human: {
      present: async (request: PresentItem) => {
        await reviewer.present(request)
        if (!seen.has(request.item.id)) open.add(request.item.id)
        seen.add(request.item.id)
      },
      listen: (listener) => reviewer.listen(listener),
    },
    visible: () => [...seen],
    willAnswer: (id, choice) => answers.set(id, choice),
    until: async (isSo) => {
      do await speak()
      while (!isSo())
    },
    quiet: async () => {
      for (let time = 0; time < 5; time++) await speak()
    },
  }
})

test('an answer without a running plan is refused with a remedy', async () => {
  const answer = { id: 'E-1', choice: 'retry', feedback: '', by: 'ann', proof: 'token' } as const
  await expect(new InboxReviewer().answer(answer)).rejects.toMatchObject({
    code: 'conflict',
    remedy: 'Check its state: bosun status',
  })
})
