/** Asks the person at the terminal what the request leaves open, and whether it was understood. */
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { interruptible } from '../terminal/interruptible.ts'
import type { Dialogue } from '../terminal/terminal.ts'
import { intakeText } from './intake-view.ts'
import { overridesFrom, type Overrides } from './overrides.ts'

export interface Correction {
  readonly intake: IntakeAnswer
  readonly overrides: Overrides
  /** Understands the request again, with what the person decided. */
  readonly again: (overrides: Overrides) => Promise<IntakeAnswer>
}

type Question = IntakeAnswer['questions'][number]

const PROMPT = 'Start? Enter: yes; q: no; or correct it, for example scope=medium type=bug_fix: '

/** Null where the person does not want it started. */
export async function correctIntake(
  call: Call,
  { intake, overrides, again }: Correction,
): Promise<IntakeAnswer | null> {
  const show = (text: string): void => call.terminal.printMessage(text)
  const dialogue = await call.terminal.converse()
  const ask = interruptible(dialogue, call.services.interruption())
  try {
    let decided = overrides
    let current = intake
    for (const question of intake.questions.filter(({ options }) => options.length > 0)) {
      const chosen = await askOne(ask, question)
      if (chosen === null) return null
      decided = { ...decided, ...overridesFrom(chosen) }
    }
    if (decided !== overrides) current = await again(decided)
    for (;;) {
      if (current !== intake) show(`${intakeText(current, call.terminal.messageStyle)}\n`)
      const line = (await ask(PROMPT))?.trim()
      if (line === undefined || /^(q|quit|n|no)$/i.test(line)) return null
      if (line === '' || /^(y|yes)$/i.test(line)) return current
      try {
        decided = { ...decided, ...overridesFrom(line) }
        current = await again(decided)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        show(`${error.message}\n${error.remedy}\n`)
      }
    }
  } finally {
    dialogue.close()
  }
}

/** The key of an option; null where the person ends it. */
async function askOne(
  ask: Dialogue['ask'],
  { text, options, default: usual }: Question,
): Promise<string | null> {
  const lines = options.map(
    ({ key, label, consequence }, at) =>
      `  ${at + 1}  ${label}${key === usual ? ' (default)' : ''}: ${terminalLine(consequence)}`,
  )
  for (;;) {
    const line = (await ask(`${terminalLine(text)}\n${lines.join('\n')}\n> `))?.trim()
    if (line === undefined || /^(q|quit)$/i.test(line)) return null
    if (line === '' && usual !== null) return usual
    const chosen = options[Number(line) - 1] ?? options.find(({ key }) => key === line)
    if (chosen !== undefined) return chosen.key
  }
}
