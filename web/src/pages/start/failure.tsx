/** What could not be done, why, and what to do: with a way on where there is one. */
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { ApiError, type Problem } from '../../api/client.ts'
import { useInterview } from '../../api/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'

export function Failure({
  what,
  error,
  repo,
  onResume,
}: {
  readonly what: string
  readonly error: unknown
  readonly repo: string
  /** Begins again: with the earlier interview, or anew. Null where nothing was to begin. */
  readonly onResume: ((resume: boolean) => void) | null
}) {
  const isApi = error instanceof ApiError
  const isConflict = isApi && error.status === 409
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-md border border-bad p-4">
      <div className="flex items-start gap-2">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden="true" />
        <div className="flex min-w-0 flex-col gap-1">
          <p className="font-medium">{what}</p>
          <PlainText as="block" text={error instanceof Error ? error.message : String(error)} />
          {isApi && <PlainText as="block" className="text-muted" text={error.remedy} />}
        </div>
      </div>
      {isApi && error.problems.length > 1 && <ProblemList problems={error.problems} />}
      {isConflict && onResume !== null && <WaysOn repo={repo} onResume={onResume} />}
    </div>
  )
}

/** A repository has one interview at a time: this leads to it. */
function WaysOn({ repo, onResume }: { readonly repo: string; readonly onResume: (resume: boolean) => void }) {
  const { data } = useInterview(repo)
  if (data === undefined) return null
  if (data.session_id !== null)
    return (
      <div className="flex gap-2">
        <Link
          to="/interview/$id"
          params={{ id: data.session_id }}
          search={{ repo }}
          className={buttonClass('default')}
        >
          Open that interview
        </Link>
      </div>
    )
  if (data.recoverable === null) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button onClick={() => onResume(true)}>Continue the earlier interview</Button>
      <Button kind="quiet" onClick={() => onResume(false)}>
        Begin anew
      </Button>
    </div>
  )
}

const SHOWN = 20

/** Everything that is wrong with a document, with its lines. */
export function ProblemList({ problems }: { readonly problems: readonly Problem[] }) {
  return (
    <ol className="flex flex-col divide-y rounded-md border text-sm">
      {problems.slice(0, SHOWN).map(({ line, message, remedy }, at) => (
        <li key={`${line} ${at}`} className="flex gap-3 px-3 py-2">
          <span className="w-14 shrink-0 font-mono text-mono text-muted">line {line}</span>
          <span className="min-w-0">
            <PlainText text={message} />
            <span className="block text-xs text-muted">
              <PlainText text={remedy} />
            </span>
          </span>
        </li>
      ))}
      {problems.length > SHOWN && (
        <li className="px-3 py-2 text-muted">and {problems.length - SHOWN} more</li>
      )}
    </ol>
  )
}
