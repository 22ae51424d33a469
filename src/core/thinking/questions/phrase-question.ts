/** Words a question for the person who is asked. Its meaning and its options stay. */
import { z } from 'zod'
import type { Expertise } from '../../interview/states.ts'
import type { ChatQuestion } from '../../interview/turn.ts'
import type { Question } from '../question.ts'

export interface PhraseInput {
  readonly question: Pick<ChatQuestion, 'id' | 'text' | 'options'>
  readonly expertise: Expertise
  /** What the question is about, such as the user's request; absent where it stands for itself. */
  readonly about?: string | undefined
}

export interface Phrased {
  readonly text: string
}

const AUDIENCE: Readonly<Record<Expertise, string>> = {
  non_technical:
    'a person who knows nothing of software: everyday words, no term of the trade, one short sentence',
  basic: 'a person who knows the basics of software: plain words, one or two short sentences',
  expert: 'an expert: the exact terms, as short as possible',
}

const MOST_REQUEST = 4000

export const phraseQuestion: Question<PhraseInput, Phrased> = {
  name: 'phrase_question',
  size: 'small',
  answer: z.lazy(() =>
    z.object({ text: z.string().min(1).max(600).describe('the question, in its new words') }),
  ),
  prompt: ({ question, expertise, about }) => ({
    task: [
      `Word the quoted question for ${AUDIENCE[expertise]}.`,
      ...(about === undefined ? [] : ['Ask it about the quoted request, in the language of that.']),
      'Keep its meaning, its language where it is about no request, and everything in quotation marks. Do not answer it and do not name its options.',
    ].join(' '),
    data: [
      { source: 'the question', text: question.text },
      { source: 'its options', text: question.options.map(({ label }) => label).join('\n') },
      ...(about === undefined ? [] : [{ source: 'the request', text: about.slice(0, MOST_REQUEST) }]),
    ],
  }),
  unjudged: ({ question }) => ({ text: question.text }),
  problem({ text }) {
    if (/\p{Cc}/u.test(text)) return 'a question is one line without control characters'
    return /[?？؟]/.test(text) ? null : 'a question ends with a question mark'
  },
}
