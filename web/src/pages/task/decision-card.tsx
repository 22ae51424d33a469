/** The open decision about a task: what the worker claims, what the gates saw, and the options. */
import { useState } from 'react'
import type { ReviewAnswer } from '../../../../src/protocol/task-answer.ts'
import { useInboxItem, useChange, useSnapshot, type Repo } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { headline, keyOf } from '../../shell/needs-you.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft, clearDraft } from '../../ui/draft.ts'
import { sentence } from '../../ui/format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState, Loaded } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OptionList } from '../needs-you/option-list.tsx'
import { choiceOf, useAnswer, type AnswerListener } from '../needs-you/use-answer.ts'
import { gateWords } from './verdict.ts'
import { NameField } from '../../shell/name-field.tsx'
import { usePersonName } from '../../api/person.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { Field, TextArea } from '../../ui/field.tsx'
import { notifyDone, notifyFailed } from '../../ui/toast.tsx'

export function DecisionCard({
  item,
  repo,
  isDiffOpened,
  on,
}: {
  readonly item: string
  readonly repo: Repo
  readonly isDiffOpened: boolean
  readonly on: AnswerListener
}) {
  // An item that was answered meanwhile is gone; what was read of it stays until the page knows by whom.
  return (
    <Loaded of={useInboxItem(item, repo)} what="the decision" skeleton={<Skeleton className="h-40" />}>
      {(answer) => <Decision answer={answer} isDiffOpened={isDiffOpened} on={on} />}
    </Loaded>
  )
}

function Decision({
  answer,
  isDiffOpened,
  on,
}: {
  readonly answer: ReviewAnswer
  readonly isDiffOpened: boolean
  readonly on: AnswerListener
}) {
  const { item } = answer
  const key = keyOf(item)
  const state = useAnswer(item, key, on)
  const canAct = useCanAct()
  const [chosen] = useDraft(choiceOf(key))
  return (
    <section aria-label="Decision" className="flex flex-col gap-3 rounded-md border border-line-strong p-4">
      <div className="flex flex-col gap-1">
        <p className="text-xs text-muted">
          <span className="font-medium text-warn">Needs you</span>, asked <Time at={item.since} />
        </p>
        <h2 className="text-base font-medium">
          <PlainText text={headline(item).text} />
        </h2>
        {item.impact !== '' && <PlainText text={sentence(item.impact)} as="block" className="text-muted" />}
      </div>
      <ClaimedObserved answer={answer} />
      <OptionList item={item} itemKey={key} answer={state} isDiffBeside />
      {item.kind === 'approval' && !isDiffOpened && (
        <p className="text-xs text-warn">You have not looked at the diff yet; an approval records that.</p>
      )}
      {!canAct && (
        <p className="text-sm text-warn">Bosun does not answer at the moment. What you typed is kept.</p>
      )}
      {state.error !== null && <ErrorState what="your answer" verb="send" error={state.error} />}
      {state.isAnswered && (
        <p role="status" className="text-muted">
          Recorded. Bosun takes it from here.
        </p>
      )}
      {/* An option that needs a reason asks for the name beside it. */}
      {!item.reason_needed.includes(chosen) && <NameField hint="Recorded with the decision." />}
    </section>
  )
}

/** What the worker says and what the gates saw, side by side and never mixed. */
function ClaimedObserved({ answer }: { readonly answer: ReviewAnswer }) {
  const claim = answer.task?.claim ?? null
  if (claim === null && answer.gates.length === 0) return null
  return (
    <dl className="grid grid-cols-[72px_minmax(0,1fr)] gap-x-3 gap-y-1">
      {claim !== null && (
        <>
          <dt className="text-muted">Claimed</dt>
          <dd>
            <LongText text={claim.explanation} />
            {claim.self_assessment !== null && claim.self_assessment !== '' && (
              <span className="text-muted">
                {' '}
                (<PlainText text={claim.self_assessment} />)
              </span>
            )}
            {claim.blockers.length > 0 && (
              <span className="text-warn">
                {' '}
                Blocked by: <PlainText text={claim.blockers.join('; ')} />
              </span>
            )}
          </dd>
        </>
      )}
      {answer.gates.length > 0 && (
        <>
          <dt className="text-muted">Observed</dt>
          <dd>{gateWords(answer.gates)}</dd>
        </>
      )}
    </dl>
  )
}

/** The buttons below stay in sight, however much was written. */
const SHOWN_AT_FIRST = 600

function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > SHOWN_AT_FIRST
  return (
    <>
      <PlainText
        text={isLong && !isWhole ? `${text.slice(0, SHOWN_AT_FIRST)}…` : text}
        className="whitespace-pre-wrap"
      />
      {isLong && (
        <Button size="sm" kind="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
        </Button>
      )}
    </>
  )
}

/** Pauses the plan of a task, in a person's name and with a reason. */
export function PauseCard({ plan, repo }: { readonly plan: string; readonly repo: string }) {
  const [isOpen, setOpen] = useState(false)
  const name = usePersonName()
  const draft = `pause:${repo}:${plan}`
  const [reason] = useDraft(draft)
  const change = useChange('POST /api/plans/{id}/pause')
  const canAct = useCanAct()
  const { data } = useSnapshot()
  const state = data?.plans.find((one) => one.id === plan && one.repo === repo)?.state
  const pause = (): void =>
    change.mutate(
      {
        params: { id: plan },
        body: { by: name.trim(), reason: reason.trim(), repo },
      },
      {
        onSuccess: ({ changed }) => {
          clearDraft(draft)
          setOpen(false)
          notifyDone(changed ? `${plan} is paused; running workers finish` : `${plan} was paused already`)
        },
        onError: (error) => notifyFailed('Could not pause the plan', error),
      },
    )
  // There is nothing to pause; the header has Resume.
  if (state === 'paused' || state === 'done' || state === 'damaged') return null
  return (
    <div>
      <Button kind="quiet" className="-ml-2" disabled={!canAct} onClick={() => setOpen(true)}>
        Pause the plan…
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={`Pause ${plan}?`}
        description="No new work starts. Running workers finish what they are doing; Resume goes on."
        action="Pause"
        kind="primary"
        isBusy={change.isPending}
        onConfirm={() => name.trim() !== '' && pause()}
      >
        <Field label="Reason">
          <TextArea draft={draft} />
        </Field>
        <NameField error={name.trim() === '' ? 'Recorded with the pause.' : undefined} />
      </ConfirmDialog>
    </div>
  )
}
