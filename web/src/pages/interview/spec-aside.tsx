/** The spec as it grows beside the questions. */
import { useInterviewOutline } from '../../api/queries.ts'
import { SpecView } from './spec-view.tsx'

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
