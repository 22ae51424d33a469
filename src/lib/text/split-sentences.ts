/** Splits a line into its sentences. The stop of an abbreviation ("e.g.") ends none. */

const START = String.raw`(?<![\p{L}\p{N}])`
/** The stop after these never ends a sentence. */
const ABBREVIATED = String.raw`(?<!${START}(?:[Ee]\.\s?[Gg]|[Ii]\.\s?[Ee]|[Zz]\.\s?B|[Dd]\.\s?h|[Pp]\.\s?e[xj]|vs|[Cc]f|[Aa]pprox|resp|incl|excl|bzw|[Cc]a|[Vv]gl|inkl|M[rs]|Mrs|Dr)\.)`
/** These end one unless it goes on in lower case. */
const LISTED = String.raw`(?!(?<=${START}(?:etc|usw|u\.\s?a)\.)\s+\p{Ll})`
/** A space within an abbreviation, as in "z. B." */
const WITHIN = String.raw`(?!(?<=${START}[EeIiZzDdPpu]\.)\s(?:[Gg]|e|B|h|e[xj]|a)\.)`
const NO_END = `${ABBREVIATED}${LISTED}${WITHIN}`

const END_OF_SENTENCE = new RegExp(String.raw`(?<=[.!?。！？])${NO_END}\s+|(?<=[。！？])`, 'u')
const END_OF_CLAUSE = new RegExp(String.raw`(?<=[.!?;。！？])${NO_END}\s+|(?<=[。！？])`, 'u')

/** Without empty ones. `semicolons`: they end a sentence as well. */
export function splitSentences(line: string, also?: 'semicolons'): readonly string[] {
  return line
    .split(also === 'semicolons' ? END_OF_CLAUSE : END_OF_SENTENCE)
    .filter((sentence) => sentence.trim() !== '')
}
