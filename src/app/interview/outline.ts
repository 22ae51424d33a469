/** The spec as far as the conversation has come, by the rules: what a user watches grow while questions are open. */
import { specSoFar } from '../../core/interview/form/take-turn.ts'
import type { Machine } from '../../core/interview/machine.ts'
import type { OutlineAnswer } from '../../protocol/interview.ts'
import { turnInput } from './turn-input.ts'

export function outlineOf(machine: Machine | null): OutlineAnswer {
  if (machine === null || machine.session === null) return { session_id: null, markdown: null }
  const { id, draft } = machine.session
  return { session_id: id, markdown: draft?.user_spec_md ?? specSoFar(turnInput(machine)) }
}
