/** Every address of the page. Each page is a chunk of its own, loaded when it is first shown. Filters are in the query string. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { importPart } from './live/import-part.ts'
import { Layout } from './shell/layout.tsx'
import { NotFound, PageError, PagePending } from './shell/page-states.tsx'

/** Every value is text, as it stands in the address. `repo` chooses among repositories with plans of the same id. */
export interface Search {
  readonly repo?: string
  readonly [name: string]: string | undefined
}

const validateSearch = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string')) as Search

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound, validateSearch })
const getParentRoute = () => root

const needsYou = createRoute({
  getParentRoute,
  path: '/',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/needs-you/needs-you-page.tsx')),
    'NeedsYouPage',
  ),
})
const start = createRoute({
  getParentRoute,
  path: '/start',
  component: lazyRouteComponent(() => importPart(() => import('./pages/start/start-page.tsx')), 'StartPage'),
})
const interview = createRoute({
  getParentRoute,
  path: '/interview/$id',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/interview/interview-page.tsx')),
    'InterviewPage',
  ),
})
const plan = createRoute({
  getParentRoute,
  path: '/p/$plan',
  component: lazyRouteComponent(() => importPart(() => import('./pages/plan/plan-page.tsx')), 'PlanPage'),
})
const task = createRoute({
  getParentRoute,
  path: '/p/$plan/t/$task',
  component: lazyRouteComponent(() => importPart(() => import('./pages/task/task-page.tsx')), 'TaskPage'),
})
const release = createRoute({
  getParentRoute,
  path: '/p/$plan/release',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/release/release-page.tsx')),
    'ReleasePage',
  ),
})
const workers = createRoute({
  getParentRoute,
  path: '/workers',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/workers/workers-page.tsx')),
    'WorkersPage',
  ),
})
const worker = createRoute({
  getParentRoute,
  path: '/workers/$id',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/workers/worker-page.tsx')),
    'WorkerPage',
  ),
})
const activity = createRoute({
  getParentRoute,
  path: '/activity',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/activity/activity-page.tsx')),
    'ActivityPage',
  ),
})
const crew = createRoute({
  getParentRoute,
  path: '/crew',
  component: lazyRouteComponent(() => importPart(() => import('./pages/crew/crew-page.tsx')), 'CrewPage'),
})
const metrics = createRoute({
  getParentRoute,
  path: '/metrics',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/metrics/metrics-page.tsx')),
    'MetricsPage',
  ),
})
const settings = createRoute({
  getParentRoute,
  path: '/settings',
  component: lazyRouteComponent(
    () => importPart(() => import('./pages/settings/settings-page.tsx')),
    'SettingsPage',
  ),
})

export const router = createRouter({
  routeTree: root.addChildren([
    needsYou,
    start,
    interview,
    plan,
    task,
    release,
    workers,
    worker,
    activity,
    crew,
    metrics,
    settings,
  ]),
  defaultPreload: 'intent',
  defaultPendingComponent: PagePending,
  defaultPendingMs: 150,
  defaultErrorComponent: PageError,
  scrollRestoration: true,
  // Plain text in, plain text out: `?view=list`, never JSON.
  parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
  stringifySearch: (search) => {
    const pairs = Object.entries(search).filter(([, value]) => typeof value === 'string' && value !== '')
    const text = new URLSearchParams(pairs as [string, string][]).toString()
    return text === '' ? '' : `?${text}`
  },
})

/** Loads every page that was not opened yet, so that each can be read without the daemon. */
export async function loadPages(): Promise<void> {
  for (const route of Object.values(router.routesById)) await router.loadRouteChunk(route)
}

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
