/** What could not be done, why, and what to do: with a way on where there is one. */
import { Link } from '@tanstack/react-router'
import { CircleAlert } from 'lucide-react'
import { ApiError } from '../../api/client.ts'
import { useInterview } from '../../api/queries.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { ProblemList } from './problem-list.tsx'

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
