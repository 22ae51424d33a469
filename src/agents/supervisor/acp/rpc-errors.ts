/** What the errors of an agent say. */
import { RequestError } from '@agentclientprotocol/sdk/unstable'
import { z } from 'zod'
import type { TurnEnd } from '../../../core/crew/turn-outcome.ts'
import { typedError, type TypedError } from '../../../core/crew/typed-errors.ts'

const MAX_MESSAGE = 2000

/** With the details that agents put into the data of an error whose message says nothing. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  const { data } = detailsSchema.safeParse(error instanceof RequestError ? error.data : null)
  const details = [data].flat().filter((one) => one !== undefined && !message.includes(one))
  return [message, ...details].join(': ').slice(0, MAX_MESSAGE)
}

const detailsSchema = z.union([
  z.string().min(1),
  z.object({ details: z.string().min(1) }).transform(({ details }) => details),
  z.object({ message: z.string().min(1) }).transform(({ message }) => message),
])

export const errorEnd = (error: unknown): Extract<TurnEnd, { kind: 'error' }> => ({
  kind: 'error',
  code: error instanceof RequestError ? error.code : null,
  message: messageOf(error),
})

export const errorType = (error: unknown): TypedError | null =>
  error instanceof RequestError ? typedError(error.data) : null

/** Beside an answer, agents put what the protocol has no field for. */
export const metaOf = (answer: unknown): unknown =>
  typeof answer === 'object' && answer !== null && '_meta' in answer ? answer._meta : null
