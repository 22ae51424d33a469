/** The frame around every page: rail, header, what is offline, and on a phone the bar at the bottom. */
import { Outlet, useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useSnapshot } from '../api/queries.ts'
import { importPart } from '../live/import-part.ts'
import { Toaster } from '../ui/toast.tsx'
import { Header } from './header.tsx'
import { listenForKeys, useKeys } from './commands/keys.ts'
import { DESTINATIONS } from './navigation.ts'
import { countNeeds } from './needs-you.ts'
import { useNotices } from './notices/notices.tsx'
import { OfflineBar, RefreshLine } from './offline-bar.tsx'
import { openPalette, showOverlay, useOverlay } from './commands/palette-state.ts'
import { PhoneBar } from './phone-bar.tsx'
import { Rail } from './rail.tsx'
import { setNeedsYouCount } from './page.tsx'

const importPalette = () => importPart(() => import('./commands/palette.tsx'))
const importHelp = () => importPart(() => import('./commands/help.tsx'))
const Palette = lazy(async () => ({ default: (await importPalette()).Palette }))
const Help = lazy(async () => ({ default: (await importHelp()).Help }))

/** Loads what is shown over the page before it is first asked for. */
export async function loadOverlays(): Promise<void> {
  await Promise.all([importPalette(), importHelp()])
}

export function Layout() {
  const { data } = useSnapshot()
  const count = countNeeds(data)
  useEffect(() => setNeedsYouCount(count), [count])
  useEffect(listenForKeys, [])
  useNotices()
  return (
    <>
      <a
        href="#main"
        className="fixed top-1 left-1 z-50 -translate-y-16 rounded-md bg-text px-3 py-2 text-bg focus:translate-y-0"
      >
        Skip to content
      </a>
      <div className="min-h-dvh lg:grid lg:grid-cols-[220px_minmax(0,1fr)]">
        <Rail />
        <div className="flex min-h-dvh min-w-0 flex-col">
          <Header />
          <OfflineBar />
          <main id="main" tabIndex={-1} className="relative min-w-0 flex-1 pb-16 outline-none lg:pb-8">
            <RefreshLine />
            <Outlet />
          </main>
        </div>
      </div>
      <PhoneBar />
      <Overlays />
      <Toaster />
    </>
  )
}

function Overlays() {
  const overlay = useOverlay()
  const navigate = useNavigate()
  useKeys('Everywhere', [
    { keys: 'Ctrl+K', label: 'Search and commands', run: openPalette },
    ...DESTINATIONS.map(({ to, label, key }) => ({
      keys: `g ${key}`,
      label: `Go to ${label}`,
      run: () => void navigate({ to, search: {} }),
    })),
    { keys: '?', label: 'This list', run: () => showOverlay('keys') },
  ])
  return (
    <Suspense fallback={null}>
      {overlay === 'palette' && <Palette />}
      {overlay === 'keys' && <Help isOpen onClose={() => showOverlay(null)} />}
    </Suspense>
  )
}
