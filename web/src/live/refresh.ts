/** Fetches again what an event made out of date. */
import type { Query, QueryClient } from '@tanstack/react-query'

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
