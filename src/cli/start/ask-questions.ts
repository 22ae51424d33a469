/** Asks a person what a request leaves open: by number, by key, or in words of their own. */
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import type { Dialogue } from '../terminal/terminal.ts'
import { overridesFrom } from './overrides.ts'
import type { Said } from './understand.ts'

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
  try {
    return { ...said, decided: { ...said.decided, ...overridesFrom(line) } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return null
  }
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
