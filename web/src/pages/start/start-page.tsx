/** From anything a person has to work: what was understood can be corrected before anything is spent. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ArrowRight, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import type { InterviewRow } from '../../../../src/protocol/answers.ts'
import type { IntakeAnswer, IntakeRequest } from '../../../../src/protocol/intake.ts'
import { send } from '../../api/client.ts'
import { useBrain, useInterview, useSnapshot } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { Page } from '../../shell/page.tsx'
import { folderName } from '../../shell/progress.ts'
import { Button } from '../../ui/button.tsx'
import { List, Row, Section } from '../../ui/list.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { notifyDone } from '../../ui/toast.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { beginRequest } from './begin-request.ts'
import { NEXT_WORDS, Understood } from './understood.tsx'
import { Failure } from './failure.tsx'
import { RepositoryField, RequestBox } from './request-box.tsx'
import { requestOf, type Overrides } from './request-draft.ts'
import { useStartDraft } from './use-start-draft.ts'

export function StartPage() {
  const { data: snapshot } = useSnapshot()
  const draft = useStartDraft()
  const canAct = useCanAct()
  const known = snapshot?.repositories ?? []
  const repo = draft.repo === '' ? (known[0] ?? '') : draft.repo
  const request = requestOf(draft.text, draft.files)
  const [overrides, setOverrides] = useState<Overrides>({})
  const asked = `${repo}\n${request.file_name ?? ''}\n${request.text}`
  const intake = useIntake()
  const begin = useBegin(draft.clear)
  const understand = (corrections: Overrides): void => {
    if (request.text === '' || repo === '') return
    setOverrides(corrections)
    begin.reset()
    intake.mutate({ asked, body: { cwd: repo, ...request, ...corrections } })
  }
  const isOutdated = intake.variables !== undefined && intake.variables.asked !== asked
  const understood = intake.data !== undefined && !isOutdated ? intake.data : null
  const start = (resume?: boolean): void => {
    if (understood === null) return
    begin.mutate({
      intake: understood,
      text: request.text,
      fileName: request.file_name,
      repo,
      answers: overrides.answers ?? [],
      ...(resume === undefined ? {} : { resume }),
    })
  }
  const canAsk = request.text.trim() !== '' && repo.startsWith('/') && canAct
  return (
    <div className="mx-auto w-full max-w-3xl">
      <Page title="Start" heading="What should be done?">
        <RequestBox
          isEmpty={request.text === ''}
          files={draft.files}
          onFiles={draft.setFiles}
          onSubmit={() => understand({})}
        />
        <div className="flex flex-wrap items-start gap-3">
          <RepositoryField known={known} value={repo} onChange={draft.setRepo} />
          <Button
            kind={understood === null ? 'primary' : 'default'}
            shortcut="Ctrl ↵"
            disabled={!canAsk}
            isBusy={intake.isPending}
            onClick={() => understand({})}
            className="sm:mt-5 max-sm:w-full"
          >
            {intake.isPending ? 'Reading it…' : 'Continue'}
          </Button>
          {intake.isPending && (
            <Button
              kind="quiet"
              className="sm:mt-5 max-sm:w-full"
              onClick={() => understand({ ...overrides, judge: false })}
            >
              Answer it myself
            </Button>
          )}
        </div>
        <WhoJudges repo={repo} />
        {isOutdated && <p className="text-sm text-muted">You changed the request. Press Continue again.</p>}
        {intake.isError && !intake.isPending && (
          <Failure error={intake.error} repo={repo} what="Could not understand it" onResume={null} />
        )}
        {understood !== null && (
          <>
            <Understood
              intake={understood}
              overrides={overrides}
              isBusy={intake.isPending}
              onCorrect={understand}
            />
            {begin.isError && (
              <Failure error={begin.error} repo={repo} what="Could not start" onResume={start} />
            )}
            <div className="flex flex-wrap items-center justify-end gap-3">
              <p className="min-w-0 flex-1 text-sm text-muted">{NEXT_WORDS[understood.next].follows}</p>
              <Button
                kind="primary"
                disabled={
                  understood.next === 'ask' || understood.next === 'answered' || !canAct || intake.isPending
                }
                isBusy={begin.isPending}
                onClick={() => start()}
                className="max-sm:w-full"
              >
                {NEXT_WORDS[understood.next].action}
                <ArrowRight size={14} aria-hidden="true" />
              </Button>
            </div>
          </>
        )}
        <EarlierInterviews repo={repo} />
      </Page>
    </div>
  )
}

/** Before anything is sent: who would be asked, what that may cost and how long it takes. */
function WhoJudges({ repo }: { readonly repo: string }) {
  const { data } = useBrain(repo, repo.startsWith('/'))
  if (data === undefined) return null
  return (
    <p className="text-sm text-muted">
      {data.who === null ? (
        <>
          No model is asked, since <PlainText text={data.why} />: you say what it is.
        </>
      ) : (
        <>
          Continue asks <PlainText text={data.text} />. A plan or a spec is taken as it is.
        </>
      )}
    </p>
  )
}

interface Asked {
  /** What it is about, to notice that it changed since. */
  readonly asked: string
  readonly body: IntakeRequest
}

/** It changes nothing, so nothing is fetched again after it. The answer before stays while a correction is understood. */
function useIntake() {
  const [last, setLast] = useState<{ readonly asked: string; readonly answer: IntakeAnswer } | null>(null)
  const mutation = useMutation({
    mutationFn: ({ body }: Asked) => send('POST /api/intake', {}, body),
    onSuccess: (answer, { asked }) => setLast({ asked, answer }),
  })
  const { variables } = mutation
  const kept = last !== null && last.asked === variables?.asked ? last.answer : undefined
  return { ...mutation, data: mutation.data ?? kept }
}

function useBegin(onBegun: () => void) {
  const navigate = useNavigate()
  const client = useQueryClient()
  return useMutation({
    mutationFn: beginRequest,
    onSuccess: (begun) => {
      onBegun()
      void client.invalidateQueries({ queryKey: ['interview'] })
      if (begun.kind === 'interview')
        return navigate({ to: '/interview/$id', params: { id: begun.session }, search: { repo: begun.repo } })
      notifyDone(`${begun.plan} is registered`)
      for (const notice of begun.notices.slice(0, 3)) notifyDone(notice)
      return navigate({ to: '/p/$plan', params: { plan: begun.plan }, search: { repo: begun.repo } })
    },
  })
}

/** Interviews that were begun before: those that are open, and those of this repository that an error ended. */
function EarlierInterviews({ repo }: { readonly repo: string }) {
  const { data } = useSnapshot()
  const { data: status } = useInterview(repo, repo.startsWith('/'))
  const open = data?.interviews ?? []
  const kept = (status?.kept ?? []).map((one) => ({ ...one, repo, waits: false }))
  return (
    <>
      <InterviewList title="Open interviews" rows={open} />
      <InterviewList title="Can be continued" rows={kept} />
    </>
  )
}

function InterviewList({
  title,
  rows,
}: {
  readonly title: string
  readonly rows: readonly Pick<InterviewRow, 'session_id' | 'repo' | 'title' | 'waits'>[]
}) {
  if (rows.length === 0) return null
  return (
    <Section title={title} count={rows.length}>
      <List>
        {rows.map(({ session_id, repo, title, waits }) => (
          <Row key={`${repo}\n${session_id}`} className="!p-0">
            <Link
              to="/interview/$id"
              params={{ id: session_id }}
              search={{ repo }}
              className="flex min-h-10 flex-1 items-center gap-3 px-3"
            >
              <MessageSquare size={14} className="shrink-0 text-muted" aria-hidden="true" />
              <span className="min-w-0 flex-1 truncate">
                {visibleText(title === '' ? 'Interview' : title)}
              </span>
              <span className="text-xs text-muted">{visibleText(folderName(repo))}</span>
              {waits && <span className="text-xs text-warn">waits for you</span>}
            </Link>
          </Row>
        ))}
      </List>
    </Section>
  )
}
