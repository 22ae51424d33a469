/** Notices that an item which was open here was answered elsewhere, and keeps what this person had written. */
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { onEvents } from '../../live/live.ts'
import { keyOf, type Need } from '../../shell/needs-you.ts'
import { clearDraft, readDraft } from '../../ui/draft.ts'
import { heardAnswers, isSameItem, type HeardAnswer } from './heard-answers.ts'
import { shownOption } from './options.ts'
import { choiceOf, draftOf, type AnswerListener } from './use-answer.ts'
import { UserCheck } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { TEXT_CONTROL } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'

const MOST_HEARD = 50

export interface ElsewhereState {
  readonly elsewhere: readonly Elsewhere[]
  readonly on: AnswerListener
  readonly dismiss: (key: string) => void
  /** Whether this person answered it, or is about to. */
  readonly wasOwn: (key: string) => boolean
  /** The item that is open now. */
  readonly watch: (key: string | null) => void
}

/** Which of the items that go are worth a word: those with a draft, or each that another person answered. */
export type TellAbout = 'drafts' | 'answers'

/** `onTaken`: the item under this person's fingers is gone. No other may open in its place: they may be typing still. */
export function useElsewhere(
  needs: readonly Need[],
  onTaken: (key: null) => void,
  tellAbout: TellAbout = 'drafts',
): ElsewhereState {
  const [elsewhere, setElsewhere] = useState<readonly Elsewhere[]>([])
  /** Answered here, so that their going is no news. */
  const own = useRef(new Set<string>())
  const watched = useRef<Need | null>(null)
  /** Gone before it was heard who answered it. */
  const unexplained = useRef<ItemNeed | null>(null)
  const latest = useRef(needs)
  const heard = useRef<readonly HeardAnswer[]>([])
  useEffect(() => {
    latest.current = needs
  }, [needs])

  const add = useCallback(
    (one: Elsewhere) => {
      clearDraft(draftOf(one.key))
      clearDraft(choiceOf(one.key))
      own.current.add(one.key)
      setElsewhere((before) => [...before.filter(({ key }) => key !== one.key), one])
      onTaken(null)
    },
    [onTaken],
  )

  const explain = useCallback(
    (need: ItemNeed) => {
      const { item, key } = need
      unexplained.current = null
      if (own.current.has(key)) return
      const draft = readDraft(draftOf(key))
      const theirs = heard.current.findLast((one) => isSameItem(one, item))?.answer ?? null
      if (draft === '' && tellAbout === 'drafts') return
      if (draft === '' && theirs === null) {
        unexplained.current = need
        return
      }
      add({
        key,
        id: item.id,
        problem: item.problem,
        theirs: theirs === null ? null : { ...theirs, choice: titleOf(item, theirs.choice) },
        message: 'It needs no answer any more.',
        choice: titleOf(item, readDraft(choiceOf(key))),
        draft,
      })
    },
    [add, tellAbout],
  )

  useEffect(
    () =>
      onEvents((events) => {
        heard.current = [...heard.current, ...heardAnswers(events)].slice(-MOST_HEARD)
        if (unexplained.current !== null) explain(unexplained.current)
      }),
    [explain],
  )

  // Before the next item is painted, and before it hears a key.
  useLayoutEffect(() => {
    const need = watched.current
    if (need?.kind !== 'item' || needs.some(({ key }) => key === need.key)) return
    watched.current = null
    explain(need)
  }, [needs, explain])

  const on = useMemo(
    (): AnswerListener => ({
      sending: (key) => void own.current.add(key),
      answered: (key) => void own.current.add(key),
      failed: (key) => void own.current.delete(key),
      conflict: ({ item, theirs, message, yours }) =>
        add({
          key: keyOf(item),
          id: item.id,
          problem: item.problem,
          theirs: theirs === null ? null : { ...theirs, choice: titleOf(item, theirs.choice) },
          message,
          choice: yours.title,
          draft: yours.text,
        }),
    }),
    [add],
  )
  return {
    elsewhere,
    on,
    dismiss: (key) => setElsewhere((before) => before.filter((one) => one.key !== key)),
    wasOwn: useCallback((key) => own.current.has(key), []),
    watch: useCallback((key) => {
      watched.current = latest.current.find((need) => need.key === key) ?? watched.current
    }, []),
  }
}

type ItemNeed = Extract<Need, { readonly kind: 'item' }>

/** As the button of this choice says it. */
function titleOf(item: InboxEntry, choice: string): string {
  const option = item.options.find(({ key }) => key === choice)
  return option === undefined ? choice : shownOption(item, option).title
}

/** What another person, or another browser, answered first; with what this person had written. */
export interface Elsewhere {
  readonly key: string
  readonly id: string
  readonly problem: string
  readonly theirs: {
    readonly by: string
    readonly at: string
    readonly choice: string
    readonly feedback?: string
  } | null
  /** Where no more is known than this. */
  readonly message: string
  /** What this person chose and wrote; empty where they had not begun. */
  readonly choice: string
  readonly draft: string
}

export function AnsweredElsewhere({
  answered,
  onDismiss,
}: {
  readonly answered: Elsewhere
  readonly onDismiss: () => void
}) {
  const { problem, theirs, message, choice, draft } = answered
  const [text, setText] = useState(draft)
  return (
    <section role="status" className="flex gap-3 rounded-md border bg-sub p-4">
      <UserCheck size={16} aria-hidden="true" className="mt-0.5 shrink-0 text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <p>
          {theirs === null ? (
            <PlainText text={message} className="font-medium" />
          ) : (
            <span className="font-medium">
              {visibleText(theirs.by)} answered this <Time at={theirs.at} />: {visibleText(theirs.choice)}
            </span>
          )}
        </p>
        <PlainText text={problem} as="block" className="text-sm text-muted" />
        {theirs?.feedback !== undefined && theirs.feedback !== '' && (
          <PlainText text={`“${theirs.feedback}”`} as="block" className="text-sm" />
        )}
        {draft !== '' && (
          <div className="flex flex-col gap-1 text-sm">
            <span className="text-xs font-medium text-muted">
              Your draft{choice === '' ? '' : ` (${visibleText(choice)})`} was not sent:
            </span>
            {/* A person who was typing goes on here. */}
            <textarea
              aria-label="Your draft"
              autoFocus
              defaultValue={draft}
              onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
              onChange={(event) => setText(event.target.value)}
              className={TEXT_CONTROL}
            />
            <CopyText text={text} shown="Copy the draft" label="your draft" className="self-start" />
          </div>
        )}
      </div>
      <Button size="sm" onClick={onDismiss}>
        Dismiss
      </Button>
    </section>
  )
}
