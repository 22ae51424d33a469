/** One check of a release, with its result. */
export interface ReleaseCheck {
  readonly id: string
  /** Null for checks of the whole release. */
  readonly task: string | null
  readonly ok: boolean
  readonly message: string
}

export function check(id: string, ok: boolean, right: string, wrong: string): ReleaseCheck {
  return { id, task: null, ok, message: ok ? right : wrong }
}
