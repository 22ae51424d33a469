/**
 * Tasks with their dependencies from left to right. It opens at what is going on, at its natural size; what is done is folded.
 * Nothing moves while it is looked at: a new layout is made when tasks are added or removed, or when the user asks.
 */
import '@xyflow/react/dist/base.css'
import { Panel, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import { LocateFixed, Minus, Plus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { ErrorState } from '../../../ui/states.tsx'
import type { PlanTask } from '../tasks/columns.ts'
import { flowEdges, flowNodes, type FlowNode } from './flow-nodes.ts'
import { frontierOf, openingViewport } from './frontier.ts'
import { GraphList } from './graph-list.tsx'
import { NODE_HEIGHT, NODE_WIDTH, type Places } from './layout-graph.ts'
import { DoneNodeView, TaskNodeView } from './nodes.tsx'
import { foldableTasks, shownGraph, nextNode, type ShownGraph, type Direction } from './shown-graph.ts'
import { useLayout } from './use-layout.ts'

const NODE_TYPES = { task: TaskNodeView, done: DoneNodeView }

export interface PlanGraphProps {
  readonly tasks: readonly PlanTask[]
  readonly plan: string
  readonly repo: string | undefined
  /** The tasks that the filters leave. */
  readonly shown: ReadonlySet<string>
}

export function PlanGraph(props: PlanGraphProps) {
  const { tasks } = props
  const [folded, setFolded] = useState(() => foldableTasks(tasks))
  const structure = useMemo(
    () => tasks.map(({ id, depends_on }) => `${id}<${depends_on.join(',')}`).join('\n'),
    [tasks],
  )
  // Stages alone change no place.
  const graph = useMemo(() => shownGraph(tasks, folded), [structure, folded])
  const layout = useLayout(graph)
  const foldable = useMemo(() => foldableTasks(tasks), [tasks])
  const canFold = [...foldable].some((id) => !folded.has(id))
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <div className="flex min-h-0 flex-1 gap-3">
      <div className="relative min-h-0 min-w-0 flex-1 overflow-hidden rounded-md border bg-sub">
        {layout.kind === 'failed' ? (
          <ErrorState what="the graph" error={layout.why} className="m-4 bg-bg" />
        ) : layout.kind === 'busy' ? (
          <div className="flex h-full flex-col gap-3 p-6">
            <p className="text-muted" role="status">
              Laying out {tasks.length} tasks…
            </p>
            <Skeleton rows={3} className="h-16 w-56" />
          </div>
        ) : (
          <ReactFlowProvider>
            <Canvas
              {...props}
              graph={layout.graph}
              places={layout.places}
              selected={selected}
              onSelect={setSelected}
              onUnfold={() => setFolded(new Set())}
              onFold={canFold ? () => setFolded(foldable) : null}
            />
          </ReactFlowProvider>
        )}
      </div>
      <GraphList
        tasks={tasks}
        shown={props.shown}
        selected={selected}
        onSelect={(id) => {
          if (folded.has(id)) setFolded(new Set())
          setSelected(id)
        }}
      />
    </div>
  )
}

interface CanvasProps extends PlanGraphProps {
  readonly graph: ShownGraph
  readonly places: Places
  readonly selected: string | null
  readonly onSelect: (id: string | null) => void
  readonly onUnfold: () => void
  /** Null where everything that is done is folded. */
  readonly onFold: (() => void) | null
}

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

function Canvas({
  tasks,
  plan,
  repo,
  shown,
  graph,
  places,
  selected,
  onSelect,
  onUnfold,
  onFold,
}: CanvasProps) {
  const flow = useReactFlow()
  const frame = useRef<HTMLDivElement>(null)
  const frontier = useMemo(() => frontierOf(tasks), [tasks])
  const before = useRef<ReadonlyMap<string, FlowNode>>(new Map())
  const byId = useMemo(() => new Map(tasks.map((task) => [task.id, task])), [tasks])
  const nodes = useMemo(() => {
    const drawn = { tasks: byId, plan, repo, selected, shown, onUnfold }
    before.current = flowNodes(graph, places, drawn, before.current)
    return [...before.current.values()]
  }, [byId, plan, repo, selected, shown, graph, places])
  const edges = useMemo(() => flowEdges(graph, selected), [graph, selected])
  const showFrontier = (): void => {
    const { width = 800, height = 600 } = frame.current?.getBoundingClientRect() ?? {}
    void flow.setViewport(openingViewport(places, frontier, { width, height }))
  }
  // A layout of other tasks opens at the frontier again, unless one of them is selected.
  useEffect(() => {
    if (selected === null || places[selected] === undefined) showFrontier()
  }, [places])
  useEffect(() => {
    const place = selected === null ? undefined : places[selected]
    if (place !== undefined)
      void flow.setCenter(place.x + NODE_WIDTH / 2, place.y + NODE_HEIGHT / 2, { zoom: 1, duration: 120 })
  }, [selected, places])
  const onKeyDown = (event: KeyboardEvent): void => {
    const direction = ARROWS[event.key]
    if (event.key === 'Escape') onSelect(null)
    if (direction === undefined) return
    event.preventDefault()
    event.stopPropagation()
    const next = selected === null ? (frontier[0] ?? null) : nextNode(graph, places, selected, direction)
    if (next !== null) onSelect(next)
  }
  return (
    <div
      ref={frame}
      role="application"
      aria-label="Graph of tasks. Arrow keys follow the dependencies; the list beside it has the same tasks."
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="h-full"
    >
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        onlyRenderVisibleElements
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        disableKeyboardA11y
        deleteKeyCode={null}
        selectionKeyCode={null}
        panOnScroll
        minZoom={0.25}
        maxZoom={1.5}
        proOptions={{ hideAttribution: true }}
      >
        <Panel position="top-left" className="!m-3 flex gap-2">
          <Button size="sm" onClick={showFrontier}>
            <LocateFixed size={14} aria-hidden="true" />
            Active work
          </Button>
          {onFold !== null && (
            <Button size="sm" onClick={onFold}>
              Fold what is done
            </Button>
          )}
        </Panel>
        <Panel position="bottom-left" className="!m-3 flex rounded-md border bg-bg">
          <IconButton label="Zoom in" onClick={() => void flow.zoomIn()}>
            <Plus size={16} />
          </IconButton>
          <IconButton label="Zoom out" onClick={() => void flow.zoomOut()}>
            <Minus size={16} />
          </IconButton>
        </Panel>
      </ReactFlow>
    </div>
  )
}
