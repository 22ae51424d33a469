import { expect, test } from 'vitest'
import type { Message } from '../event-schemas/watch.ts'
import { deliveryText, deliveryTime } from './message-delivery.ts'

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
  [message(1, 'restart'), 'interrupts'],
  [{ ...message(1, 'answer'), permission: { id: 'p1', decision: 'allow' } } as const, 'at_once'],
] as const)('%j: %s', (one, time) => {
  expect(deliveryTime(one)).toBe(time)
})

test.each([
  ['nudge', undefined, 'session', /next prompt, if there is one; it does not interrupt/],
  ['nudge', undefined, 'checkin', /^with its next check-in$/],
  ['nudge', undefined, 'not_started', /has started/],
  ['nudge', undefined, 'paused', /continues/],
  ['instruction', 'revise', 'session', /interrupts/],
  ['instruction', 'revise', 'checkin', /does not interrupt/],
  ['instruction', undefined, 'session', /turn ends/],
  ['instruction', 'continue', 'paused', /^at once$/],
] as const)(
  'a %s (%s) to a worker by %s is said to arrive when it does',
  (kind, instruction, channel, text) => {
    const one = instruction === undefined ? { kind } : { kind, instruction }
    expect(deliveryText(one, channel)).toMatch(text)
  },
)
