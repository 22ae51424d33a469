import { useEffect, useRef, useState } from 'react'
import type { Places } from './layout-graph.ts'
import type { LayoutAnswer, LayoutRequest } from './layout.worker.ts'
import type { ShownGraph } from './shown-graph.ts'

export type Layout =
  | { readonly kind: 'busy' }
  | { readonly kind: 'ready'; readonly graph: ShownGraph; readonly places: Places }
  | { readonly kind: 'failed'; readonly why: string }

/** Lays the graph out in a worker. While a new layout is made, the one before stays. */
export function useLayout(graph: ShownGraph): Layout {
  const [layout, setLayout] = useState<Layout>({ kind: 'busy' })
  const worker = useRef<Worker | null>(null)
  const asked = useRef<{ id: number; graph: ShownGraph }>({ id: 0, graph })
  useEffect(() => {
    const one = new Worker(new URL('layout.worker.ts', import.meta.url), { type: 'module', name: 'layout' })
    worker.current = one
    one.addEventListener('message', ({ data }: MessageEvent<LayoutAnswer>) => {
      // Only the newest request counts.
      if (data.id !== asked.current.id) return
      if ('why' in data) setLayout({ kind: 'failed', why: data.why })
      else {
        // For measurements with the browser's own tools.
        performance.measure('layout of the graph', { start: performance.now() - data.ms, duration: data.ms })
        setLayout({ kind: 'ready', graph: asked.current.graph, places: data.places })
      }
    })
    one.addEventListener('error', ({ message }) => {
      setLayout({ kind: 'failed', why: message === '' ? 'the layout could not be loaded' : message })
    })
    return () => {
      worker.current = null
      one.terminate()
    }
  }, [])
  useEffect(() => {
    asked.current = { id: asked.current.id + 1, graph }
    worker.current?.postMessage({ id: asked.current.id, graph } satisfies LayoutRequest)
  }, [graph])
  return layout
}
