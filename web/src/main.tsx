/** Starts the page: the hub, the session, then the router. */
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiError } from './api/client.ts'
import { onSession, openSession, type Arrival } from './api/session.ts'
import { listenForMissingParts } from './live/import-part.ts'
import { joinHub } from './live/live.ts'
import { loadPages, router } from './routes.tsx'
import { loadOverlays } from './shell/layout.tsx'
import { applyTheme } from './shell/theme.ts'
import { SignedOut, type SignedOutReason } from './shell/signed-out.tsx'
import './styles.css'

/** Long enough for a worker that runs already; it has nothing to fetch. */
const OTHER_TABS_MS = 400

/** The first screen has long been there. */
const REST_MS = 10_000

applyTheme()

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // The hub says what is out of date.
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // A daemon that is gone is the hub's to notice; a refusal stays one.
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
})

listenForMissingParts()

const otherTabs = joinHub(client)
const arrived = openSession(() => otherTabs(OTHER_TABS_MS))

function App() {
  const [arrival, setArrival] = useState<Arrival | 'ended' | null>(null)
  useEffect(() => {
    let isFirst = true
    const showArrival = async (): Promise<void> => {
      const first = await arrived
      if (isFirst) setArrival(first)
    }
    void showArrival()
    return onSession((session) => {
      isFirst = false
      setArrival(session === null ? 'ended' : 'signed_in')
    })
  }, [])
  const isSignedIn = arrival === 'signed_in'
  useEffect(() => {
    if (!isSignedIn) return
    const timer = setTimeout(() => void Promise.all([loadPages(), loadOverlays()]), REST_MS)
    return () => clearTimeout(timer)
  }, [isSignedIn])
  if (arrival === null) return null
  if (arrival !== 'signed_in') return <SignedOut reason={arrival satisfies SignedOutReason} />
  return <RouterProvider router={router} />
}

const place = document.getElementById('root')
if (place === null) throw new Error('the page has no root')
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
