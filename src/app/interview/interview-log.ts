/** Loads the machine of an interview's stream, and saves snapshots. */
import { interviewParts } from './interview-stream.ts'
import { foldInterview, MACHINE_SHAPE } from '../../core/interview/fold.ts'
import type { Machine } from '../../core/interview/machine.ts'
import { isInterviewEvent, type LogEvent } from '../../core/log/log-events.ts'
import { BrokenEvent, type Entry, type EventLog, type StreamId } from '../../ports/event-log.ts'

export type InterviewLog = Pick<
  EventLog<LogEvent>,
  'append' | 'read' | 'streams' | 'closeStream' | 'loadSnapshot' | 'saveSnapshot'
>

export interface InterviewStream {
  readonly stream: StreamId
  readonly number: number
  readonly closed: boolean
}

/** The machines of a repository, open and closed. */
export async function interviewStreams(
  log: Pick<InterviewLog, 'streams'>,
  repository: string,
): Promise<readonly InterviewStream[]> {
  const all = [...(await log.streams({ open: true })), ...(await log.streams({ open: false }))]
  return all.flatMap(({ stream, closed }) => {
    const place = interviewParts(stream)
    return place?.repository === repository ? [{ stream, closed, number: place.number }] : []
  })
}

const PAGE = 500
/** Interviews are short; a long one is not folded from its start each time. */
export const SNAPSHOT_EVERY = 200

export interface LoadedMachine {
  readonly machine: Machine
  readonly seq: number
}

/** Throws BrokenEvent, or an Error where the events make no machine. */
export async function loadMachine(
  log: Pick<InterviewLog, 'read' | 'loadSnapshot'>,
  stream: StreamId,
): Promise<LoadedMachine> {
  const snapshot = await log.loadSnapshot(stream)
  const known = snapshot?.shape === MACHINE_SHAPE ? snapshot : null
  // Written by saveMachine, in this shape.
  let machine = known === null ? null : (known.state as Machine)
  let seq = known?.seq ?? 0
  for (;;) {
    const page = await log.read(stream, machine?.version ?? 0, PAGE)
    for (const entry of page) {
      machine = foldInterview(machine, interviewEntry(entry))
      seq = entry.seq
    }
    if (page.length < PAGE) break
  }
  if (machine === null) throw new Error(`no interview in stream ${stream}`)
  return { machine, seq }
}

function interviewEntry({ event, seq, stream, version, at }: Entry<LogEvent>) {
  if (isInterviewEvent(event)) return { version, at, event }
  const problem = `${event.type} is not an event of an interview`
  throw new BrokenEvent({ seq, stream, problem, remedy: 'The database is damaged: restore a backup.' })
}

export async function saveMachine(
  log: Pick<InterviewLog, 'saveSnapshot'>,
  stream: StreamId,
  { machine, seq }: LoadedMachine,
): Promise<void> {
  const state: unknown = structuredClone(machine)
  await log.saveSnapshot({ stream, version: machine.version, seq, shape: MACHINE_SHAPE, state })
}
