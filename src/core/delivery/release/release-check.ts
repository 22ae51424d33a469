/** One thing about a release that is so, or is not. */
export interface ReleaseCheck {
  readonly id: string
  /** Null where it is about the release as a whole. */
  readonly task: string | null
  readonly ok: boolean
  readonly message: string
}

/** With both its sentences: what is so, or what is wrong. */
export function check(id: string, ok: boolean, right: string, wrong: string): ReleaseCheck {
  return { id, task: null, ok, message: ok ? right : wrong }
}
