/** A spec, rendered or as it is written. */
import { lazy, Suspense } from 'react'
import { importPart } from '../../live/import-part.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { specParts } from './spec-text.ts'
import { useInterviewOutline } from '../../api/queries.ts'

const Markdown = lazy(async () => ({
  default: (await importPart(() => import('../../ui/markdown.tsx'))).Markdown,
}))

export function SpecView({ markdown, as }: { readonly markdown: string; readonly as: 'rendered' | 'raw' }) {
  if (as === 'raw') return <PlainText as="mono" text={markdown} />
  const { facts, body } = specParts(markdown)
  return (
    <div className="flex flex-col gap-3">
      {facts.length > 0 && (
        <dl className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          {facts.map(([name, value]) => (
            <div key={name} className="flex gap-1.5">
              <dt>{visibleText(name)}</dt>
              <dd className="text-text">{visibleText(value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Suspense fallback={<Skeleton rows={6} className="h-5" />}>
        <Markdown text={body} />
      </Suspense>
    </div>
  )
}

/** The spec as it grows beside the questions. */
export function SpecAside({
  repo,
  at,
  hasDraft,
}: {
  readonly repo: string
  /** Changes with every message and draft. */
  readonly at: string
  readonly hasDraft: boolean
}) {
  const { data } = useInterviewOutline(repo, at)
  const markdown = data?.markdown ?? null
  return (
    <aside
      aria-label="Spec so far"
      tabIndex={0}
      className="flex min-h-0 flex-col gap-3 overflow-y-auto rounded-lg border p-4"
    >
      <div className="flex items-baseline gap-2">
        <h2 className="text-sm font-semibold">Spec so far</h2>
        <span className="text-xs text-muted">
          {markdown === null ? '' : hasDraft ? 'the last draft' : 'grows with each answer'}
        </span>
      </div>
      {markdown === null ? (
        <p className="text-muted">
          It appears here as you answer. What you leave open is decided by the defaults and listed as assumed.
        </p>
      ) : (
        <SpecView markdown={markdown} as="rendered" />
      )}
    </aside>
  )
}
