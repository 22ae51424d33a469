/**
 * The review of a valid spec where nobody judges: only what its author marked as open is an objection. Dependencies and
 * criteria are part of what makes a spec valid.
 */
import { openPointsIn } from '../planning/ambiguities/find-questions.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import type { Spec } from './spec.ts'

const LONGEST_QUOTE = 160

/** The open points, numbered, as one text; empty without any. */
export function openPointsOf({ requirements, vision, outOfScope, notes }: Spec): string {
  const places: readonly (readonly [string, readonly string[]])[] = [
    ['Vision', [vision]],
    ...requirements.map(
      ({ id, title, description, criteria }) => [id, [title, ...criteria, description]] as const,
    ),
    ['Out of Scope', outOfScope],
    ...notes.map(({ heading, text }) => [heading, [text]] as const),
  ]
  return places
    .flatMap(([place, texts]) => openPointsIn(texts).map((point) => ({ place, ...point })))
    .map(({ place, kind, words, choices }, at) => {
      const quote = `"${clip(words, LONGEST_QUOTE)}"`
      const among = choices.length === 0 ? '' : `: ${choices.join(' or ')}`
      const what =
        kind === 'undecided'
          ? `${quote} is undecided. Decide it.`
          : `${quote} leaves a choice open. Choose one${among}.`
      return `${at + 1}. ${place}: ${what}`
    })
    .join('\n')
}
