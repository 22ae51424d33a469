/** What became of the branch a plan started from, and how the plan's work would meet it. */
export interface BaseForecast {
  /** Its short name. */
  readonly branch: string
  readonly kind: 'unmoved' | 'clean' | 'conflicts' | 'base_gone' | 'unrelated'
  /** Commits that came to it since. */
  readonly behind: number
  /** Files that would clash. */
  readonly conflicts: readonly string[]
}
