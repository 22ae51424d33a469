/** Notices as a person reads them, and as programs get them. */
import { terminalLine } from '../../../lib/text/terminal-text.ts'
import type { Notice, NoticeKind } from './notice.ts'

/** A notice with its place. */
export interface PlacedNotice extends Notice {
  readonly plan: string
  /** The path of the repository. */
  readonly repo: string
  readonly isRepeated: boolean
  /** The id of its item, as `bosun answer` takes it; null where nothing is asked. */
  readonly answerId: string | null
  /** Of the page; null where it has none. */
  readonly link: string | null
}

const MOST_LINES = 4
const MOST_WIDTH = 160

export function noticeTitle(notices: readonly Notice[]): string {
  const [first] = notices
  const kinds = new Set(notices.map(({ kind }) => kind))
  if (first === undefined || kinds.size > 1) return `Bosun: ${notices.length} notices`
  return `Bosun: ${TITLES[first.kind](notices.length)}`
}

const TITLES: Readonly<Record<NoticeKind, (count: number) => string>> = {
  needs_you: (count) => (count === 1 ? 'something needs you' : `${count} things need you`),
  finished: (count) => (count === 1 ? 'a plan is released' : `${count} plans are released`),
  went_wrong: (count) => (count === 1 ? 'something went wrong' : `${count} things went wrong`),
  progress: () => 'progress',
}

/** A line each; of many the first few. */
export function noticeLines(notices: readonly PlacedNotice[]): readonly string[] {
  const lines = notices.map(({ plan, answerId, text, isRepeated }) => {
    const id = answerId === null ? '' : ` ${answerId}`
    const line = terminalLine(`${plan}${id}${isRepeated ? ' (still open)' : ''}: ${text}`)
    return line.length <= MOST_WIDTH ? line : `${line.slice(0, MOST_WIDTH - 1)}…`
  })
  const rest = lines.length - MOST_LINES
  return rest <= 0 ? lines : [...lines.slice(0, MOST_LINES), `and ${rest} more`]
}

/** What webhooks and commands get. `timestamp` is when the notices became due. */
export function noticeDocument(notices: readonly PlacedNotice[], timestamp: string) {
  const kinds = new Set(notices.map(({ kind }) => kind))
  const [kind = 'notices'] = kinds
  return {
    type: kinds.size === 1 ? `bosun.${kind}` : 'bosun.notices',
    timestamp,
    data: {
      title: noticeTitle(notices),
      notices: notices.map((notice) => ({
        id: notice.id,
        kind: notice.kind,
        repo: notice.repo,
        plan: notice.plan,
        task: notice.task,
        item: notice.answerId,
        blocking: notice.blocking,
        repeated: notice.isRepeated,
        since: new Date(notice.at).toISOString(),
        text: notice.text,
        link: notice.link,
      })),
    },
  }
}
