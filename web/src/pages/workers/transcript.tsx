/** What a worker says and does, live: tool calls folded, and followed only while the reader is at the end. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ChevronRight } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { cx } from '../../ui/cx.ts'
import { formatDuration } from '../../../../src/lib/text/format-time.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import {
  transcriptBlocks,
  type Block,
  type CallBlock,
  type NoteBlock,
  type TextBlock,
} from './transcript-blocks.ts'
import { useTranscript } from './use-transcript.ts'

export function Transcript({ worker, repo }: { readonly worker: string; readonly repo: string | undefined }) {
  const { lines, isCut, state, error } = useTranscript(worker, repo)
  const blocks = useMemo(() => transcriptBlocks(lines), [lines])
  if (blocks.length === 0) {
    if (error !== null) return <ErrorState what="the transcript" error={error} />
    if (state === 'loading') return <Skeleton rows={6} />
    return (
      <EmptyState title="Nothing written yet">
        {state === 'ended'
          ? 'The worker ended without writing anything.'
          : 'It appears here as the worker writes it.'}
      </EmptyState>
    )
  }
  return (
    <div className="flex flex-col gap-2">
      {isCut && (
        <p className="flex flex-wrap items-center text-xs text-muted">
          Only the newest part is shown. All of it: <CopyText text={`bosun worker log ${worker}`} />
        </p>
      )}
      <Blocks blocks={blocks} />
      <p className="flex items-center gap-2 text-xs text-muted" role="status">
        {state === 'following' && error === null && (
          <>
            <span className="size-1.5 rounded-full bg-run" aria-hidden="true" /> Live
          </>
        )}
        {state === 'loading' && 'Reading…'}
        {state === 'ended' && 'The worker has ended; this is all of it.'}
        {error !== null && <span className="text-warn">Not live: {error.message}</span>}
      </p>
    </div>
  )
}

/** So far from the end counts as being there. */
const NEAR_PX = 48

function Blocks({ blocks }: { readonly blocks: readonly Block[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [isAtEnd, setAtEnd] = useState(true)
  const list = useVirtualizer({
    count: blocks.length,
    getScrollElement: () => box.current,
    estimateSize: () => 36,
    getItemKey: (place) => blocks[place]?.key ?? place,
    overscan: 12,
    anchorTo: 'end',
    followOnAppend: true,
  })
  const follows = useRef(true)
  const height = list.getTotalSize()
  // A long transcript comes in pages, and rows get their real heights once they are drawn: each time the end moves on.
  useEffect(() => {
    if (follows.current) list.scrollToEnd()
  }, [list, blocks.length, height])
  /** The person scrolls: the end is followed again once they are there. */
  const onMoved = (): void => {
    follows.current = false
    requestAnimationFrame(() => {
      follows.current = list.isAtEnd(NEAR_PX)
    })
  }
  const toggle = (key: string): void =>
    setOpen((before) => {
      const next = new Set(before)
      if (!next.delete(key)) next.add(key)
      return next
    })
  return (
    <div className="relative">
      <div
        ref={box}
        role="log"
        aria-label="Transcript"
        tabIndex={0}
        onWheel={onMoved}
        onTouchMove={onMoved}
        onPointerDown={onMoved}
        onKeyDown={onMoved}
        onScroll={() => setAtEnd(list.isAtEnd(NEAR_PX))}
        className="h-[calc(100dvh-400px)] min-h-80 overflow-y-auto rounded-md border"
      >
        <div className="relative w-full" style={{ height }}>
          {list.getVirtualItems().map(({ index, key, start }) => {
            const block = blocks[index]
            if (block === undefined) return null
            return (
              <div
                key={key}
                data-index={index}
                ref={list.measureElement}
                className="absolute top-0 left-0 w-full border-b px-3 py-1.5"
                style={{ transform: `translateY(${start}px)` }}
              >
                <BlockView block={block} isOpen={open.has(block.key)} onToggle={() => toggle(block.key)} />
              </div>
            )
          })}
        </div>
      </div>
      {!isAtEnd && (
        <Button
          className="absolute right-4 bottom-3 shadow-float"
          onClick={() => {
            follows.current = true
            list.scrollToEnd()
          }}
        >
          <ArrowDown size={14} aria-hidden="true" /> To the end
        </Button>
      )}
    </div>
  )
}

interface BlockProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function BlockView({ block, ...rest }: BlockProps & { readonly block: Block }) {
  switch (block.kind) {
    case 'text':
      return <TextView block={block} {...rest} />
    case 'call':
      return <CallView block={block} {...rest} />
    case 'note':
      return (
        <Line who={NOTE[block.of]} at={block.at}>
          <PlainText text={noteText(block)} className="text-muted" />
        </Line>
      )
  }
}

const NOTE = { plan: 'plan', session: 'session', usage: 'used', turn_ended: 'turn' }

/** Of a turn: `ended: end turn, nothing done`. */
function noteText({ of, text, outcome }: NoteBlock): string {
  const parts = [text, outcome].filter((part) => part).join(', ')
  return of === 'turn_ended' ? `ended: ${parts.replaceAll('_', ' ')}` : parts
}

const WHO: Readonly<Record<TextBlock['of'], string>> = {
  prompt: 'Bosun',
  message: 'agent',
  thought: 'thinks',
  replay: 'before',
  output: 'output',
  error: 'error',
}

/** Long texts of Bosun and of earlier sessions begin folded. */
const FOLDED_LINES = 6

function TextView({ block, isOpen, onToggle }: BlockProps & { readonly block: TextBlock }) {
  const isLong =
    (block.of === 'prompt' || block.of === 'replay') && block.text.split('\n').length > FOLDED_LINES
  const shown = isLong && !isOpen ? block.text.split('\n').slice(0, FOLDED_LINES).join('\n') : block.text
  return (
    <Line who={WHO[block.of]} at={block.at} tone={block.of === 'error' ? 'text-bad' : undefined}>
      <PlainText
        as="block"
        text={shown}
        className={cx(
          block.of === 'output' && 'font-mono text-mono',
          (block.of === 'thought' || block.of === 'replay') && 'text-muted italic',
          block.of === 'error' && 'text-bad',
        )}
      />
      {isLong && (
        <button type="button" onClick={onToggle} className="text-xs text-accent">
          {isOpen ? 'Show less' : `Show all ${block.text.split('\n').length} lines`}
        </button>
      )}
    </Line>
  )
}

const BAD = new Set(['failed', 'error', 'denied', 'rejected', 'cancelled'])

function CallView({ block, isOpen, onToggle }: BlockProps & { readonly block: CallBlock }) {
  const isBad = block.outcome !== null && BAD.has(block.outcome)
  const took =
    block.at !== null && block.endedAt !== null ? Date.parse(block.endedAt) - Date.parse(block.at) : null
  const canOpen = block.detail !== null && block.detail !== ''
  return (
    <Line who={block.of === 'tool' ? 'tool' : 'asks'} at={block.at}>
      <button
        type="button"
        onClick={onToggle}
        aria-expanded={canOpen ? isOpen : undefined}
        disabled={!canOpen}
        className="flex w-full min-w-0 items-center gap-2 text-left disabled:cursor-default"
      >
        <ChevronRight
          size={12}
          aria-hidden="true"
          className={cx(
            'shrink-0 text-muted transition-transform',
            isOpen && 'rotate-90',
            !canOpen && 'invisible',
          )}
        />
        <span className="min-w-0 flex-1 truncate font-mono text-mono">
          <PlainText text={block.text} />
        </span>
        <span className={cx('shrink-0 text-xs', isBad ? 'text-bad' : 'text-muted')}>
          {block.outcome === null
            ? block.of === 'tool'
              ? 'running'
              : 'waits'
            : block.outcome.replaceAll('_', ' ')}
          {took !== null && took >= 1000 ? `, ${formatDuration(took)}` : ''}
        </span>
      </button>
      {isOpen && canOpen && (
        <PlainText as="mono" text={block.detail ?? ''} className="mt-1 max-h-96 overflow-y-auto" />
      )}
    </Line>
  )
}

function Line({
  who,
  at,
  tone,
  children,
}: {
  readonly who: string
  readonly at: string | null
  readonly tone?: string | undefined
  readonly children: React.ReactNode
}) {
  return (
    <div className="flex gap-3">
      <span className={cx('w-16 shrink-0 text-xs leading-5', tone ?? 'text-muted')}>{who}</span>
      <div className="min-w-0 flex-1">{children}</div>
      {at !== null && (
        <span className="w-20 shrink-0 text-right text-xs leading-5 text-muted max-sm:hidden">
          <Time at={at} />
        </span>
      )}
    </div>
  )
}
