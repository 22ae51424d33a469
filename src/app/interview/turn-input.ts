/** What a turn of the interview sees of its machine. */
import { sessionOf, type Machine } from '../../core/interview/machine.ts'
import type { TurnInput } from '../../core/interview/turn.ts'
import { callsLeft } from './tools.ts'

/** A copy: the machine changes while the brain thinks. */
export function turnInput(machine: Machine): Omit<TurnInput, 'context'> {
  const { expertise, request, conversation, readUpTo, feedback, calls, bootstrap, draft } = sessionOf(machine)
  return {
    expertise,
    request,
    conversation: [...conversation],
    readUpTo,
    feedback,
    calls: [...calls],
    callsLeft: callsLeft(calls.length),
    bootstrap,
    draft: draft?.user_spec_md ?? null,
    bootstrapDraft: draft?.bootstrap_spec_md ?? null,
  }
}
