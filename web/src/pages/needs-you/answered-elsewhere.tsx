/** What another person, or another browser, answered first; with what this person had written. */
import { UserCheck } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { TEXT_CONTROL } from '../../ui/field.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { Time } from '../../ui/time.tsx'
import { visibleText } from '../../ui/visible-text.ts'

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
