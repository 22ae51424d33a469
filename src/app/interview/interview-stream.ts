/** The stream of an interview in the log: `interview:<repository>:<number>`. It has no slash, as a plan's has. */
import type { StreamId } from '../../ports/event-log.ts'

const INTERVIEW = /^interview:([^/:]+):([1-9]\d{0,8})$/

export const interviewStreamOf = (repository: string, number: number): StreamId =>
  `interview:${repository}:${number}`

/** Null for a stream that is not an interview's. */
export function interviewParts(
  stream: StreamId,
): { readonly repository: string; readonly number: number } | null {
  const [, repository, number] = INTERVIEW.exec(stream) ?? []
  return repository === undefined ? null : { repository, number: Number(number) }
}
