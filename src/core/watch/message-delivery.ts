/** When a message reaches an agent that takes messages between its turns only. */
import type { InstructionType, Message } from '../event-schemas/watch.ts'

/** `with_next_turn`: a notice; it alone is no reason for another turn. */
export type DeliveryTime = 'at_once' | 'interrupts' | 'after_turn' | 'with_next_turn'

/** Only these instructions may interrupt a working agent. */
const INTERRUPTING: ReadonlySet<InstructionType | undefined> = new Set(['pause', 'revise', 'abort'])

type Deliverable = Pick<Message, 'kind' | 'instruction' | 'permission'>

export function deliveryTime({ kind, instruction, permission }: Deliverable): DeliveryTime {
  if (permission !== undefined) return 'at_once'
  switch (kind) {
    case 'instruction':
      return INTERRUPTING.has(instruction) ? 'interrupts' : 'after_turn'
    // An agent without a sign of life for this long is not taken to work.
    case 'restart':
      return 'interrupts'
    case 'answer':
      return 'after_turn'
    case 'warning':
    case 'reminder':
    case 'nudge':
      return 'with_next_turn'
  }
}

/** How messages reach a worker at the moment: into its session, or with its check-ins. */
export type DeliveryChannel = 'session' | 'checkin' | 'not_started' | 'paused'

/** When a message that waits reaches its worker, for people: "delivered …". */
export function deliveryText(message: Deliverable, channel: DeliveryChannel): string {
  if (channel === 'not_started') return 'as soon as the worker has started'
  const time = deliveryTime(message)
  if (channel === 'paused' && message.kind !== 'instruction') return 'once the paused worker continues'
  if (channel === 'checkin') {
    const isTooLate = time === 'interrupts' ? ', so this does not interrupt its agent' : ''
    return `with its next check-in${isTooLate}`
  }
  switch (time) {
    case 'at_once':
      return 'at once'
    case 'interrupts':
      return channel === 'paused' ? 'at once' : "at once; it interrupts the agent's turn"
    case 'after_turn':
      return channel === 'paused' ? 'at once' : "when the agent's turn ends"
    case 'with_next_turn':
      return "with the agent's next prompt, if there is one; it does not interrupt the turn"
  }
}

/** After such an instruction the agent waits for the next one, and its turn's end is not the end of its work. */
export const isPause = ({ kind, instruction }: Message): boolean =>
  kind === 'instruction' && instruction === 'pause'

/** The one that counts of several: null where none of them is an instruction. */
export const lastInstruction = (messages: readonly Message[]): Message | null =>
  messages.findLast(({ kind }) => kind === 'instruction') ?? null
