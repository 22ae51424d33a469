/** Nodes and edges in the form of the drawing library. What has not changed keeps its identity, so that it is not drawn again. */
import { Position, type Edge, type Node } from '@xyflow/react'
import type { PlanTask } from '../tasks/columns.ts'
import { NODE_HEIGHT, NODE_WIDTH, type Place, type Places } from './layout-graph.ts'
import type { ShownGraph, ShownNode } from './shown-graph.ts'

export type TaskNode = Node<
  {
    readonly task: PlanTask
    readonly plan: string
    readonly repo: string | undefined
    readonly isSelected: boolean
    readonly isDimmed: boolean
  },
  'task'
>
export type DoneNode = Node<
  { readonly tasks: readonly string[]; readonly isSelected: boolean; readonly onUnfold: () => void },
  'done'
>
export type FlowNode = TaskNode | DoneNode

const HANDLES = [
  { type: 'target' as const, position: Position.Left, x: 0, y: NODE_HEIGHT / 2, width: 1, height: 1 },
  {
    type: 'source' as const,
    position: Position.Right,
    x: NODE_WIDTH,
    y: NODE_HEIGHT / 2,
    width: 1,
    height: 1,
  },
]

export interface Drawn {
  readonly tasks: ReadonlyMap<string, PlanTask>
  readonly plan: string
  readonly repo: string | undefined
  readonly selected: string | null
  /** The tasks that the filters leave; the others are dimmed and stay where they are. */
  readonly shown: ReadonlySet<string>
  readonly onUnfold: () => void
}

export function flowNodes(
  graph: ShownGraph,
  places: Places,
  drawn: Drawn,
  before: ReadonlyMap<string, FlowNode>,
): ReadonlyMap<string, FlowNode> {
  return new Map(
    graph.nodes.flatMap((node) => {
      const place = places[node.id]
      const made = place === undefined ? null : nodeFor(node, place, drawn)
      if (made === null) return []
      const old = before.get(node.id)
      return [[node.id, old !== undefined && isSame(old, made) ? old : made] as const]
    }),
  )
}

function nodeFor(node: ShownNode, position: Place, drawn: Drawn): FlowNode | null {
  const base = {
    id: node.id,
    position,
    width: NODE_WIDTH,
    height: NODE_HEIGHT,
    handles: HANDLES,
    connectable: false,
  }
  const isSelected = drawn.selected === node.id
  if (node.kind === 'done')
    return { ...base, type: 'done', data: { tasks: node.tasks, isSelected, onUnfold: drawn.onUnfold } }
  const task = drawn.tasks.get(node.id)
  if (task === undefined) return null
  const { plan, repo, shown } = drawn
  return { ...base, type: 'task', data: { task, plan, repo, isSelected, isDimmed: !shown.has(node.id) } }
}

function isSame(a: FlowNode, b: FlowNode): boolean {
  if (a.position.x !== b.position.x || a.position.y !== b.position.y) return false
  const [left, right] = [a.data, b.data] as unknown as Record<string, unknown>[]
  return Object.entries(left ?? {}).every(([key, value]) => right?.[key] === value)
}

/** Edges of the selected node stand out. */
export function flowEdges({ edges }: ShownGraph, selected: string | null): Edge[] {
  return edges.map(({ from, to }) => {
    const isLit = from === selected || to === selected
    return {
      id: `${from} ${to}`,
      source: from,
      target: to,
      focusable: false,
      style: { stroke: isLit ? 'var(--accent)' : 'var(--line-strong)', strokeWidth: isLit ? 2 : 1.25 },
      ...(isLit ? { zIndex: 1 } : {}),
    }
  })
}
