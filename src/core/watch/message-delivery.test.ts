import { expect, test } from 'vitest'
import type { Message } from '../event-schemas/watch.ts'
import { deliveryTime, nextMessage } from './message-delivery.ts'

const message = (
  id: number,
  kind: Message['kind'],
  instruction?: NonNullable<Message['instruction']>,
): Message => ({
  id,
  kind,
  text: 'x',
  about: 'a',
  by: 'b',
  ...(instruction === undefined ? {} : { instruction }),
})

test.each([
  [message(1, 'instruction', 'pause'), 'interrupts'],
  [message(1, 'instruction', 'revise'), 'interrupts'],
  [message(1, 'instruction', 'abort'), 'interrupts'],
  [message(1, 'instruction', 'continue'), 'after_turn'],
  [message(1, 'instruction', 'expand_scope'), 'after_turn'],
  [{ ...message(1, 'instruction'), text: 'revise: the type counts, not the words' }, 'after_turn'],
  [message(1, 'answer'), 'after_turn'],
  [message(1, 'nudge'), 'with_next_turn'],
  [{ ...message(1, 'answer'), permission: { id: 'p1', decision: 'allow' } } as const, 'at_once'],
] as const)('%j: %s', (one, time) => {
  expect(deliveryTime(one)).toBe(time)
})

test('a message that can be delivered now is not kept back by an earlier one that cannot', () => {
  const waiting = [message(1, 'warning'), message(2, 'answer'), message(3, 'instruction', 'pause')]
  expect(nextMessage(waiting)?.id).toBe(3)
  expect(nextMessage(waiting.slice(0, 2))?.id).toBe(2)
  expect(nextMessage([])).toBeUndefined()
})
