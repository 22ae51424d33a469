/** Everything the interview page knows: its status, its messages, and what can be sent. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PmStatus } from '../../../../src/protocol/interview.ts'
import type { BodyOf } from '../../../../src/protocol/routes.ts'
import { post } from '../../api/client.ts'
import { useInterview, useInterviewChat } from '../../api/queries.ts'
import type { ChatMessage } from './reply.ts'
import { situationOf, type Situation } from './situation.ts'

export interface InterviewFacts {
  readonly status: PmStatus
  readonly situation: Situation
  readonly messages: readonly ChatMessage[]
  /** This page saw the spec being submitted. */
  readonly wasSubmitted: boolean
}

type ChangeRoute =
  | 'POST /api/pm/start'
  | 'POST /api/pm/chat'
  | 'POST /api/pm/upload'
  | 'POST /api/pm/abandon'
  | 'POST /api/pm/preview/action'

/**
 * The answer of a change is the newest status: it is shown before anything is fetched again. `onDone` is called also where the
 * caller is not shown any more, since another state shows other things.
 */
export function useInterviewChange<R extends ChangeRoute>(
  route: R,
  repo: string,
  onDone?: (status: PmStatus) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Omit<BodyOf<R>, 'repo'>) =>
      post<PmStatus>(route.slice('POST '.length), { repo, ...body }),
    onSuccess: (status) => {
      client.setQueryData(['interview', 'status', { repo }], status)
      onDone?.(status)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['interview'] }),
  })
}

export function useInterviewFacts(repo: string, session: string) {
  const status = useInterview(repo)
  const chat = useInterviewChat(repo)
  const [wasSubmitted, setSubmitted] = useState(false)
  const kept = useRef<readonly ChatMessage[]>([])
  // The conversation of an interview that has ended is not answered any more; what was read stays.
  if (chat.data?.session_id === session) kept.current = chat.data.messages
  const state = status.data?.state
  const isHere = status.data?.session_id === session
  useEffect(() => {
    if (isHere && state === 'AWAIT_ARCHITECT') setSubmitted(true)
  }, [isHere, state])
  const facts: InterviewFacts | null =
    status.data === undefined
      ? null
      : {
          status: status.data,
          situation: situationOf(status.data, session, wasSubmitted),
          messages: kept.current,
          wasSubmitted,
        }
  return { facts, status, chat }
}
