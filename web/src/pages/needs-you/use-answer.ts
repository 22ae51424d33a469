/** Sends an answer. It is shown as given when the daemon says so, never before. */
import { useRef, useState } from 'react'
import type { InboxEntry } from '../../../../src/protocol/answers.ts'
import { ApiError, theirAnswer, type BodyOf } from '../../api/client.ts'
import { personName, wasDiffOpened } from '../../api/person.ts'
import { useChange } from '../../api/queries.ts'
import { clearDraft } from '../../ui/draft.ts'
import { notifyDone } from '../../ui/toast.tsx'
import { doneWords } from './options.ts'

export interface GivenAnswer {
  readonly choice: string
  readonly title: string
  readonly text: string
  readonly scope?: 'once' | 'task' | 'plan'
}

/** Another person answered first. What this person had written is kept. */
export interface Conflict {
  readonly item: InboxEntry
  readonly theirs: ReturnType<typeof theirAnswer>
  readonly message: string
  readonly yours: GivenAnswer
}

export interface AnswerState {
  readonly isSending: boolean
  readonly isAnswered: boolean
  readonly error: Error | null
  readonly send: (answer: GivenAnswer) => void
}

export const draftOf = (key: string): string => `answer:${key}`
export const choiceOf = (key: string): string => `choice:${key}`

export interface AnswerListener {
  readonly sending: (key: string) => void
  readonly answered: (key: string) => void
  /** The item is open still, and nothing was decided. */
  readonly failed: (key: string) => void
  readonly conflict: (conflict: Conflict) => void
}

export function useAnswer(item: InboxEntry, key: string, on: AnswerListener): AnswerState {
  const change = useChange('POST /api/inbox/{id}/answer')
  const [isAnswered, setAnswered] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  /** One for each thing to send: sent again after a lost connection, it counts once. */
  const sent = useRef<{ readonly of: string; readonly key: string } | null>(null)
  // The item may be gone from the page before its answer is answered, so this outlives the component.
  const send = async (answer: GivenAnswer): Promise<void> => {
    const body = bodyOf(item, answer)
    const of = JSON.stringify(body)
    if (sent.current?.of !== of) sent.current = { of, key: crypto.randomUUID() }
    setError(null)
    on.sending(key)
    try {
      await change.mutateAsync({
        params: { id: item.id },
        body,
        key: sent.current.key,
      })
      sent.current = null
      clearDraft(draftOf(key))
      clearDraft(choiceOf(key))
      if (answer.choice === 'pause') {
        on.failed(key)
        notifyDone(`${item.plan} is paused; ${item.id} stays open`)
      } else {
        setAnswered(true)
        on.answered(key)
        notifyDone(doneWords(item, answer.title))
      }
    } catch (error) {
      const refusal = error instanceof ApiError ? error : null
      // Without an answer of the daemon it may have counted: the same key is sent again.
      if (refusal !== null && refusal.status !== 0) sent.current = null
      if (refusal?.code === 'conflict') {
        on.conflict({
          item,
          theirs: theirAnswer(refusal),
          message: refusal.message,
          yours: answer,
        })
        return
      }
      on.failed(key)
      setError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  return { isSending: change.isPending, isAnswered, error, send: (answer) => void send(answer) }
}

function bodyOf(
  item: InboxEntry,
  { choice, text, scope }: GivenAnswer,
): BodyOf<'POST /api/inbox/{id}/answer'> {
  const name = personName().trim()
  return {
    choice,
    feedback: text.trim(),
    plan: item.plan,
    ...(name === '' ? {} : { by: name }),
    ...(item.repo === '' ? {} : { repo: item.repo }),
    ...(scope === undefined ? {} : { scope }),
    ...(item.kind === 'approval' && item.task !== null
      ? { diff_opened: wasDiffOpened(item.repo, item.plan, item.id) }
      : {}),
  }
}
