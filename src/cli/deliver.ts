/** Delivers what a worker sends: to the daemon if it responds, else as a file for later. */
import { CHECKINS, leaveFile, sendToDaemon, workerHere } from '../client/worker-call.ts'
import type { CheckinAnswer } from '../protocol/answers.ts'
import type { Call, CommandResult } from './command.ts'

export interface DaemonAnswer {
  readonly accepted: boolean
  readonly instructions: CheckinAnswer['instructions']
  readonly notes?: readonly string[]
  readonly why?: string
}

/** Where a message waits for the next daemon. */
const PLACES = {
  checkin: { route: 'checkins', folder: CHECKINS, prefix: '' },
  request: { route: 'requests', folder: 'pm-requests/pending', prefix: 'req-' },
} as const

export async function deliver(
  call: Call,
  what: keyof typeof PLACES,
  message: Readonly<Record<string, unknown>>,
): Promise<CommandResult> {
  const worker = workerHere(call.terminal.env)
  const { route, ...place } = PLACES[what]
  const answer = await sendToDaemon<DaemonAnswer>(worker, route, message)
  return deliveryResult(answer, answer === null ? leaveFile(worker, place, message) : null)
}

/** `answer` is null when no daemon answered and the message was left as a file. */
export function deliveryResult(answer: DaemonAnswer | null, file: string | null): CommandResult {
  if (answer === null)
    return {
      exit: 'ok',
      document: { accepted: null, file, instructions: [], notes: [] },
      text: () => `No daemon is responding; saved to ${file} for later delivery.\n`,
    }
  const { accepted, instructions, notes = [], why } = answer
  const remarks = why === undefined ? notes : [...notes, why]
  const lines = [...instructions.map(({ kind, text }) => `${kind}: ${text}`), ...remarks]
  return {
    exit: 'ok',
    document: { accepted, file: null, instructions, notes: remarks },
    text: () => lines.map((line) => `${line}\n`).join(''),
  }
}
