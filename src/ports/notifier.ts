export interface Notice {
  /** The same notice has the same id; it is shown once. */
  readonly id: string
  readonly plan: string
  readonly text: string
}

/** Tells people something that needs no answer. A notice that was told before is not told again. */
export interface Notifier {
  notify(notice: Notice): Promise<void>
}
