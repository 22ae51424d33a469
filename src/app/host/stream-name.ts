/** A plan's stream in the log, `<repository>/<plan>`, and which one a name means. */
import { join } from 'node:path'
import { interviewParts } from '../interview/interview-stream.ts'
import type { EventReader, StreamId, StreamInfo } from '../../ports/event-log.ts'
import { realpath } from 'node:fs/promises'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import type { Repositories } from '../../ports/repositories.ts'
import type { HostedPlan } from './hosted-plan.ts'

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
  throw refusal(
    'conflict',
    `${named.length} plans are named ${id}: ${named.join(', ')}`,
    'Run the command inside the repository of the plan.',
  )
}

export function refuseUnknown(id: string): never {
  throw refusal('not_found', `no plan ${id}`, 'List the plans: bosun status')
}

/** What `P-3`, `shop:P-3` or `<repository>:shop:P-3` names: an item of a plan, and whether it may be this plan. */
export function itemNamed(given: string) {
  const parts = given.split(':')
  const named = parts.slice(0, -1).join(':')
  const mayBeIn = ({ id, home }: HostedPlan): boolean =>
    named === '' || named === id || named === `${home.repository.id}:${id}`
  return { item: (parts.at(-1) ?? '').toUpperCase(), mayBeIn }
}

/** Of several plans that a name may mean, those of the repository that the caller is in come first. */
export function nearest(plans: readonly HostedPlan[], repository: string | undefined): readonly HostedPlan[] {
  const near = plans.filter(({ home }) => home.repository.id === repository)
  return near.length > 0 ? near : plans
}

/** A refusal because of the state that the plan is in. */
export const stateConflict = (message: string): Refusal =>
  refusal('conflict', message, 'Check its state: bosun status')

/** The id of the repository at this path; undefined if it has no plans. */
export async function repositoryAt(
  repositories: Pick<Repositories, 'list'>,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined
  const real = await realpath(path).catch(() => path)
  return (await repositories.list()).find((repository) => repository.path === real)?.id
}
