/** Lays a graph out off the main thread: 1,000 tasks take seconds. */
import { layoutGraph, type Places } from './layout-graph.ts'
import type { ShownGraph } from './shown-graph.ts'

export interface LayoutRequest {
  readonly id: number
  readonly graph: ShownGraph
}

export type LayoutAnswer =
  | { readonly id: number; readonly places: Places; readonly ms: number }
  | { readonly id: number; readonly why: string }

addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const start = performance.now()
  postMessage(answer(data, start))
})

function answer({ id, graph }: LayoutRequest, start: number): LayoutAnswer {
  try {
    return { id, places: layoutGraph(graph), ms: performance.now() - start }
  } catch (error) {
    return { id, why: error instanceof Error ? error.message : String(error) }
  }
}
