export interface Notice {
  /** The same notice has the same id; it is shown once. */
  readonly id: string
  readonly plan: string
  readonly text: string
}

/** Shows people a notice that needs no answer. A notice that was shown before is not shown again. */
export interface Notifier {
  notify(notice: Notice): Promise<void>
}
