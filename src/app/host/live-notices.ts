/**
 * Notices for the pages and terminals that are open at this moment. What none of them shows is not kept: the page lists what
 * needs a person.
 */
import type { PageNotice } from '../../protocol/rows/page-notice.ts'

/** What a notice is about, by which a listener knows whether it is for it. */
export interface NoticeScope {
  /** The id of the repository. */
  readonly repository: string
  readonly plans: readonly string[]
  /** Whether attached terminals show it: `notify.desktop` in bosun.yaml. */
  readonly atTerminals: boolean
}

type Listener = (notice: PageNotice, scope: NoticeScope) => void

export class LiveNotices {
  readonly #listeners = new Set<Listener>()

  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  show(notice: PageNotice, scope: NoticeScope): void {
    for (const listener of this.#listeners) listener(notice, scope)
  }
}
