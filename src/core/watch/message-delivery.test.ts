import { expect, test } from 'vitest'
import type { Message } from '../event-schemas/watch.ts'
import { deliveryTime, nextMessage } from './message-delivery.ts'

const message = (id: number, kind: Message['kind'], text = 'x'): Message => ({
  id,
  kind,
  text,
  about: 'a',
  by: 'b',
})

test.each([
  [message(1, 'instruction', 'revise: use the other table'), 'interrupts'],
  [message(1, 'instruction', 'abort: stop, hand in what you have, and exit'), 'interrupts'],
  [message(1, 'instruction', 'expand scope: also the docs'), 'after_turn'],
  [message(1, 'instruction', 'please revise: nothing'), 'after_turn'],
  [message(1, 'answer'), 'after_turn'],
  [message(1, 'nudge'), 'with_next_turn'],
  [{ ...message(1, 'answer'), permission: { id: 'p1', decision: 'allow' } } as const, 'at_once'],
] as const)('%j: %s', (one, time) => {
  expect(deliveryTime(one)).toBe(time)
})

test('a message that can be delivered now is not kept back by an earlier one that cannot', () => {
  const waiting = [message(1, 'warning'), message(2, 'answer'), message(3, 'instruction', 'pause: wait')]
  expect(nextMessage(waiting)?.id).toBe(3)
  expect(nextMessage(waiting.slice(0, 2))?.id).toBe(2)
  expect(nextMessage([])).toBeUndefined()
})
