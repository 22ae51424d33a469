/** Words a question in the language of the person who is asked. */
import type { Expertise } from '../states.ts'
import type { ChatQuestion } from '../turn.ts'
import { topicOf } from './topics.ts'

/** Terms of the trade, and what they mean. */
const PLAIN: readonly (readonly [RegExp, string])[] = [
  [/\bacceptance criteri(?:on|a)\b/gi, 'what shows that it is done'],
  [/\bcriterion\b/gi, 'point'],
  [/\bcriteria\b/gi, 'points'],
  [/\b(?:an? )?API\b/g, 'an interface for programs'],
  [/\bendpoints?\b/gi, 'address that programs call'],
  [/\bpersist(?:ed|s)?\b/gi, 'kept'],
  [/\blatency\b/gi, 'waiting time'],
  [/\bthroughput\b/gi, 'amount per second'],
  [/\bschema\b/gi, 'form of the data'],
  [/\bmigrations?\b/gi, 'change of the stored data'],
  [/\bdependenc(?:y|ies)\b/gi, 'software of others'],
  [/\bauthenticat(?:ion|ed)\b/gi, 'signing in'],
  [/\bauthori[sz](?:ation|ed)\b/gi, 'permission'],
  [/\bedge cases?\b/gi, 'unusual situations'],
  [/\bbackends?\b/gi, 'server'],
  [/\bfrontends?\b/gi, 'pages'],
  [/\brepository\b/gi, 'project'],
  [/\brefactor(?:ing|ed)?\b/gi, 'tidying up'],
  [/\bregressions?\b/gi, 'something that worked before and no longer does'],
]

/** A question of the form has its own wording for each level; of others, terms of the trade are explained. */
export function phraseByRules(question: Pick<ChatQuestion, 'id' | 'text'>, expertise: Expertise): string {
  const own = topicOf(question.id)?.wording[expertise]
  if (own !== undefined) return own
  if (expertise !== 'non_technical') return question.text
  // What the user wrote stays as it is.
  return question.text
    .split(/("[^"]*")/)
    .map((part) =>
      part.startsWith('"') ? part : PLAIN.reduce((text, [term, plain]) => text.replace(term, plain), part),
    )
    .join('')
}
