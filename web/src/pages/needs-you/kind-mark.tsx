/** What is asked of the person, as an icon and a word. */
import { Eye, MessageCircleQuestion, PenLine, ShieldQuestion, Triangle, type LucideIcon } from 'lucide-react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { KIND_WORD } from '../../shell/needs-you.ts'
import { TONE, type Tone } from '../../ui/badge.tsx'
import { cx } from '../../ui/cx.ts'

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
