/** Every address of the page. Each page is a chunk of its own, loaded when it is first shown. Filters are in the query string. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { importPart } from './live/import-part.ts'
import { Layout } from './shell/layout.tsx'
import { NotFound, PageError, PagePending } from './shell/page-states.tsx'
import type { ReactNode } from 'react'

/** Every value is text, as it stands in the address. `repo` chooses among repositories with plans of the same id. */
export interface Search {
  readonly repo?: string
  readonly [name: string]: string | undefined
}

const validateSearch = (search: Record<string, unknown>): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => typeof value === 'string')) as Search

const root = createRootRoute({ component: Layout, notFoundComponent: NotFound, validateSearch })
const getParentRoute = () => root

/** `name`: what the module calls the page. */
const page = <const Path extends string, Name extends string>(
  path: Path,
  name: Name,
  load: () => Promise<Record<Name, () => ReactNode>>,
) => createRoute({ getParentRoute, path, component: lazyRouteComponent(() => importPart(load), name) })

export const router = createRouter({
  routeTree: root.addChildren([
    page('/', 'NeedsYouPage', () => import('./pages/needs-you/needs-you-page.tsx')),
    page('/start', 'StartPage', () => import('./pages/start/start-page.tsx')),
    page('/interview/$id', 'InterviewPage', () => import('./pages/interview/interview-page.tsx')),
    page('/p/$plan', 'PlanPage', () => import('./pages/plan/plan-page.tsx')),
    page('/p/$plan/t/$task', 'TaskPage', () => import('./pages/task/task-page.tsx')),
    page('/p/$plan/release', 'ReleasePage', () => import('./pages/release/release-page.tsx')),
    page('/workers', 'WorkersPage', () => import('./pages/workers/workers-page.tsx')),
    page('/workers/$id', 'WorkerPage', () => import('./pages/workers/worker-page.tsx')),
    page('/activity', 'ActivityPage', () => import('./pages/activity/activity-page.tsx')),
    page('/crew', 'CrewPage', () => import('./pages/crew/crew-page.tsx')),
    page('/metrics', 'MetricsPage', () => import('./pages/metrics/metrics-page.tsx')),
    page('/settings', 'SettingsPage', () => import('./pages/settings/settings-page.tsx')),
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
