/** A plan's stream in the log: `<repository>/<plan>`. */
import type { EventReader, StreamId, StreamInfo } from '../../ports/event-log.ts'

export const streamOf = (repository: string, plan: string): StreamId => `${repository}/${plan}`

/** Null for a stream that is not a plan's. */
export function streamParts(stream: StreamId): { readonly repository: string; readonly plan: string } | null {
  const at = stream.lastIndexOf('/')
  return at <= 0 ? null : { repository: stream.slice(0, at), plan: stream.slice(at + 1) }
}

/** The streams of all plans, open and closed. */
export async function allStreams(log: Pick<EventReader, 'streams'>): Promise<readonly StreamInfo[]> {
  return [...(await log.streams({ open: true })), ...(await log.streams({ open: false }))]
}
