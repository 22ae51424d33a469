/** The open decision about a task: what the worker claims, what the gates saw, and the options. */
import { useState } from 'react'
import type { ReviewAnswer } from '../../../../src/protocol/review-answer.ts'
import { setPersonName, usePersonName } from '../../api/person.ts'
import { useInboxItem, type Repo } from '../../api/queries.ts'
import { useCanAct } from '../../live/live.ts'
import { headline, keyOf } from '../../shell/needs-you.ts'
import { Button } from '../../ui/button.tsx'
import { useDraft } from '../../ui/draft.ts'
import { Field, Input } from '../../ui/field.tsx'
import { sentence } from '../../ui/format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { OptionList } from '../needs-you/option-list.tsx'
import { choiceOf, useAnswer, type AnswerListener } from '../needs-you/use-answer.ts'
import { gateWords } from './verdict.ts'

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
  const asked = useInboxItem(item, repo)
  if (asked.isPending) return <Skeleton className="h-40" />
  // An item that was answered meanwhile is gone; what was read of it stays until the page knows by whom.
  if (asked.isLoadingError) {
    return <ErrorState what="the decision" error={asked.error} onRetry={() => void asked.refetch()} />
  }
  return <Decision answer={asked.data} isDiffOpened={isDiffOpened} on={on} />
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
  const name = usePersonName()
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
      {!item.reason_needed.includes(chosen) && (
        <Field label="Your name" hint="Recorded with the decision.">
          <Input
            value={name}
            onChange={(event) => setPersonName(event.target.value)}
            autoComplete="name"
            maxLength={200}
          />
        </Field>
      )}
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
