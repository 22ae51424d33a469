/** A spec, rendered or as it is written. */
import { lazy, Suspense } from 'react'
import { importPart } from '../../live/import-part.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { specParts } from './spec-text.ts'

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
