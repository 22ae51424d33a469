/** An item that is closed: one line, opened by a click or Enter. */
import { Link } from '@tanstack/react-router'
import {
  MessagesSquare,
  Eye,
  MessageCircleQuestion,
  PenLine,
  ShieldQuestion,
  Triangle,
  type LucideIcon,
} from 'lucide-react'
import { memo } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { headline, KIND_WORD, type Interview } from '../../shell/needs-you.ts'
import { folderName } from '../../shell/progress.ts'
import { buttonClass } from '../../ui/button.tsx'
import { counted } from '../../../../src/lib/text/counted.ts'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'
import { othersBlocked } from './options.ts'
import { TONE, type Tone } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'

const LINE = 'flex min-h-11 w-full items-center gap-3 px-4 py-2 text-left'

/** Drawn again only when it changed: there may be a thousand. */
export const ItemRow = memo(function ItemRow({
  item,
  itemKey,
  hasPlan,
  onOpen,
}: {
  readonly item: InboxEntry
  readonly itemKey: string
  /** Named where the list is of several plans, since tasks of two have the same ids. */
  readonly hasPlan: boolean
  readonly onOpen: (key: string) => void
}) {
  const blocks = othersBlocked(item).length
  const { title, text } = headline(item)
  return (
    <button
      type="button"
      onClick={() => onOpen(itemKey)}
      aria-expanded="false"
      className={`${LINE} hover:bg-sub`}
    >
      <KindMark kind={item.kind} className="w-20 shrink-0" />
      {hasPlan && (
        <span className="w-28 shrink-0 truncate font-mono text-mono text-muted max-sm:hidden">
          {visibleText(item.task === null ? item.plan : `${item.plan}/${item.task}`)}
        </span>
      )}
      <span className="min-w-0 flex-1 truncate max-sm:line-clamp-2 max-sm:whitespace-normal">
        {title !== null && (
          <>
            <PlainText text={title} className="font-medium" />{' '}
          </>
        )}
        <PlainText text={text} className={title === null ? '' : 'text-muted'} />
      </span>
      {blocks > 0 && (
        <span className="shrink-0 text-xs text-warn max-sm:hidden">blocks {counted(blocks, 'task')}</span>
      )}
      <Time
        at={item.since}
        as="since"
        className="w-16 shrink-0 text-right text-xs whitespace-nowrap text-muted"
      />
    </button>
  )
})

export function InterviewRow({ interview }: { readonly interview: Interview }) {
  return (
    <div className={LINE}>
      <span className="inline-flex w-20 shrink-0 items-center gap-1.5 text-xs font-medium">
        <MessagesSquare size={14} aria-hidden="true" className="text-run" />
        Interview
      </span>
      <span className="min-w-0 flex-1 truncate">
        <PlainText text={interview.title} />{' '}
        <span className="text-muted">{visibleText(folderName(interview.repo))}</span>
      </span>
      <Link
        to="/interview/$id"
        params={{ id: interview.session_id }}
        search={{ repo: interview.repo }}
        className={buttonClass('default', 'sm')}
      >
        {interview.state === 'PREVIEW' ? 'Look at the spec' : 'Answer'}
      </Link>
    </div>
  )
}

/** It needs no answer any more; its place is kept while a person is at the list. */
export function GoneRow({ name }: { readonly name: string }) {
  return (
    <p className={`${LINE} text-muted`}>
      <span className="w-20 shrink-0 text-xs">Done</span>
      <PlainText text={name} className="min-w-0 flex-1 truncate line-through" />
    </p>
  )
}

/** What is asked of the person, as an icon and a word. */
const SIGN: Readonly<Record<InboxEntry['kind'], { readonly icon: LucideIcon; readonly tone: Tone }>> = {
  escalation: { icon: Triangle, tone: 'warn' },
  question: { icon: MessageCircleQuestion, tone: 'run' },
  approval: { icon: Eye, tone: 'run' },
  permission: { icon: ShieldQuestion, tone: 'warn' },
  release: { icon: PenLine, tone: 'ok' },
}

export function KindMark({
  kind,
  className,
}: {
  readonly kind: InboxEntry['kind']
  readonly className?: string
}) {
  const { icon: Icon, tone } = SIGN[kind]
  return (
    <span className={cx('inline-flex items-center gap-1.5 text-xs font-medium text-text', className)}>
      <Icon size={14} aria-hidden="true" className={TONE[tone]} />
      {KIND_WORD[kind]}
    </span>
  )
}
