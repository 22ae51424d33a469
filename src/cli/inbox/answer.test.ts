import { expect, test } from 'vitest'
import { Refusal } from '../../lib/refusal.ts'
import type { Call } from '../command.ts'
import { styleOf } from '../terminal/terminal.ts'
import { answerItems } from './answer.ts'

function answering(args: readonly string[], refused: readonly string[] = []) {
  const posted: string[] = []
  const daemon = {
    post: async (_path: string, { choice }: { readonly choice: string }, { id }: { readonly id: string }) => {
      posted.push(id)
      if (refused.includes(id))
        throw new Refusal({ code: 'conflict', message: `${id} is not open`, remedy: 'bosun inbox' })
      return { id, plan: 'shop', choice }
    },
  }
  const call: Partial<Call> = {
    args,
    option: (name: string) => (name === 'by' ? 'Ann' : undefined),
    terminal: { cwd: '/', env: {} } as never,
    services: { daemon: async () => daemon } as never,
  }
  return { posted, result: answerItems(call as Call) }
}

test('one answer to several items answers each of them', async () => {
  const { posted, result } = answering(['E-1,shop:E-2', 'revise'])
  const { document, text } = await result
  expect(posted).toEqual(['E-1', 'shop:E-2'])
  expect(document).toEqual({ id: 'E-1,shop:E-2', plan: 'shop', choice: 'revise' })
  expect(text(styleOf('plain'))).toBe('answered E-1 of shop: revise\nanswered shop:E-2 of shop: revise\n')
})

test('an answer to several items that is refused for one names those that were answered before it', async () => {
  const { posted, result } = answering(['E-1,E-2,E-3', 'revise'], ['E-2'])
  await expect(result).rejects.toThrow('E-1 answered, but E-2 is not open')
  expect(posted).toEqual(['E-1', 'E-2'])
})

test('a pause for several items pauses their plan once', async () => {
  const { posted, result } = answering(['E-1,E-2', 'pause'])
  await result
  expect(posted).toEqual(['E-1'])
})
