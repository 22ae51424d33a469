/** What went wrong, in the form that every door has for it. */
import type { Fault, Refusal, RefusalCode } from '../lib/refusal.ts'

export interface ErrorAnswer {
  readonly code: RefusalCode
  readonly message: string
  readonly remedy: string
  readonly problems?: readonly Fault[]
}

const STATUS = {
  failed: 422,
  usage: 400,
  not_found: 404,
  conflict: 409,
  needs_person: 409,
  gate_failed: 409,
  no_daemon: 503,
  budget: 409,
  no_agent: 409,
} as const satisfies Record<RefusalCode, number>

export function answerRefusal({ code, message, remedy, faults }: Refusal): Response {
  return answerError(STATUS[code], {
    code,
    message,
    remedy,
    ...(faults.length === 0 ? {} : { problems: faults }),
  })
}

export function answerError(status: number, error: ErrorAnswer): Response {
  return Response.json({ schema: 'bosun.error/v1', error }, { status })
}
