import { expect, test } from 'vitest'
import type { Message } from '../../../core/event-schemas/watch.ts'
import { SessionMessages } from './prompts.ts'

const message = (id: number, kind: Message['kind'], instruction?: Message['instruction']): Message => ({
  id,
  kind,
  text: `message ${id}`,
  about: 'a',
  by: 'ann',
  ...(instruction === undefined ? {} : { instruction }),
})

/** The numbers of what is due. */
function due(messages: SessionMessages) {
  const { pauses, prompts } = messages.take()
  return { pauses: pauses.map(({ id }) => id), prompts: prompts.map(({ id }) => id) }
}

test('a nudge alone is no reason for a prompt, and comes along with the next one', () => {
  const messages = new SessionMessages()
  messages.add(message(1, 'nudge'))
  expect(due(messages)).toEqual({ pauses: [], prompts: [] })
  messages.add(message(2, 'instruction'))
  expect(due(messages)).toEqual({ pauses: [], prompts: [1, 2] })
  expect(messages.add(message(1, 'nudge'))).toBe('delivered')
})

test('an agent that was paused is continued by a later instruction, not by one from before', () => {
  const messages = new SessionMessages()
  messages.add(message(1, 'instruction'))
  messages.add(message(2, 'instruction', 'pause'))
  expect(due(messages)).toEqual({ pauses: [2], prompts: [] })
  expect(due(messages)).toEqual({ pauses: [], prompts: [] })
  expect(messages.isPaused).toBe(true)
  messages.add(message(3, 'answer'))
  expect(due(messages)).toEqual({ pauses: [], prompts: [] })
  messages.add(message(4, 'instruction', 'continue'))
  expect(due(messages)).toEqual({ pauses: [], prompts: [1, 3, 4] })
  expect(messages.isPaused).toBe(false)
})
