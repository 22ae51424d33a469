/** Resolves the name of a plan. */
import { realpath } from 'node:fs/promises'
import { Refusal } from '../../lib/refusal.ts'
import type { EventReader, StreamId } from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import { allStreams, streamParts } from './stream-name.ts'

/** The stream of the plan with this name; `repository` decides between several. Throws a refusal without one. */
export async function streamNamed(
  log: Pick<EventReader, 'streams'>,
  id: string,
  repository?: string,
): Promise<StreamId> {
  const all = (await allStreams(log)).map(({ stream }) => stream)
  const named = all.filter((stream) => streamParts(stream)?.plan === id)
  const near = named.filter((stream) => streamParts(stream)?.repository === repository)
  const [stream, other] = near.length > 0 ? near : named
  if (stream === undefined) return refuseUnknown(id)
  if (other === undefined) return stream
  throw new Refusal({
    code: 'conflict',
    message: `${named.length} plans are named ${id}: ${named.join(', ')}`,
    remedy: 'Run the command inside the repository of the plan.',
  })
}

export function refuseUnknown(id: string): never {
  throw new Refusal({
    code: 'not_found',
    message: `no plan ${id}`,
    remedy: 'List the plans: bosun status',
  })
}

/** A refusal because of the state that the plan is in. */
export const stateConflict = (message: string): Refusal =>
  new Refusal({ code: 'conflict', message, remedy: 'Check its state: bosun status' })

/** The id of the repository at this path; undefined if it has no plans. */
export async function repositoryAt(
  repositories: Pick<Repositories, 'list'>,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined
  const real = await realpath(path).catch(() => path)
  return (await repositories.list()).find((repository) => repository.path === real)?.id
}
