/** Asks the person at the terminal what the request leaves open, and whether it was understood. */
import { Refusal } from '../../lib/refusal.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { interruptible } from '../terminal/ensure-commit.ts'
import { askQuestions } from './ask-questions.ts'
import { intakeText } from './intake-view.ts'
import { overridesFrom } from './overrides.ts'
import { seenIn, type Said, type Understand } from './understand.ts'

export interface Correction {
  readonly intake: IntakeAnswer
  readonly said: Said
  /** Understands the request again, with what the person said. */
  readonly again: Understand
}

/** What the person agreed to. */
export interface Agreed {
  readonly intake: IntakeAnswer
  readonly said: Said
}

const PROMPT =
  'Start? Enter: yes; q: no; or correct it, for example scope=medium type=bug_fix title=Fix the footer: '
const MORE = 'What else should be known?'

/** Null where the person does not want it started. */
export async function correctIntake(call: Call, first: Correction): Promise<Agreed | null> {
  const show = (text: string): void => call.terminal.printMessage(text)
  const dialogue = await call.terminal.converse()
  const ask = interruptible(dialogue, call.services.interruption())
  let { intake, said } = first
  const understood = async (next: Said): Promise<void> => {
    const hasAnswered = next.answers.length > said.answers.length
    said = hasAnswered ? { ...next, understood: seenIn(intake) } : next
    intake = await first.again(said)
    show(`${intakeText(intake, call.terminal.messageStyle)}\n`)
  }
  try {
    for (;;) {
      if (intake.next === 'answered') return { intake, said }
      if (intake.questions.length > 0) {
        const next = await askQuestions(ask, intake.questions, said)
        if (next === null) return null
        await understood(next)
        continue
      }
      const line = (await ask(PROMPT))?.trim()
      if (line === undefined || /^(q|quit|n|no)$/i.test(line)) return null
      if (line === '' || /^(y|yes)$/i.test(line)) return { intake, said }
      const next = corrected(line, { intake, said })
      if (next instanceof Refusal) show(`${next.message}\n${next.remedy}\n`)
      else await understood(next)
    }
  } finally {
    dialogue.close()
  }
}

/** A decision; or words, which only a model can read. */
function corrected(line: string, { intake, said }: Agreed): Said | Refusal {
  try {
    return { ...said, decided: { ...said.decided, ...overridesFrom(line) } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (intake.judged_by === null || line.includes('=') || !line.includes(' ')) return error
    return { ...said, answers: [...said.answers, { question: MORE, answer: line }] }
  }
}
