/** When a message reaches an agent that takes messages between its turns only. */
import type { InstructionType, Message } from '../event-schemas/watch.ts'

/** `with_next_turn`: a notice; it alone is no reason for another turn. */
export type DeliveryTime = 'at_once' | 'interrupts' | 'after_turn' | 'with_next_turn'

/** Only these instructions may interrupt a working agent. */
const INTERRUPTING: ReadonlySet<InstructionType | undefined> = new Set(['pause', 'revise', 'abort'])

export function deliveryTime({ kind, instruction, permission }: Message): DeliveryTime {
  if (permission !== undefined) return 'at_once'
  switch (kind) {
    case 'instruction':
      return INTERRUPTING.has(instruction) ? 'interrupts' : 'after_turn'
    case 'answer':
      return 'after_turn'
    case 'warning':
    case 'reminder':
    case 'nudge':
      return 'with_next_turn'
  }
}

const ORDER: readonly DeliveryTime[] = ['at_once', 'interrupts', 'after_turn', 'with_next_turn']

/** The next one to send: a message that has to wait for a turn does not keep back one that has not. */
export function nextMessage(waiting: readonly Message[]): Message | undefined {
  for (const time of ORDER) {
    const message = waiting.find((one) => deliveryTime(one) === time)
    if (message !== undefined) return message
  }
  return undefined
}

/** After such an instruction the agent waits for the next one, and its turn's end is not the end of its work. */
export const isPause = ({ kind, instruction }: Message): boolean =>
  kind === 'instruction' && instruction === 'pause'

/** The one that counts of several: null where none of them is an instruction. */
export const lastInstruction = (messages: readonly Message[]): Message | null =>
  messages.findLast(({ kind }) => kind === 'instruction') ?? null
