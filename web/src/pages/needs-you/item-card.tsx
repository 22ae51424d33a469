/** The item that is open: what is asked, what it blocks, what it rests on, and its options. */
import { Link } from '@tanstack/react-router'
import { ChevronUp } from 'lucide-react'
import { useState } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { useCanAct } from '../../live/live.ts'
import { PlanLink, TaskLink } from '../../shell/links.tsx'
import { headline } from '../../shell/needs-you.ts'
import { SectionBoundary } from '../../shell/page-states.tsx'
import { folderName } from '../../shell/progress.ts'
import { Button, buttonClass, IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { counted } from '../../../../src/lib/text/counted.ts'
import { sentence } from '../../ui/format.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { ErrorState } from '../../ui/states.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { EditPlan } from './edit-plan.tsx'
import { Evidence } from './evidence.tsx'
import { KindMark } from './item-row.tsx'
import { OptionList } from './option-list.tsx'
import { furtherEvidence, isProposal, isSaidByBlocks, othersBlocked } from './options.ts'
import { useAnswer, type AnswerListener } from './use-answer.ts'

const MOST_BLOCKED = 8

export function ItemCard({
  item,
  itemKey,
  onClose,
  on,
  followsAnswer,
}: {
  readonly item: InboxEntry
  readonly itemKey: string
  readonly onClose: () => void
  readonly on: AnswerListener
  /** It opened by itself where another item was answered. */
  readonly followsAnswer: boolean
}) {
  const answer = useAnswer(item, itemKey, on)
  const canAct = useCanAct()
  const [isEvidenceOpen, setEvidenceOpen] = useState(false)
  const { title, text } = headline(item)
  const evidence = furtherEvidence(item)
  return (
    <article aria-label={visibleText(item.problem)} className="flex flex-col gap-4 p-4">
      <div className="flex flex-col gap-1.5">
        <div className="flex items-start gap-2">
          <div className="flex min-h-5 min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
            <KindMark kind={item.kind} />
            {item.task !== null && (
              <TaskLink plan={item.plan} task={item.task} repo={item.repo} className="hover:text-text">
                task {visibleText(item.task)}
              </TaskLink>
            )}
            <span aria-hidden="true">·</span>
            <PlanLink plan={item.plan} repo={item.repo} className="hover:text-text" />
            {item.repo !== '' && (
              <span title={visibleText(item.repo)} className="max-sm:hidden">
                in {visibleText(folderName(item.repo))}
              </span>
            )}
            <span className="ml-auto">
              waiting <Time at={item.since} as="since" />
            </span>
          </div>
          <IconButton label="Close" onClick={onClose} className="-my-1.5 -mr-2 max-sm:-my-3">
            <ChevronUp size={16} />
          </IconButton>
        </div>
        <h2 className="text-lg font-semibold">
          <PlainText text={title ?? text} />
        </h2>
        {title !== null && <PlainText text={text} as="block" />}
        {item.impact !== '' && !isSaidByBlocks(item) && (
          <PlainText text={sentence(item.impact)} as="block" className="text-muted" />
        )}
      </div>
      <Blocks item={item} />
      {item.group.length > 1 && (
        <p className="text-sm text-muted">
          Asked {counted(item.group.length, 'time')}; your answer answers all of them.
        </p>
      )}
      {evidence.length > 0 && (
        <ul className="flex flex-col gap-1 border-l-2 pl-3">
          {evidence.map((line, at) => (
            <li key={at}>
              <PlainText text={sentence(line)} className="text-sm text-muted" />
            </li>
          ))}
        </ul>
      )}
      {item.kind === 'release' ? (
        <ToRelease item={item} />
      ) : (
        <OptionList item={item} itemKey={itemKey} answer={answer} followsAnswer={followsAnswer} />
      )}
      {isProposal(item) && <EditPlan item={item} />}
      {!canAct && (
        <p className="text-sm text-warn">
          Bosun does not answer at the moment. What you typed is kept; you can send it once the page is live
          again.
        </p>
      )}
      {answer.error !== null && <ErrorState what="your answer" verb="send" error={answer.error} />}
      {answer.isAnswered && (
        <p role="status" className="text-sm text-muted">
          Sent. Bosun takes it from here.
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="sm"
          kind="quiet"
          aria-expanded={isEvidenceOpen}
          onClick={() => setEvidenceOpen(!isEvidenceOpen)}
          className="-ml-2"
        >
          {isEvidenceOpen ? 'Hide the evidence' : 'Show all the evidence'}
        </Button>
        {item.task !== null && (
          <TaskLink
            plan={item.plan}
            task={item.task}
            repo={item.repo}
            className="text-xs text-muted hover:text-text"
          >
            Open the task and its diff
          </TaskLink>
        )}
      </div>
      {isEvidenceOpen && (
        <SectionBoundary what="the evidence">
          <Evidence item={item} />
        </SectionBoundary>
      )}
    </article>
  )
}

/** A release is signed where it is shown what is proven and what is not, by typing its name. */
function ToRelease({ item }: { readonly item: InboxEntry }) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Link
        to="/p/$plan/release"
        params={{ plan: item.plan }}
        search={item.repo === '' ? {} : { repo: item.repo }}
        className={cx(buttonClass('primary'), 'max-sm:w-full')}
      >
        Review and sign off
      </Link>
      <span className="text-sm text-muted">
        What is proven, what is not, and the sign-off. Nothing is merged.
      </span>
    </div>
  )
}

function Blocks({ item }: { readonly item: InboxEntry }) {
  const blocks = othersBlocked(item)
  if (blocks.length === 0) return null
  const shown = blocks.slice(0, MOST_BLOCKED)
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
      <span className="font-medium text-warn">Blocks {counted(blocks.length, 'task')}</span>
      {shown.map((task) => (
        <TaskLink key={task} plan={item.plan} task={task} repo={item.repo} />
      ))}
      {blocks.length > shown.length && (
        <span className="text-muted">and {blocks.length - shown.length} more</span>
      )}
    </p>
  )
}
