/** Where the graph opens: at what is going on, at its natural size. */
import { columnOf, compareTasks, COLUMN_IDS, type PlanTask } from '../tasks/columns.ts'
import { NODE_HEIGHT, NODE_WIDTH, type Place, type Places } from './layout-graph.ts'

const MARGIN = 32

/** What is stuck, at work or ready, the most urgent first; else what waits; of a finished plan, what was done last. */
export function frontierOf(tasks: readonly PlanTask[]): readonly string[] {
  const open = tasks.filter(({ status }) => status !== 'completed')
  const active = open.filter((task) => columnOf(task) !== 'waiting')
  const chosen = active.length > 0 ? active : open.length > 0 ? open : tasks
  const rank = (task: PlanTask): number => COLUMN_IDS.indexOf(columnOf(task))
  return chosen.toSorted((a, b) => rank(a) - rank(b) || compareTasks(a, b)).map(({ id }) => id)
}

export interface Viewport {
  readonly x: number
  readonly y: number
  readonly zoom: number
}

/**
 * Shows the whole graph or all of the frontier where the pane has room for it, else the part with the most of the frontier in
 * it. The most urgent tasks count more.
 */
export function openingViewport(
  places: Places,
  frontier: readonly string[],
  pane: { readonly width: number; readonly height: number },
): Viewport {
  const found = frontier.flatMap((id) => places[id] ?? [])
  const all = found.length > 0 ? found : Object.values(places)
  if (all.length === 0) return { x: MARGIN, y: MARGIN, zoom: 1 }
  for (const box of [boxOf(Object.values(places)), boxOf(all)]) {
    const zoom = zoomFor(box, pane)
    if (zoom !== null) return centred(box, pane, zoom)
  }
  const { x, y } = fullestCorner(all.slice(0, MOST_COMPARED), pane)
  return { x: MARGIN - x, y: MARGIN + TOOLS_HEIGHT - y, zoom: 1 }
}

/** Every pair of them is a corner that is tried. */
const MOST_COMPARED = 60
/** What lies over the upper edge of the pane. */
const TOOLS_HEIGHT = 40

/** The upper left corner from which the pane holds most; places come in the order of their urgency. */
function fullestCorner(
  places: readonly Place[],
  pane: { readonly width: number; readonly height: number },
): Place {
  const [width, height] = [
    pane.width - NODE_WIDTH - 2 * MARGIN,
    pane.height - NODE_HEIGHT - 2 * MARGIN - TOOLS_HEIGHT,
  ]
  let best: Place = { x: 0, y: 0 }
  let most = -1
  for (const { x } of places) {
    for (const { y } of places) {
      let value = 0
      for (const [at, place] of places.entries()) {
        const isInside = place.x >= x && place.x <= x + width && place.y >= y && place.y <= y + height
        if (isInside) value += 1 + (at === 0 ? 1 : 0) + 1 / (at + 1)
      }
      if (value > most) [best, most] = [{ x, y }, value]
    }
  }
  return best
}

interface Box extends Place {
  readonly width: number
  readonly height: number
}

function boxOf(places: readonly Place[]): Box {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const { x, y } of places) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x + NODE_WIDTH)
    bottom = Math.max(bottom, y + NODE_HEIGHT)
  }
  return { x: left, y: top, width: right - left, height: bottom - top }
}

/** Below it, labels are too small to be read. */
const SMALLEST_READABLE = 0.8

/** The zoom at which a box has room, at most its natural size; null where it could not be read. */
function zoomFor(box: Box, pane: { readonly width: number; readonly height: number }): number | null {
  const across = (pane.width - 2 * MARGIN) / box.width
  const down = (pane.height - 2 * MARGIN - TOOLS_HEIGHT) / box.height
  const zoom = Math.min(1, across, down)
  return zoom < SMALLEST_READABLE ? null : zoom
}

function centred(
  box: Box,
  pane: { readonly width: number; readonly height: number },
  zoom: number,
): Viewport {
  const [width, height] = [box.width * zoom, box.height * zoom]
  return {
    x: Math.round((pane.width - width) / 2 - box.x * zoom),
    y: Math.round((pane.height + TOOLS_HEIGHT - height) / 2 - box.y * zoom),
    zoom,
  }
}
