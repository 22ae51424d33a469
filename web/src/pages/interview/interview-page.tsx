/** From questions to a spec, and from the spec to a plan. */
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import { useSnapshot } from '../../api/queries.ts'
import { Page } from '../../shell/page.tsx'
import { folderName } from '../../shell/progress.ts'
import { useSearchValue } from '../../shell/use-search.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { readDraft } from '../../ui/draft.ts'
import { formatUsd } from '../../../../src/lib/text/format-usage.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { EmptyState, ErrorState } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { Chat } from './chat.tsx'
import { Notice, SituationNotice } from './situation-notice.tsx'
import { composerDraft } from './open-question.tsx'
import { Preview } from './preview.tsx'
import { isTalking, onArrival, type Situation } from './situation.ts'
import { useInterviewFacts, useInterviewChange, type InterviewFacts } from './use-interview-page.ts'
import { useCanAct } from '../../live/live.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'

export function InterviewPage() {
  const { id: session = '' }: { readonly id?: string } = useParams({ strict: false })
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false })
  const { data: snapshot } = useSnapshot()
  const repo = search['repo'] ?? snapshot?.interviews.find(({ session_id }) => session_id === session)?.repo
  if (repo !== undefined) return <Interview key={`${repo}\n${session}`} repo={repo} session={session} />
  return (
    <Page title="Interview">
      {snapshot === undefined ? (
        <Skeleton rows={4} />
      ) : (
        <EmptyState
          title="This interview is not open any more"
          action={
            <Link to="/start" className={buttonClass('primary')}>
              Go to Start
            </Link>
          }
        >
          It has ended, or the address lacks its repository. Open interviews are listed under Start.
        </EmptyState>
      )}
    </Page>
  )
}

function Interview({ repo, session }: { readonly repo: string; readonly session: string }) {
  const { facts, status } = useInterviewFacts(repo, session)
  if (facts === null)
    return (
      <Page title="Interview">
        {status.isError ? (
          <ErrorState what="the interview" error={status.error} onRetry={() => void status.refetch()} />
        ) : (
          <Skeleton rows={6} />
        )}
      </Page>
    )
  return <OpenInterview repo={repo} session={session} facts={facts} />
}

interface OpenInterviewProps {
  readonly repo: string
  readonly session: string
  readonly facts: InterviewFacts
}

function OpenInterview({ repo, session, facts }: OpenInterviewProps) {
  const [chosen, setTab] = useSearchValue('tab', 'chat')
  const tab = chosen === 'preview' ? 'preview' : 'chat'
  const { situation, status, messages, wasSubmitted } = facts
  const [isOffered, setOffered] = useState(false)
  useArrival(situation, tab, () => readDraft(composerDraft(repo, session)).trim() !== '', {
    open: () => setTab('preview'),
    notice: () => setOffered(true),
  })
  // A quick model has the next draft ready before the page is back at the chat.
  const continuedFrom = useRef<string | null>(null)
  useEffect(() => {
    const from = continuedFrom.current
    if (tab !== 'chat' || situation.kind !== 'preview' || from === null || status.spec_sha === from) return
    continuedFrom.current = null
    setTab('preview')
  }, [tab, situation.kind, status.spec_sha])
  const navigate = useNavigate()
  const onSession = ({ session_id }: PmStatus): void => {
    if (session_id !== null)
      void navigate({ to: '/interview/$id', params: { id: session_id }, search: { repo } })
  }
  useGoToPlan(facts, repo)
  const title = titleOf(facts)
  const spent = formatUsd(status.spent_usd)
  const hasDraft = status.spec_sha !== null
  return (
    <div className="flex flex-col lg:h-[calc(100dvh-80px)] lg:min-h-[560px] lg:[&>div]:min-h-0 lg:[&>div]:flex-1">
      <Page
        title={title === '' ? 'Interview' : title}
        heading={<bdi className="line-clamp-2">{title === '' ? 'Interview' : title}</bdi>}
        width="full"
      >
        <p className="-mt-4 text-sm text-muted">
          {visibleText(folderName(repo))} · {STATE_WORDS[situation.kind]}
          {spent !== null && ` · ${spent} so far`}
          {isTalking(situation) && <AbandonButton repo={repo} />}
        </p>
        {status.damaged !== null && (
          <Notice tone="warn" title="An earlier interview cannot be read">
            {visibleText(status.damaged)}
          </Notice>
        )}
        <Tabs
          label="Parts of the interview"
          items={[
            { key: 'chat', label: 'Chat' },
            { key: 'preview', label: <PreviewLabel isWaiting={situation.kind === 'preview'} /> },
          ]}
          value={tab}
          onChange={(key) => {
            setOffered(false)
            setTab(key)
          }}
        />
        {isOffered && tab === 'chat' && situation.kind === 'preview' && (
          <Notice tone="ok" title="The draft is ready">
            <p>You are typing, so this page stayed here. Your text is kept.</p>
            <Button onClick={() => setTab('preview')}>Show the preview</Button>
          </Notice>
        )}
        {tab === 'preview' ? (
          <div className="flex min-h-0 flex-col gap-4 lg:flex-1">
            <SituationNotice
              situation={situation}
              repo={repo}
              wasSubmitted={wasSubmitted}
              onSession={onSession}
            />
            {isTalking(situation) && (
              <Preview
                repo={repo}
                session={session}
                draft={status.spec_sha}
                isOpen={situation.kind === 'preview'}
                onContinued={(spec) => {
                  continuedFrom.current = spec
                  setTab('chat')
                }}
              />
            )}
          </div>
        ) : (
          <Chat
            repo={repo}
            session={session}
            status={status}
            situation={situation}
            messages={messages}
            hasDraft={hasDraft}
            notice={
              <SituationNotice
                situation={situation}
                repo={repo}
                wasSubmitted={wasSubmitted}
                onSession={onSession}
              />
            }
            onPreview={() => setTab('preview')}
          />
        )}
      </Page>
    </div>
  )
}

/** What was submitted on this page and approved is a plan now: the page goes on to it. */
function useGoToPlan({ situation, wasSubmitted }: InterviewFacts, repo: string): void {
  const navigate = useNavigate()
  const plan = situation.kind === 'approved' && wasSubmitted ? situation.plan : null
  useEffect(() => {
    if (plan !== null) void navigate({ to: '/p/$plan', params: { plan }, search: { repo } })
  }, [plan, repo, navigate])
}

const STATE_WORDS: Readonly<Record<Situation['kind'], string>> = {
  none: 'no interview is open',
  other: 'ended',
  asks: 'waits for your answer',
  thinks: 'the PM is thinking',
  preview: 'waits for your decision about the draft',
  architect: 'the spec is with the architect',
  approved: 'became a plan',
  suspended: 'suspended',
  parked: 'waits for the model',
  failed: 'ended with an error',
  stopped: 'Bosun was stopped',
}

function PreviewLabel({ isWaiting }: { readonly isWaiting: boolean }) {
  return (
    <>
      Preview
      {isWaiting && (
        <span className="size-1.5 rounded-full bg-warn" role="img" aria-label="waits for your decision" />
      )}
    </>
  )
}

const LONGEST_TITLE = 120

/** The first line of the user's first message. */
function titleOf({ messages }: InterviewFacts): string {
  const line =
    messages
      .find(({ from }) => from === 'user')
      ?.text.trim()
      .split('\n')[0] ?? ''
  const text = visibleText(line.replace(/^#+\s*/, ''))
  return text.length > LONGEST_TITLE ? `${text.slice(0, LONGEST_TITLE)}…` : text
}

/** A new preview opens by itself, unless something is half typed. */
function useArrival(
  { kind: now }: Situation,
  tab: 'chat' | 'preview',
  isHalfTyped: () => boolean,
  act: { readonly open: () => void; readonly notice: () => void },
): void {
  const before = useRef<Situation['kind'] | null>(null)
  useEffect(() => {
    const arrival = onArrival({ before: before.current, now, tab, isHalfTyped: isHalfTyped() })
    before.current = now
    if (arrival === 'open') act.open()
    if (arrival === 'notice') act.notice()
  }, [now])
}

/** Ends the open interview, after a question. */
export function AbandonButton({ repo }: { readonly repo: string }) {
  const [isAsking, setAsking] = useState(false)
  const canAct = useCanAct()
  const abandon = useInterviewChange('POST /api/pm/abandon', repo, () => {
    setAsking(false)
    notifyDone('The interview is abandoned')
  })
  return (
    <>
      {' · '}
      <Button kind="quiet" size="sm" disabled={!canAct} onClick={() => setAsking(true)}>
        Abandon…
      </Button>
      <ConfirmDialog
        title="Abandon this interview?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        action="Abandon it"
        isBusy={abandon.isPending}
        onConfirm={() =>
          abandon.mutate({}, { onError: (error) => notifyFailed('Could not abandon it', error) })
        }
      >
        <p>What was said and drafted does not go on. Another interview can start then.</p>
      </ConfirmDialog>
    </>
  )
}
