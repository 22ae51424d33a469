/** Which parts of a page are older than they should be, since the daemon answered but gave nothing newer. Pure. */
import type { Query } from '@tanstack/react-query'
import { ApiError, isWorthRetrying } from '../api/client.ts'

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
