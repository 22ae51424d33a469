/** A plan's stream in the log: `<repository>/<plan>`. */
import type { StreamId } from '../../ports/event-log.ts'

export const streamOf = (repository: string, plan: string): StreamId => `${repository}/${plan}`

/** Null for a stream that is not a plan's. */
export function streamParts(stream: StreamId): { readonly repository: string; readonly plan: string } | null {
  const at = stream.lastIndexOf('/')
  return at <= 0 ? null : { repository: stream.slice(0, at), plan: stream.slice(at + 1) }
}
