/** A person's answer, and its refusal. */
import type { Origin } from '../event-schemas/origin.ts'
import type { PermissionScope } from '../event-schemas/requests.ts'
import type { Instant } from '../state/state.ts'

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
  /** How it came; absent where Bosun answers in a person's name. */
  readonly origin?: Origin | undefined
  /** How far the answer to a permission reaches; absent: this once. */
  readonly scope?: PermissionScope | undefined
  /** Whether the person had the diff open before. */
  readonly diffOpened?: boolean | undefined
  /** The name the person used for the item, where that is not its id; remedies repeat it. */
  readonly calledAs?: string | undefined
}

/** The answer of another person that came first. */
export interface EarlierAnswer {
  readonly by: string
  readonly at: Instant
  readonly choice: string
  readonly feedback: string
}

export interface AnswerRefusal {
  /** `over`: the item is closed. `incomplete`: the person may answer again, following the remedy. */
  readonly kind: 'over' | 'incomplete'
  readonly why: string
  readonly remedy: string
  readonly theirs?: EarlierAnswer | undefined
}

/** A refusal is shown to the person; a refused answer is not stored. */
export type AnswerTaken = { readonly ok: true } | { readonly ok: false; readonly refusal: AnswerRefusal }

/** The name of the item in messages to the person. */
export const calledIn = ({ id, calledAs }: Pick<PersonAnswer, 'id' | 'calledAs'>): string => calledAs ?? id
