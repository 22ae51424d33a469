/** What a node of the graph looks like. From afar only its sign and id are readable, so only they are shown, larger. */
import { Link } from '@tanstack/react-router'
import { Handle, Position, useStore, type NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { cx } from '../../../ui/cx.ts'
import { StageMark } from '../../../ui/marks.tsx'
import { visibleText } from '../../../ui/visible-text.ts'
import { StatusLine } from '../tasks/task-item.tsx'
import { searchFor } from '../tasks/use-task-keys.ts'
import type { DoneNode, TaskNode } from './flow-nodes.ts'
import { NODE_HEIGHT, NODE_WIDTH } from './layout-graph.ts'

const FAR = 0.6
const useIsFar = (): boolean => useStore(({ transform: [, , zoom] }) => zoom < FAR)

const BOX =
  'flex flex-col justify-center gap-0.5 rounded-md border bg-bg px-2.5 text-left transition-colors hover:border-line-strong'
const SIZE = { width: NODE_WIDTH, height: NODE_HEIGHT }

export const TaskNodeView = memo(function TaskNodeView({ data }: NodeProps<TaskNode>) {
  const { task, plan, repo, isSelected, isDimmed } = data
  const isFar = useIsFar()
  return (
    <>
      <Ends />
      <Link
        to="/p/$plan/t/$task"
        params={{ plan, task: task.id }}
        search={searchFor(repo)}
        draggable={false}
        style={SIZE}
        title={visibleText(task.title)}
        className={cx(BOX, isSelected && 'border-accent outline outline-accent', isDimmed && 'opacity-35')}
      >
        {isFar ? (
          <span className="flex items-center gap-2 text-xl font-medium">
            <span className="inline-flex scale-150">
              <StageMark status={task.status} stage={task.stage} isIconOnly />
            </span>
            <span className="truncate">{visibleText(task.id)}</span>
          </span>
        ) : (
          <>
            <span className="flex items-center gap-1.5 text-xs text-muted">
              <StageMark status={task.status} stage={task.stage} isIconOnly />
              <span className="truncate font-mono">{visibleText(task.id)}</span>
              {task.tier === 'critical' && <span className="text-warn">critical</span>}
            </span>
            <span className="truncate text-sm">
              <bdi>{visibleText(task.title)}</bdi>
            </span>
            {task.status !== 'completed' && task.status !== 'pending' && <StatusLine task={task} />}
          </>
        )}
      </Link>
    </>
  )
})

export const DoneNodeView = memo(function DoneNodeView({ data }: NodeProps<DoneNode>) {
  const { tasks, isSelected, onUnfold } = data
  return (
    <>
      <Ends />
      <button
        type="button"
        onClick={onUnfold}
        style={SIZE}
        className={cx(BOX, 'bg-sub', isSelected && 'border-accent outline outline-accent')}
      >
        <span className="flex items-center gap-1.5 text-sm">
          <StageMark status="completed" stage="completed" isIconOnly />
          {tasks.length === 1 ? '1 task done' : `${tasks.length} tasks done`}
        </span>
        <span className="text-xs text-muted">Show them</span>
      </button>
    </>
  )
})

/** Where edges begin and end; they cannot be dragged. */
function Ends() {
  return (
    <>
      <Handle
        type="target"
        position={Position.Left}
        isConnectable={false}
        className="pointer-events-none opacity-0"
      />
      <Handle
        type="source"
        position={Position.Right}
        isConnectable={false}
        className="pointer-events-none opacity-0"
      />
    </>
  )
}
