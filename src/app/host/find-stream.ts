/** Which plan a name stands for. */
import { realpath } from 'node:fs/promises'
import { Refusal } from '../../lib/refusal.ts'
import type { StreamId } from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import { streamParts } from './stream-name.ts'

/** The one stream of a plan of this name; `repository` decides where there are several. Refuses if there is none. */
export function streamNamed(streams: Iterable<StreamId>, id: string, repository?: string): StreamId {
  const named = [...new Set(streams)].filter((stream) => streamParts(stream)?.plan === id)
  const near = named.filter((stream) => streamParts(stream)?.repository === repository)
  const [stream, other] = near.length > 0 ? near : named
  if (stream === undefined) return refuseUnknown(id)
  if (other === undefined) return stream
  throw new Refusal({
    code: 'conflict',
    message: `there are ${named.length} plans named ${id}: ${named.join(', ')}`,
    remedy: 'Call it from inside the repository that is meant.',
  })
}

export function refuseUnknown(id: string): never {
  throw new Refusal({
    code: 'not_found',
    message: `there is no plan ${id}`,
    remedy: 'See what there is: bosun status',
  })
}

/** The id of the repository at this path; undefined where none was ever registered there. */
export async function repositoryAt(
  repositories: Pick<Repositories, 'list'>,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined
  const real = await realpath(path).catch(() => path)
  return (await repositories.list()).find((repository) => repository.path === real)?.id
}
