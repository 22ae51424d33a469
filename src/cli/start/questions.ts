/** Asks the person at the terminal what the request leaves open, and whether it was understood. */
import { Refusal } from '../../lib/refusal.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Call } from '../command.ts'
import { interruptible } from '../terminal/ensure-commit.ts'
import { intakeText } from './intake-view.ts'
import { overridesFrom, seenIn, type Said, type Understand } from './understand.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { Dialogue } from '../terminal/terminal.ts'

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
  const next = decided(line, said)
  const isForModel = intake.judged_by !== null && !line.includes('=') && line.includes(' ')
  return next instanceof Refusal && isForModel ? answered(said, MORE, line) : next
}

function decided(line: string, said: Said): Said | Refusal {
  try {
    return { ...said, decided: { ...said.decided, ...overridesFrom(line) } }
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

/** Asks a person what a request leaves open: by number, by key, or in words of their own. */
type Question = IntakeAnswer['questions'][number]

const MOST_LINES = 20
const LONGEST_LINE = 2000

/** What was said before and now; null where the person leaves. */
export async function askQuestions(
  ask: Dialogue['ask'],
  questions: readonly Question[],
  before: Said,
): Promise<Said | null> {
  let said: Said | null = before
  for (const question of questions) {
    if (said === null) return null
    // A word at an earlier menu may have answered this one too.
    if (isDecided(question, said)) continue
    said = await askOne(ask, question, said)
  }
  const isAnswered = said !== null && said.answers.length > before.answers.length
  return said === null || !isAnswered ? said : { ...said, round: said.round + 1 }
}

const isDecided = ({ id }: Question, { decided }: Said): boolean =>
  (id === 'type' && decided.type !== undefined) || (id === 'scope' && decided.scope !== undefined)

async function askOne(ask: Dialogue['ask'], question: Question, said: Said): Promise<Said | null> {
  if (question.by === 'lines') return askLines(ask, question, said)
  const { text, options, by, default: usual } = question
  const lines = options.map(
    ({ key, label, consequence }, at) =>
      `  ${at + 1}  ${terminalLine(label)}${key === usual ? ' (default)' : ''}${consequence === '' ? '' : `: ${terminalLine(consequence)}`}`,
  )
  const hint =
    by === 'option_or_words' ? `1 to ${options.length}, or in your words` : `1 to ${options.length}`
  for (;;) {
    const line = (await ask(`${terminalLine(text)}\n${lines.join('\n')}\n${hint}; q leaves> `))?.trim()
    if (line === undefined || /^(q|quit)$/i.test(line)) return null
    const chosen =
      line === ''
        ? options.find(({ key }) => key === usual)
        : (options[Number(line) - 1] ?? options.find(({ key }) => key === line))
    const next = chosen === undefined ? inWords(question, line, said) : withOption(question, chosen, said)
    if (next !== null) return next
  }
}

function withOption({ text, by }: Question, { key, label }: Question['options'][number], said: Said): Said {
  if (by === 'option_or_words') return answered(said, text, label)
  return { ...said, decided: { ...said.decided, ...overridesFrom(key) } }
}

/** Null where it is no answer, and the question is asked again. */
function inWords({ text, by }: Question, line: string, said: Said): Said | null {
  if (line === '') return null
  if (by === 'option_or_words') return answered(said, text, line)
  const next = decided(line, said)
  return next instanceof Refusal ? null : next
}

const answered = (said: Said, question: string, answer: string): Said => ({
  ...said,
  answers: [...said.answers, { question, answer }],
})

/** Up to an empty line. */
async function askLines(ask: Dialogue['ask'], { text }: Question, said: Said): Promise<Said | null> {
  const criteria: string[] = []
  for (let prompt = `${terminalLine(text)}\n> `; criteria.length < MOST_LINES; prompt = '> ') {
    const line = (await ask(prompt))?.trim()
    if (line === undefined || (criteria.length === 0 && /^(q|quit)$/i.test(line))) return null
    if (line === '') break
    criteria.push(line.slice(0, LONGEST_LINE))
  }
  return { ...said, decided: { ...said.decided, criteria } }
}
