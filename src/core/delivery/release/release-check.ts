/** One check of a release, with its result. */
export interface ReleaseCheck {
  readonly id: string
  /** Null for checks of the whole release. */
  readonly task: string | null
  readonly ok: boolean
  readonly message: string
}

/** What can be wrong; anything but a text is not. */
export type Faults = readonly (string | false | undefined)[]

/** Passes where nothing is wrong; else the first fault is the message. */
export function check(id: string, faults: Faults, right: string): ReleaseCheck {
  const fault = faults.find((one) => typeof one === 'string')
  return { id, task: null, ok: fault === undefined, message: fault ?? right }
}
