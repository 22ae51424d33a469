/** What a session that could not be opened comes to. */
import { providerTrouble } from '../../../core/watch/providers/provider-limits.ts'
import { zoneOffsetMs } from '../../../lib/system/zone-offset.ts'
import type { Ending } from '../worker-end.ts'
import { messageOf } from './rpc-errors.ts'
import { ChoiceRefused } from './session-choice.ts'

export interface Unopened {
  /** How the session ended. */
  readonly ending: Ending
  /** Whether the agent can be run as a plain command. */
  readonly hasCommand: boolean
  /** The end of its output and messages. */
  readonly output: string
}

/** Where neither its provider nor the settings are the reason, running it as a command may work. */
export function unopened(cause: unknown, { ending, hasCommand, output }: Unopened): Ending {
  if (!hasCommand || cause instanceof ChoiceRefused) return ending
  const isTurnedAway =
    ending.kind === 'turn' ? ending.outcome.kind !== 'failed' : providerTrouble(output, clock()) !== null
  return isTurnedAway ? ending : { kind: 'not_opened', why: messageOf(cause) }
}

export const clock = () => ({ now: Date.now(), offsetMs: zoneOffsetMs })
