/** A plan's stream in the log: `<repository>/<plan>`. */
import { join } from 'node:path'
import { interviewParts } from '../interview/interview-stream.ts'
import type { EventReader, StreamId, StreamInfo } from '../../ports/event-log.ts'

export const streamOf = (repository: string, plan: string): StreamId => `${repository}/${plan}`

/** Null for a stream that is not a plan's. */
export function streamParts(stream: StreamId): { readonly repository: string; readonly plan: string } | null {
  const at = stream.lastIndexOf('/')
  return at <= 0 ? null : { repository: stream.slice(0, at), plan: stream.slice(at + 1) }
}

/** The repository that a stream is about; null for a stream that is about none. */
export const repositoryOfStream = (stream: StreamId): string | null =>
  (streamParts(stream) ?? interviewParts(stream))?.repository ?? null

/** Where a repository's workers and other programs put files for Bosun, and see its own. */
export const coordinationFolder = (root: string, repository: string): string =>
  join(root, 'repos', repository, 'coordination')

/** All streams, open and closed. */
export async function allStreams(log: Pick<EventReader, 'streams'>): Promise<readonly StreamInfo[]> {
  return [...(await log.streams({ open: true })), ...(await log.streams({ open: false }))]
}
