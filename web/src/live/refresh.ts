/** Fetches again what an event made out of date. */
import type { Query, QueryClient } from '@tanstack/react-query'
import { ApiError, isWorthRetrying } from '../api/client.ts'

/**
 * A first fetch that is under way is not begun anew by an invalidation, and its answer may be from before the event: it is
 * asked again once it is there.
 */
export function refresh(client: QueryClient, predicate: (query: Query) => boolean): void {
  const begun = client
    .getQueryCache()
    .findAll({ predicate, fetchStatus: 'fetching' })
    .filter(({ state }) => state.data === undefined)
  void client.invalidateQueries({ predicate })
  for (const { promise, queryKey } of begun)
    void promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      // It failed, and shows that; a retry asks again.
      () => undefined,
    )
}

/** Which parts of a page are older than they should be, since the daemon answered but gave nothing newer. Pure. */
interface Fetched {
  readonly state: Pick<Query['state'], 'status' | 'data' | 'error' | 'dataUpdatedAt' | 'fetchStatus'>
  isActive(): boolean
}

/**
 * Those on this page that have an earlier answer and failed to get a newer one. A refusal is not among them: what it is about
 * has ended, and another part of the page shows that. Nor is what failed while the daemon was away and is fetched right now.
 */
export function unrefreshed<Q extends Fetched>(queries: readonly Q[]): readonly Q[] {
  return queries.filter(
    (query) =>
      query.isActive() &&
      query.state.status === 'error' &&
      query.state.data !== undefined &&
      isWorthRetrying(query.state.error) &&
      !(query.state.fetchStatus === 'fetching' && isOffline(query.state.error)),
  )
}

const isOffline = (error: unknown): boolean => error instanceof ApiError && error.status === 0

/** The oldest of what they show, in milliseconds; null where all is new. */
export const shownAsOf = (queries: readonly Fetched[]): number | null =>
  queries.length === 0 ? null : Math.min(...queries.map(({ state }) => state.dataUpdatedAt))
