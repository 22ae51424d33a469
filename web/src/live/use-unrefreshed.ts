/** Whether this page shows something older than it should, with the way to ask again. */
import { notifyManager, useQueryClient, type Query, type QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { retryNow, useLive, useSnapshotFailure } from './live.ts'
import { shownAsOf, unrefreshed } from './refresh.ts'

export interface Unrefreshed {
  /** Milliseconds since the epoch. */
  readonly asOf: number
  readonly isRetrying: boolean
  readonly retry: () => void
}

/** Null where everything is new, and where the daemon is away: the bar says that. */
export function useUnrefreshed(): Unrefreshed | null {
  const client = useQueryClient()
  const { state } = useLive()
  const snapshotAt = useSnapshotFailure()
  const read = <T>(of: (queries: readonly Query[]) => T): T =>
    of(unrefreshed(client.getQueryCache().getAll()))
  const watch = (changed: () => void) => watchQueries(client, changed)
  const queriedAt = useSyncExternalStore(watch, () => read(shownAsOf))
  const isRetrying = useSyncExternalStore(watch, () =>
    read((all) => all.some((query) => query.state.fetchStatus === 'fetching')),
  )
  const times = [queriedAt, snapshotAt].filter((at) => at !== null)
  if (state !== 'live' || times.length === 0) return null
  const retry = (): void => {
    if (snapshotAt !== null) retryNow()
    for (const query of unrefreshed(client.getQueryCache().getAll()))
      void client.refetchQueries({ queryKey: query.queryKey, exact: true })
  }
  return { asOf: Math.min(...times), isRetrying, retry }
}

/** Later, not within the drawing of what changed it. */
const watchQueries = (client: QueryClient, changed: () => void): (() => void) =>
  client.getQueryCache().subscribe(notifyManager.batchCalls(changed))
