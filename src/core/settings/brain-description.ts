/** Who answers Bosun's questions, as far as that is known before one is asked. */
export type BrainDescription =
  | {
      readonly who: string
      /** Null: its own. */
      readonly models: { readonly small: string; readonly large: string } | null
      /** Such as `unknown (its subscription)`. */
      readonly cost: string
      /** How long an answer takes, such as `10 to 60 s`. */
      readonly usualTime: string
    }
  | { readonly who: null; readonly why: string }

/** Why nobody answers on a machine without a coding agent: there is nothing more to say about it. */
export const NO_AGENT = 'no coding agent is found here'

/** In a line: `claude with its own model, cost unknown (its subscription), usually 10 to 60 s`. */
export function brainText(description: BrainDescription): string {
  if (description.who === null) return `nobody: ${description.why}`
  const { who, models, cost, usualTime } = description
  const names = models === null ? 'its own model' : [...new Set([models.large, models.small])].join(' and ')
  return `${who} with ${names}, cost ${cost}, usually ${usualTime}`
}
