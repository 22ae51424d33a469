/** The spec as it would be submitted, and the two decisions about it. What is submitted is what was shown. */
import { useEffect, useState, type ReactNode } from 'react'
import type { PreviewAnswer } from '../../../../src/protocol/interview.ts'
import { ApiError } from '../../api/client.ts'
import { useInterviewPreview } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { counted } from '../../../../src/lib/text/counted.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Composer } from './composer.tsx'
import { Notice } from './situation-notice.tsx'
import { composerDraft } from './open-question.tsx'
import { SpecView } from './spec-view.tsx'
import { useInterviewChange } from './use-interview-page.ts'
import { Link } from '@tanstack/react-router'
import { PlainText } from '../../ui/plain-text.tsx'

type Action = 'continue_interview' | 'submit_to_architect'

export interface PreviewProps {
  readonly repo: string
  readonly session: string
  /** The hash of the newest draft; null without one. */
  readonly draft: string | null
  /** It waits for a decision. */
  readonly isOpen: boolean
  readonly onContinued: (spec: string) => void
}

export function Preview({ repo, session, draft, isOpen, onContinued }: PreviewProps) {
  const hasDraft = draft !== null
  const { data, isError, error, refetch } = useInterviewPreview(repo, draft)
  const [shown, setShown] = useState<PreviewAnswer | null>(null)
  const [isReplaced, setReplaced] = useState(false)
  // The first text stays until the user asks for a newer one, so that only a text that was shown is submitted.
  useEffect(() => {
    // What is cached may be an earlier draft.
    if (data !== undefined && data.spec_sha === draft) setShown((before) => before ?? data)
  }, [data, draft])
  const isNewer = data !== undefined && shown !== null && data.spec_sha !== shown.spec_sha
  const show = (next: PreviewAnswer | undefined): void => {
    if (next === undefined) return
    setReplaced(true)
    setShown(next)
  }
  const isAbsent = !hasDraft || (error instanceof ApiError && error.status === 404)
  if (shown === null && isAbsent)
    return (
      <EmptyState title="There is no draft yet">
        Answer the questions, or say “that’s all”: the draft appears here for your decision.
      </EmptyState>
    )
  if (shown === null && isError)
    return <ErrorState what="the spec" error={error} onRetry={() => void refetch()} />
  if (shown === null) return <Skeleton rows={10} className="h-6" />
  return (
    <div className="mx-auto flex min-h-0 w-full max-w-4xl flex-col gap-4 lg:flex-1">
      <div
        tabIndex={0}
        className="flex min-h-0 flex-col gap-4 lg:flex-1 lg:overflow-y-auto"
        role="region"
        aria-label="Draft"
      >
        {isNewer && (
          <Notice tone="warn" title="There is a newer draft">
            <Button onClick={() => show(data)}>Show it</Button>
          </Notice>
        )}
        {isReplaced && !isNewer && (
          <Notice tone="warn" title="The spec changed since you read it">
            This is the new text. Read it, then decide again.
          </Notice>
        )}
        {shown.changes !== undefined && <SpecChanges changes={shown.changes} repo={repo} />}
        <SpecDocument shown={shown} />
      </div>
      {isOpen && (
        <Decision
          repo={repo}
          session={session}
          spec={shown.spec_sha}
          onContinued={onContinued}
          onChanged={async () => show((await refetch()).data)}
        />
      )}
    </div>
  )
}

function SpecDocument({ shown }: { readonly shown: PreviewAnswer }) {
  const [as, setAs] = useState<'rendered' | 'raw'>('rendered')
  const { title, requirements_count: count } = shown.spec_metadata
  return (
    <section aria-label="Spec" className="rounded-lg border">
      <div className="flex flex-wrap items-center gap-3 border-b px-4 py-2">
        {/* Its title is the first line of the text below. */}
        <h2 className="text-sm font-semibold" title={visibleText(title)}>
          Spec
        </h2>
        <span className="text-xs text-muted">{counted(count, 'requirement')}</span>
        <div className="ml-auto">
          <Segments
            label="Show the spec"
            items={[
              { key: 'rendered', label: 'Rendered' },
              { key: 'raw', label: 'Raw' },
            ]}
            value={as}
            onChange={setAs}
          />
        </div>
      </div>
      <div className="flex flex-col gap-6 p-4 lg:px-6">
        {shown.bootstrap_spec_md !== null && (
          <div className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">First, the set-up of the project</h3>
            <SpecView markdown={shown.bootstrap_spec_md} as={as} />
          </div>
        )}
        <SpecView markdown={shown.user_spec_md} as={as} />
      </div>
    </section>
  )
}

interface DecisionProps {
  readonly repo: string
  readonly session: string
  /** The hash of the text that the user sees. */
  readonly spec: string
  readonly onContinued: (spec: string) => void
  /** Another text is there than the one that was shown. */
  readonly onChanged: () => Promise<void>
}

function Decision({ repo, session, spec, onContinued, onChanged }: DecisionProps) {
  const [text, setText] = useDraft(composerDraft(repo, session))
  const canAct = useCanAct()
  const act = useInterviewChange('POST /api/pm/preview/action', repo)
  const say = useInterviewChange('POST /api/pm/chat', repo)
  const isBusy = act.isPending || say.isPending
  const failed = (what: string, error: unknown): void => {
    const isConflict = error instanceof ApiError && error.status === 409
    if (isConflict) void onChanged()
    else notifyFailed(what, error)
  }
  const decide = async (action: Action): Promise<void> => {
    try {
      const status = await act.mutateAsync({ action, spec_sha: spec })
      if (action !== 'continue_interview') return
      const message = text.trim()
      if (message !== '') {
        await say.mutateAsync({ session_id: status.session_id ?? session, message })
        setText('')
      }
      onContinued(spec)
    } catch (error) {
      failed(action === 'continue_interview' ? 'Could not continue' : 'Could not submit it', error)
    }
  }
  return (
    <div className="shrink-0">
      <Composer
        label="What should change?"
        text={text}
        onText={setText}
        placeholder="What should change? Leave it empty if it is right."
        onSubmit={() => undefined}
      >
        {text.trim() !== '' && (
          <span className="mr-auto pl-1 text-xs text-muted">Continue Interview sends this change.</span>
        )}
        <Button
          disabled={!canAct || isBusy}
          isBusy={say.isPending}
          onClick={() => void decide('continue_interview')}
        >
          Continue Interview
        </Button>
        <Button
          kind="primary"
          disabled={!canAct || isBusy || text.trim() !== ''}
          isBusy={act.isPending}
          onClick={() => void decide('submit_to_architect')}
        >
          Submit for Development
        </Button>
      </Composer>
    </div>
  )
}

/** What submitting a changed spec does to the plan that was made from it. */
type Changes = NonNullable<PreviewAnswer['changes']>

export function SpecChanges({ changes, repo }: { readonly changes: Changes; readonly repo: string }) {
  const { plan, requirements, tasks } = changes
  const { added, changed, removed, unchanged, fields } = requirements
  const isSame = added.length + changed.length + removed.length + fields.length === 0
  return (
    <section aria-labelledby="changes" className="flex flex-col gap-2 rounded-lg border p-4">
      <h2 id="changes" className="text-sm font-semibold">
        Submitting it changes plan{' '}
        <Link to="/p/$plan" params={{ plan }} search={{ repo }} className="underline underline-offset-2">
          {visibleText(plan)}
        </Link>
      </h2>
      <ul className="flex flex-col divide-y rounded-md border font-mono text-mono">
        {added.map((id) => (
          <Change key={id} sign="+" tone="text-ok" id={id}>
            new
          </Change>
        ))}
        {changed.map((one) => (
          <Change key={one.id} sign="~" tone="text-warn" id={one.id}>
            changed: <PlainText text={one.fields.join(', ')} />
          </Change>
        ))}
        {removed.map((id) => (
          <Change key={id} sign="−" tone="text-bad" id={id}>
            removed
          </Change>
        ))}
        {fields.length > 0 && (
          <Change sign="~" tone="text-warn" id="spec">
            <PlainText text={fields.join(', ')} />
          </Change>
        )}
        {isSame && <li className="px-3 py-1.5 text-muted">nothing: the spec is the same</li>}
        {unchanged.length > 0 && (
          <li className="px-3 py-1.5 text-muted">{counted(unchanged.length, 'requirement')} unchanged</li>
        )}
      </ul>
      {tasks.length > 0 && (
        <p className="text-sm">
          <span className="text-warn">{counted(tasks.length, 'task')} replaced or removed:</span>{' '}
          {tasks.map(({ id, requirements: of }, at) => (
            <span key={id}>
              {at > 0 && ', '}
              <Link
                to="/p/$plan/t/$task"
                params={{ plan, task: id }}
                search={{ repo }}
                className="underline underline-offset-2"
              >
                {visibleText(id)}
              </Link>{' '}
              <span className="text-muted">({visibleText(of.join(', '))})</span>
            </span>
          ))}
        </p>
      )}
    </section>
  )
}

function Change({
  sign,
  tone,
  id,
  children,
}: {
  readonly sign: string
  readonly tone: string
  readonly id: string
  readonly children: ReactNode
}) {
  return (
    <li className="flex gap-3 px-3 py-1.5">
      <span className={tone}>{sign}</span>
      <span className="w-20 shrink-0">{visibleText(id)}</span>
      <span className="text-muted">{children}</span>
    </li>
  )
}
