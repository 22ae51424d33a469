/** Asks for fields one by one at the terminal; an answer may have several lines. */
import type { PmStatus } from '../../protocol/interview.ts'
import { FIELDS_HINT, fieldText } from './interview-view.ts'
import type { Talk } from './talk.ts'

type Question = NonNullable<PmStatus['open_question']>['questions'][number]

export interface FilledFields {
  /** By the ids of the questions; fields that were left as they are do not stand here. */
  readonly answers: Readonly<Record<string, string>>
  /** `input_ended`: there is no more to read; `left`: the user leaves it for later. */
  readonly end: 'filled' | 'input_ended' | 'left'
}

type Read =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'input_ended' | 'left'; readonly text: string }

export async function askFields(
  parts: Pick<Talk, 'print' | 'style' | 'edit'> & { readonly ask: NonNullable<Talk['ask']> },
  questions: readonly Question[],
): Promise<FilledFields> {
  const answers: Record<string, string> = {}
  await parts.print(FIELDS_HINT)
  for (const [at, question] of questions.entries()) {
    for (;;) {
      await parts.print(fieldText(question, `${at + 1}/${questions.length}`, parts.style))
      const read = await readField(parts, question)
      if (read.text !== '') answers[question.id] = read.text
      if (read.kind !== 'text') return { answers, end: read.kind }
      if (read.text !== '' || question.default !== null) break
      await parts.print('This one needs an answer.\n')
    }
  }
  return { answers, end: 'filled' }
}

/** An option takes one line, words as many as there are up to an empty one. */
async function readField(
  { ask, edit }: Parameters<typeof askFields>[0],
  { options, default: now }: Question,
): Promise<Read> {
  const lines: string[] = []
  for (;;) {
    const line = await ask('> ')
    if (line === null) return { kind: 'input_ended', text: lines.join('\n') }
    const word = line.trim()
    if (lines.length === 0 && word === 'q') return { kind: 'left', text: '' }
    if (lines.length === 0 && word === 'e' && edit !== null)
      return { kind: 'text', text: ((await edit(now ?? '')) ?? '').trim() }
    if (word !== '') lines.push(line.trimEnd())
    if (word === '' || word === '-' || options.length > 0) return { kind: 'text', text: lines.join('\n') }
  }
}
