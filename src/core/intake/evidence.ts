/** A row of evidence, and how its words are found. */

export interface EvidenceRow {
  readonly pattern: RegExp
  readonly weight: number
  /** As in the reason "mentions a crash". */
  readonly what: string
}

export const any = (...parts: readonly string[]): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${parts.join('|')})(?![\\p{L}\\p{N}_-])`, 'iu')

/** Words of languages that do not put spaces between them. */
export const anywhere = (...parts: readonly string[]): RegExp => new RegExp(parts.join('|'), 'u')
