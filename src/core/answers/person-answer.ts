/** A person's answer, and its refusal. */
export interface PersonAnswer {
  /** The inbox item. */
  readonly id: string
  /** One of its options, or `pause`. */
  readonly choice: string
  readonly feedback: string
  /** Null where the person gave no name. */
  readonly by: string | null
  /** How the person authenticated: with the user's token, or, in a file, not at all. */
  readonly proof: 'token' | 'file'
  /** The name the person used for the item, where that is not its id; remedies repeat it. */
  readonly calledAs?: string | undefined
}

export interface AnswerRefusal {
  /** `over`: the item is closed. `incomplete`: the person may answer again, following the remedy. */
  readonly kind: 'over' | 'incomplete'
  readonly why: string
  readonly remedy: string
}

/** The name of the item in messages to the person. */
export const calledIn = ({ id, calledAs }: Pick<PersonAnswer, 'id' | 'calledAs'>): string => calledAs ?? id
