/** States in which the user has nothing to answer, explained with what to do. */
import { Link } from '@tanstack/react-router'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { usePlanGraph } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { notifyFailed } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import type { Situation } from './situation.ts'
import { SpecDrop } from './composer.tsx'
import { useInterviewChange } from './use-interview-page.ts'
import { CircleAlert, CircleCheck, Clock, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { TONE } from '../../ui/badge.tsx'

export interface SituationNoticeProps {
  readonly situation: Situation
  readonly repo: string
  readonly wasSubmitted: boolean
  readonly onSession: (status: PmStatus) => void
}

export function SituationNotice({ situation, repo, wasSubmitted, onSession }: SituationNoticeProps) {
  switch (situation.kind) {
    case 'asks':
    case 'thinks':
    case 'preview':
      return null
    case 'architect':
      return (
        <Notice tone="run" title="The spec is with the architect">
          An approved spec becomes a plan at once; otherwise you see here what the architect wants changed.
          You can leave this page.
        </Notice>
      )
    case 'approved':
      return <Approved plan={situation.plan} repo={repo} wasSubmitted={wasSubmitted} onSession={onSession} />
    case 'suspended':
      return (
        <Notice tone="warn" title="Suspended: a service does not answer">
          <PlainText as="block" text={situation.why} />
          <p>
            Everything is kept. Bosun looks every 30 seconds and goes on by itself; after 15 minutes the
            interview ends with an error and can be continued here. You can go on writing.
          </p>
        </Notice>
      )
    case 'parked':
      return (
        <Notice tone="warn" title="The model takes no work at the moment">
          <p>
            <PlainText text={situation.why} />. It goes on by itself <Time at={situation.until} />.
          </p>
        </Notice>
      )
    case 'failed':
      return <Failed situation={situation} repo={repo} onSession={onSession} />
    case 'other':
      return (
        <Notice tone="muted" title="This interview has ended">
          <Link
            to="/interview/$id"
            params={{ id: situation.session }}
            search={{ repo }}
            className={buttonClass('primary')}
          >
            Open the one that goes on
          </Link>
        </Notice>
      )
    case 'stopped':
      return (
        <Notice tone="warn" title="Bosun was stopped">
          The interview goes on where it was when Bosun starts again.
        </Notice>
      )
    case 'none':
      return (
        <Notice tone="muted" title="No interview is open in this repository">
          <Link to="/start" className={buttonClass('primary')}>
            Start one
          </Link>
          <SpecDrop repo={repo} onSession={onSession} />
        </Notice>
      )
  }
}

function Approved({
  plan,
  repo,
  wasSubmitted,
  onSession,
}: Pick<SituationNoticeProps, 'repo' | 'wasSubmitted' | 'onSession'> & { readonly plan: string }) {
  const { data } = usePlanGraph(plan, repo)
  const count = data === undefined ? '' : `, ${counted(data.tasks.length, 'task')}`
  return (
    <Notice tone="ok" title={wasSubmitted ? 'The spec became a plan' : 'This interview has ended'}>
      <p>
        {wasSubmitted ? 'It is now plan' : 'The last spec that was approved here is plan'}{' '}
        <span className="font-medium text-text">{visibleText(plan)}</span>
        {count}.
      </p>
      <Link to="/p/$plan" params={{ plan }} search={{ repo }} className={buttonClass('primary')}>
        Open the plan
      </Link>
      <SpecDrop repo={repo} onSession={onSession} />
    </Notice>
  )
}

function Failed({
  situation,
  repo,
  onSession,
}: Pick<SituationNoticeProps, 'repo' | 'onSession'> & {
  readonly situation: Extract<Situation, { kind: 'failed' }>
}) {
  const start = useInterviewChange('POST /api/pm/start', repo, onSession)
  const canAct = useCanAct()
  const resume = (): void =>
    start.mutate(
      { resume: situation.session },
      { onError: (error) => notifyFailed('Could not continue it', error) },
    )
  return (
    <Notice tone="bad" title="The interview ended with an error">
      <PlainText as="block" text={situation.why} />
      <p className="text-xs">
        <Time at={situation.since} />
      </p>
      <p>
        Nothing is lost: the conversation{situation.hasDraft ? ' and the draft are' : ' is'} kept. If a model
        was to blame, look at its key and its provider first.
      </p>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onClick={resume} isBusy={start.isPending} disabled={!canAct}>
          Continue the interview
        </Button>
        <Link to="/start" className={buttonClass('quiet')}>
          Begin anew
        </Link>
      </div>
    </Notice>
  )
}

const ICONS = { ok: CircleCheck, warn: CircleAlert, bad: CircleAlert, run: Clock, muted: Info } as const

/** What is going on, and what can be done about it. */
export function Notice({
  tone,
  title,
  children,
}: {
  readonly tone: keyof typeof ICONS
  readonly title: string
  readonly children?: ReactNode
}) {
  const Icon = ICONS[tone]
  return (
    <div role="status" className="flex items-start gap-3 rounded-lg border p-4">
      <Icon size={16} className={`mt-0.5 shrink-0 ${TONE[tone]}`} aria-hidden="true" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p className="font-medium">{title}</p>
        {children !== undefined && (
          <div className="flex flex-col items-start gap-2 text-muted">{children}</div>
        )}
      </div>
    </div>
  )
}
