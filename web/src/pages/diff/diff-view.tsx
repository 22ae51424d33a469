/** A diff with findings on its lines. A page loads it lazily: it brings the highlighter. */
import { registerCustomTheme } from '@pierre/diffs'
import { CodeView, WorkerPoolContextProvider, type CodeViewHandle } from '@pierre/diffs/react'
// oxlint-disable-next-line import/default -- Vite makes it
import DiffWorker from '@pierre/diffs/worker/worker.js?worker'
import { MessageSquareWarning } from 'lucide-react'
import type { ThemeRegistration } from 'shiki'
import { Component, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import type { DiffAnswer } from '../../../../src/protocol/task-answer.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Select } from '../../ui/field.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Segments } from '../../ui/tabs.tsx'
import type { DiffItem, DiffNote, ReadPatch } from './read-patch.ts'
import { useReadPatch } from './use-read-patch.ts'
import { useTheme } from '../../shell/theme.ts'

registerCustomTheme('bosun-light', async () => {
  const { default: theme } = await import('@shikijs/themes/github-light-high-contrast')
  return { ...withDarkerComments(theme), name: 'bosun-light' }
})
registerCustomTheme('bosun-dark', async () => {
  const { default: theme } = await import('@shikijs/themes/github-dark-high-contrast')
  return { ...theme, name: 'bosun-dark' }
})

/** Comments of the light theme are too pale on the ground of an added line (4.12:1). */
const withDarkerComments = (theme: ThemeRegistration): ThemeRegistration => ({
  ...theme,
  tokenColors: (theme.tokenColors ?? []).map((one) =>
    [one.scope ?? []].flat().includes('comment')
      ? { ...one, settings: { ...one.settings, foreground: '#4b535d' } }
      : one,
  ),
})
const THEME = { light: 'bosun-light', dark: 'bosun-dark' }

const POOL = { workerFactory: () => new DiffWorker(), poolSize: 2 }
const HIGHLIGHTER = {
  theme: THEME,
  preferredHighlighter: 'shiki-js' as const,
  lineDiffType: 'word-alt' as const,
}

/** How long drawing may take before the text alone is shown. */
const PATIENCE_MS = 8000

type Layout = 'unified' | 'split'
const LAYOUT_KEY = 'bosun.diff.layout'

export function DiffView({ diff, id }: { readonly diff: DiffAnswer; readonly id: string }) {
  const read = useReadPatch(diff, id)
  const [layout, setLayout] = useState<Layout>(() =>
    localStorage.getItem(LAYOUT_KEY) === 'split' ? 'split' : 'unified',
  )
  const [hasFailed, setFailed] = useState(false)
  const view = useRef<CodeViewHandle<readonly DiffNote[], undefined>>(null)
  const choose = (next: Layout): void => {
    localStorage.setItem(LAYOUT_KEY, next)
    setLayout(next)
  }
  if (read === 'failed' || hasFailed) return <AsText diff={diff} />
  if (read === 'reading') return <Skeleton className="m-3 h-full" />
  return (
    <div className="flex h-full min-h-0 flex-col">
      <Toolbar
        diff={diff}
        read={read}
        layout={layout}
        onLayout={choose}
        onGo={(item) => goTo(view.current, item)}
      />
      <NoteList
        notes={read.elsewhere}
        title={(count) => `${counted(count, 'finding')} outside the lines of this diff`}
      />
      <NoteList
        notes={read.earlier}
        title={(count) => `${counted(count, 'finding')} on an earlier attempt; the lines may have moved`}
      />
      <Boundary onFailed={() => setFailed(true)}>
        <WorkerPoolContextProvider poolOptions={POOL} highlighterOptions={HIGHLIGHTER}>
          <Drawn read={read} layout={layout} view={view} onFailed={() => setFailed(true)} />
        </WorkerPoolContextProvider>
      </Boundary>
    </div>
  )
}

const goTo = (
  view: CodeViewHandle<readonly DiffNote[], undefined> | null,
  { id, annotations = [] }: DiffItem,
): void => {
  const [first] = annotations
  if (first === undefined) view?.scrollTo({ type: 'item', id, align: 'start' })
  else view?.scrollTo({ type: 'line', id, lineNumber: first.lineNumber, side: 'additions', align: 'center' })
}

function Toolbar({
  diff,
  read,
  layout,
  onLayout,
  onGo,
}: {
  readonly diff: DiffAnswer
  readonly read: ReadPatch
  readonly layout: Layout
  readonly onLayout: (next: Layout) => void
  readonly onGo: (item: DiffItem) => void
}) {
  const added = diff.files.reduce((sum, file) => sum + file.added, 0)
  const removed = diff.files.reduce((sum, file) => sum + file.removed, 0)
  const found = diff.notes.length - read.earlier.length
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b px-3 py-2">
      <span className="text-sm font-semibold">{counted(diff.files.length, 'file')}</span>
      <span className="font-mono text-mono">
        <span className="text-ok">+{added.toLocaleString('en')}</span>{' '}
        <span className="text-bad">−{removed.toLocaleString('en')}</span>
      </span>
      {found > 0 && (
        <Badge tone="warn" icon={<MessageSquareWarning size={12} />}>
          {counted(found, 'finding')}
        </Badge>
      )}
      <div className="ml-auto flex flex-wrap items-center gap-2">
        {read.items.length > 1 && <FileMenu items={read.items} onGo={onGo} />}
        <div className="max-md:hidden">
          <Segments
            label="How the diff is laid out"
            value={layout}
            onChange={onLayout}
            items={[
              { key: 'unified', label: 'Unified' },
              { key: 'split', label: 'Split' },
            ]}
          />
        </div>
      </div>
      {diff.is_cut && diff.command !== null && (
        <p className="flex w-full flex-wrap items-center gap-1 text-xs text-warn">
          Only the beginning is shown. The whole diff: <CopyText text={diff.command} />
        </p>
      )}
    </div>
  )
}

function FileMenu({
  items,
  onGo,
}: {
  readonly items: readonly DiffItem[]
  readonly onGo: (item: DiffItem) => void
}) {
  return (
    <Select
      aria-label="Go to a file"
      value=""
      onChange={(event) => {
        const item = items[Number(event.target.value)]
        if (item !== undefined) onGo(item)
      }}
      className="w-36!"
    >
      <option value="" disabled>
        Go to file
      </option>
      {items.map(({ id, fileDiff, noted }, place) => (
        <option key={id} value={place}>
          {fileDiff.name}
          {noted === 0 ? '' : ` (${counted(noted, 'finding')})`}
        </option>
      ))}
    </Select>
  )
}

/** Findings that stand on no line of the diff: shown above it, never dropped. */
function NoteList({
  notes,
  title,
}: {
  readonly notes: readonly DiffNote[]
  readonly title: (count: number) => string
}) {
  if (notes.length === 0) return null
  return (
    <details className="border-b px-3 py-2 text-sm">
      <summary className="cursor-pointer text-muted">{title(notes.length)}</summary>
      <ul
        tabIndex={0}
        aria-label={title(notes.length)}
        className="mt-2 flex max-h-40 flex-col gap-2 overflow-y-auto"
      >
        {notes.map((note, place) => (
          <li key={place}>
            <span className="font-mono text-mono text-muted">
              <PlainText text={note.line === null ? note.path : `${note.path}:${note.line}`} />
            </span>
            <NoteText note={note} />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Drawn({
  read,
  layout,
  view,
  onFailed,
}: {
  readonly read: ReadPatch
  readonly layout: Layout
  readonly view: React.RefObject<CodeViewHandle<readonly DiffNote[], undefined> | null>
  readonly onFailed: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const themeType = useTheme()
  useEffect(() => {
    // A theme or language that is missing leaves it blank without an error.
    const timer = setTimeout(() => {
      if (box.current !== null && !hasText(box.current)) onFailed()
    }, PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [read, onFailed])
  const options = useMemo(
    () => ({
      theme: THEME,
      themeType,
      diffStyle: layout,
      overflow: 'wrap' as const,
      stickyHeaders: true,
      lineDiffType: 'word-alt' as const,
      hunkSeparators: 'line-info' as const,
      layout: { paddingTop: 0, paddingBottom: 16, gap: 12 },
      unsafeCSS: CSS_TEXT,
    }),
    [layout, themeType],
  )
  return (
    <div ref={box} className="min-h-0 flex-1" data-testid="diff">
      <CodeView
        ref={view}
        items={read.items}
        options={options}
        className="h-full overflow-y-auto"
        containerRef={focusable}
        renderAnnotation={(...[{ metadata }]) => <Notes notes={metadata} />}
      />
    </div>
  )
}

/** It scrolls, so the keyboard must reach it. */
function focusable(box: HTMLElement | null): void {
  if (box === null) return
  box.tabIndex = 0
  box.setAttribute('role', 'region')
  box.setAttribute('aria-label', 'Changed lines')
}

/** The page's own colours and sizes within the diff. */
const CSS_TEXT = `
  :host { --diffs-font-size: 12px; --diffs-line-height: 20px; }
`

const hasText = (box: HTMLElement): boolean =>
  [...box.querySelectorAll('diffs-container')].some(
    (one) => (one.shadowRoot?.querySelector('pre')?.textContent ?? '').trim() !== '',
  )

function Notes({ notes }: { readonly notes: readonly DiffNote[] }) {
  return (
    <ul className="flex flex-col gap-2 border-y bg-sub px-3 py-2 font-sans text-sm text-text">
      {notes.map((note, place) => (
        <li key={place}>
          <NoteText note={note} />
        </li>
      ))}
    </ul>
  )
}

function NoteText({ note }: { readonly note: DiffNote }) {
  return (
    <div className="flex items-start gap-2">
      <MessageSquareWarning
        size={14}
        className={`mt-0.5 shrink-0 ${note.blocks ? 'text-bad' : 'text-warn'}`}
        aria-hidden="true"
      />
      <p className="min-w-0">
        <span className="font-medium">
          <PlainText text={note.by} />
        </span>{' '}
        <span className="text-muted">
          {note.earlier ? 'on an earlier attempt' : note.blocks ? 'must be fixed' : 'a note'}
        </span>
        <br />
        <PlainText text={note.text} className="whitespace-pre-wrap" />
      </p>
    </div>
  )
}

const SHOWN_CHARACTERS = 200_000

/** Where it cannot be drawn. */
function AsText({ diff }: { readonly diff: DiffAnswer }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = diff.patch.length > SHOWN_CHARACTERS && !isWhole
  return (
    <div className="flex flex-col gap-2 overflow-y-auto p-3" data-testid="diff">
      <p role="alert" className="text-sm text-warn">
        The diff could not be drawn; this is its text.
      </p>
      <PlainText as="mono" text={isLong ? diff.patch.slice(0, SHOWN_CHARACTERS) : diff.patch} />
      {isLong && (
        <Button className="self-start" onClick={() => setWhole(true)}>
          Show all of it
        </Button>
      )}
    </div>
  )
}

interface BoundaryProps {
  readonly onFailed: () => void
  readonly children: ReactNode
}

class Boundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }
  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }
  override componentDidCatch(): void {
    this.props.onFailed()
  }
  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children
  }
}
