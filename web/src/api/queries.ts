/**
 * What pages read. The first part of each key is its family, which decides what an event makes out of date (touched.ts).
 * Cached answers are shown at once while newer ones are fetched.
 */
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import {
  read,
  send,
  type BodyOf,
  type ChangeRoute,
  type ParamsOf,
  type ReadRoute,
  type SentQuery,
} from './client.ts'

/** The path of a repository; undefined where ids are not ambiguous. */
export type Repo = string | undefined

function useRead<R extends ReadRoute>(
  key: readonly unknown[],
  route: R,
  params: ParamsOf<R>,
  query: SentQuery<R>,
  enabled = true,
) {
  return useQuery({
    queryKey: [...key, query],
    queryFn: ({ signal }) => read(route, params, query, signal),
    enabled,
  })
}

/** The hub keeps it true: it is fetched here only where the hub has none yet. */
export function useSnapshot() {
  return useQuery({
    queryKey: ['snapshot'],
    queryFn: ({ signal }) => read('GET /api/snapshot', {}, {}, signal),
    staleTime: Infinity,
  })
}

export const usePlanGraph = (plan: string, repo?: Repo) =>
  useRead(['plan', 'graph', plan], 'GET /api/plans/{id}/graph', { id: plan }, { repo })
export const usePlanTimeline = (plan: string, repo?: Repo, enabled = true) =>
  useRead(['plan', 'timeline', plan], 'GET /api/plans/{id}/timeline', { id: plan }, { repo }, enabled)
export const usePlanBudget = (plan: string, repo?: Repo) =>
  useRead(['plan', 'budget', plan], 'GET /api/plans/{id}/budget', { id: plan }, { repo })
export const usePlanForecast = (plan: string, repo?: Repo) =>
  useRead(['plan', 'forecast', plan], 'GET /api/plans/{id}/forecast', { id: plan }, { repo })
export const usePlanRelease = (plan: string, repo?: Repo) =>
  useRead(['plan', 'release', plan], 'GET /api/plans/{id}/release', { id: plan }, { repo })
export const useTrace = (plan: string, repo?: Repo) =>
  useRead(['plan', 'trace', plan], 'GET /api/trace', {}, { plan, repo })

export const useTask = (plan: string, task: string, repo?: Repo) =>
  useRead(['task', 'whole', plan, task], 'GET /api/tasks/{id}', { id: task }, { plan, repo })
export const useTaskDiff = (plan: string, task: string, repo?: Repo) =>
  useRead(['task', 'diff', plan, task], 'GET /api/tasks/{id}/diff', { id: task }, { plan, repo })

export const usePermissions = () => useRead(['inbox', 'permissions'], 'GET /api/permissions', {}, {})

export const useWorker = (worker: string, repo?: Repo) =>
  useRead(['worker', 'whole', worker], 'GET /api/workers/{id}', { id: worker }, { repo })
export const useWorkerJournal = (worker: string, repo?: Repo) =>
  useRead(['worker', 'journal', worker], 'GET /api/workers/{id}/journal', { id: worker }, { repo })
export const useWorkerDiff = (worker: string, repo?: Repo, enabled = true) =>
  useRead(['worker', 'diff', worker], 'GET /api/workers/{id}/diff', { id: worker }, { repo }, enabled)
/** One page of a transcript; `after` is where the page before ended. */
export const readTranscript = (worker: string, repo: Repo, after?: string, signal?: AbortSignal) =>
  read('GET /api/workers/{id}/log', { id: worker }, { repo, after }, signal)

/** An inbox item with its evidence. */
export const useInboxItem = (item: string, repo?: Repo, enabled = true) =>
  useRead(['inbox', 'item', item], 'GET /api/inbox/{id}', { id: item }, { repo }, enabled)

export const useCrew = () => useRead(['crew'], 'GET /api/crew', {}, {})
/** Who judges a request in this repository. It is only looked up: nobody is asked. */
export const useBrain = (repo: string, enabled: boolean) =>
  useRead(['brain'], 'GET /api/brain', {}, { repo }, enabled)
export const useMetrics = () => useRead(['metrics', 'now'], 'GET /api/metrics', {}, {})
export const useMetricsHistory = (query: {
  readonly repo?: Repo
  readonly plan?: string
  readonly days: number
}) =>
  useQuery({
    queryKey: ['metrics', 'history', query],
    queryFn: ({ signal }) => read('GET /api/metrics/history', {}, query, signal),
    placeholderData: keepPreviousData,
  })
export const useSettings = (repo?: Repo) => useRead(['settings'], 'GET /api/settings', {}, { repo })
export const useDoctor = (repo?: Repo, enabled = true) =>
  useRead(['doctor'], 'GET /api/doctor', {}, { repo }, enabled)

export const useInterview = (repo: string, enabled = true) =>
  useRead(['interview', 'status'], 'GET /api/pm/status', {}, { repo }, enabled)
/**
 * The draft with this hash; null without one. It is fetched when the status names another draft, not with every event: the
 * event that ends an interview ends its draft too.
 */
export const useInterviewPreview = (repo: string, draft: string | null) =>
  useRead(['draft', 'preview', draft], 'GET /api/pm/preview/spec', {}, { repo }, draft !== null)
/** The spec as far as the conversation has come; `at` changes with it. */
export const useInterviewOutline = (repo: string, at: string) =>
  useQuery({
    queryKey: ['draft', 'outline', at, { repo }],
    queryFn: ({ signal }) => read('GET /api/pm/preview/outline', {}, { repo }, signal),
    placeholderData: keepPreviousData,
  })
export const useInterviewChat = (repo: string) =>
  useRead(['interview', 'chat'], 'GET /api/pm/chat', {}, { repo })

/** Backwards, the newest first. */
export const useActivity = (query: Omit<SentQuery<'GET /api/activity'>, 'before'>) =>
  useInfiniteQuery({
    queryKey: ['activity', query],
    queryFn: ({ pageParam, signal }) =>
      read('GET /api/activity', {}, { limit: 100, ...query, before: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next ?? undefined,
  })

export interface Change<R extends ChangeRoute> {
  readonly params: ParamsOf<R>
  readonly body: BodyOf<R> & object
  /** The caller's own, where a change may be sent again. */
  readonly key?: string
}

/** Sends a change by one of these routes. What the page shows changes when the daemon has answered, never before. */
export function useChange<R extends ChangeRoute>(route: R) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ params, body, key }: Change<R>) => send(route, params, body, key),
    onSettled: () => client.invalidateQueries(),
  })
}
