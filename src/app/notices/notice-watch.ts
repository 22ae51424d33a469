/** Follows the log for what people are notified of. */
import { interviewParts } from '../interview/interview-stream.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DRY_RUN_FILE } from '../../core/dry-run/dry-run-file.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import { interviewNoticeIn, noticeIn, type Notice } from '../../core/delivery/notices/notice.ts'
import { isPlanEntry } from '../../engine/plan-log.ts'
import type { Entry } from '../../ports/event-log.ts'
import { tailPastDamage } from '../activity/past-damage.ts'
import type { Host } from '../host/host.ts'
import { isOver, type HostedPlan } from '../host/hosted-plan.ts'
import { readDocument } from '../host/plan-place.ts'
import { repositoryOfStream } from '../host/stream-name.ts'
import { inboxOf } from '../inbox/inbox.ts'
import { emptyBook, readNoticeBook, type NoticeBook } from './notice-file.ts'
import { Notices, type NoticePlace, type OpenTopic } from './notices.ts'
import { areNoticesOff, type NotifySettings } from '../../core/settings/notify-settings.ts'

export interface NoticeParts {
  readonly env: NoticePlace['env']
  /** Of the page. */
  readonly url: string
  /** The settings in a folder, as they are now. */
  readonly settingsIn: (folder: string) => Promise<NotifySettings>
}

type TakenSettings = Pick<NotifySettings, 'command' | 'webhook'>

/** Without a file, notices begin with what happened a moment ago: the daemon before may have died at once. */
const LOOK_BACK = 1000
const PAGE = 500
const RECENT_MS = 3_600_000

/** Null where no person is to be disturbed: notices are turned off, or a dry run answers itself. */
export async function openNoticeWatch(host: Host, parts: NoticeParts): Promise<NoticeWatch | null> {
  if (areNoticesOff(parts.env) || existsSync(join(host.parts.root, DRY_RUN_FILE))) return null
  return NoticeWatch.open(host, parts)
}

export class NoticeWatch {
  readonly #host: Host
  readonly #parts: NoticeParts
  readonly #notices: Notices
  /** By plan. */
  readonly #known = new Map<string, { readonly version: number; readonly taken: TakenSettings }>()
  #unsubscribe: () => void = () => undefined

  private constructor(host: Host, parts: NoticeParts, book: NoticeBook) {
    this.#host = host
    this.#parts = parts
    this.#notices = new Notices(this.#place(), book)
  }

  static async open(host: Host, parts: NoticeParts): Promise<NoticeWatch> {
    const { log, root, onError, clock } = host.parts
    const head = await log.head()
    // A file means that something may still be owed.
    const book = readNoticeBook(root)
    const after = Math.min(head, book?.seq ?? Math.max(0, head - LOOK_BACK))
    const oldest = book === null ? clock.now() - RECENT_MS : 0
    const watch = new NoticeWatch(host, parts, book ?? emptyBook(after))
    if (book !== null) void watch.#notices.turn().catch((error: unknown) => onError('notices', error))
    const failed = (error: Error): void => onError('notices', error)
    let read = after
    for (let isAtEnd = false; !isAtEnd;) {
      const { entries, seq } = await tailPastDamage(log, read, PAGE, failed)
      watch.#take(entries, { head, oldest })
      isAtEnd = entries.length < PAGE
      read = seq
    }
    watch.#unsubscribe = log.subscribe(read, (entries) => watch.#take(entries, { head, oldest }), failed)
    return watch
  }

  async close(): Promise<void> {
    this.#unsubscribe()
    await this.#notices.close()
  }

  #take(
    entries: readonly Entry<LogEvent>[],
    { head, oldest }: { readonly head: number; readonly oldest: number },
  ): void {
    const found = entries.flatMap((entry): readonly Notice[] => {
      if (entry.seq <= head && entry.at < oldest) return []
      const notice = isPlanEntry(entry)
        ? noticeIn(entry)
        : interviewParts(entry.stream) === null
          ? null
          : interviewNoticeIn(entry)
      return notice === null ? [] : [notice]
    })
    if (found.length === 0) return
    this.#notices
      .take(found, entries.at(-1)?.seq ?? 0)
      .catch((error: unknown) => this.#host.parts.onError('notices', error))
  }

  #place(): NoticePlace {
    const { root, clock, repositories, onError } = this.#host.parts
    return {
      root,
      clock,
      env: this.#parts.env,
      onError,
      placeOf: async (stream) => {
        const repository = await repositories.find(repositoryOfStream(stream) ?? '')
        if (repository === null) return null
        const { path, id } = repository
        return {
          path,
          settings: { ...(await this.#parts.settingsIn(path)), ...(await this.#taken(stream, id)) },
        }
      },
      itemOf: (notice) => (notice.only === 'page' ? this.#interviewOf(notice) : this.#itemOf(notice)),
      showLive: (notice, scope) => this.#host.liveNotices.show(notice, scope),
      linkTo: (plan, repo) =>
        `${this.#parts.url}/p/${encodeURIComponent(plan)}?repo=${encodeURIComponent(repo)}`,
    }
  }

  /**
   * What acts as the user is taken from what the plan was started with: bosun.yaml lies where its workers may write. Without a plan
   * that runs there is nothing to take.
   */
  async #taken(stream: string, repository: string): Promise<Partial<TakenSettings>> {
    const isOpen = ({ home, state }: HostedPlan): boolean =>
      home.repository.id === repository && !isOver(state)
    const plan = this.#host.hosted(stream) ?? this.#host.plans().findLast(isOpen)
    if (plan === undefined) return {}
    const { home, state } = plan
    const known = this.#known.get(home.stream)
    if (known?.version === state.documentedAt) return known.taken
    const document = await readDocument(this.#host.parts.log, home.stream, state.documentedAt)
    const { command = null, webhook = null } = document?.settings.notify ?? {}
    const taken = { command, webhook }
    this.#known.set(home.stream, { version: state.documentedAt, taken })
    return taken
  }

  /** While it waits. */
  async #interviewOf({ stream }: Notice): Promise<OpenTopic | null> {
    const { repositories } = this.#host.parts
    const repository = await repositories.find(interviewParts(stream)?.repository ?? '')
    // Interviews that cannot be opened hold back no other notice; the daemon reports why.
    const all = await this.#host.listInterviews().catch(() => [])
    const open = all.find(({ repo, waits }) => waits && repo === repository?.path)
    if (open === undefined) return null
    const { session_id: id, repo } = open
    return {
      id: null,
      link: `${this.#parts.url}/interview/${encodeURIComponent(id)}?repo=${encodeURIComponent(repo)}`,
    }
  }

  #itemOf({ stream, item }: Notice): OpenTopic | null {
    const plan = this.#host.hosted(stream)
    if (plan === null || item === null || plan.state.cancelled !== null || !plan.state.inbox.has(item))
      return null
    // Equal permissions are one entry of the inbox.
    const ids = inboxOf(this.#host, [plan]).flatMap((entry) => [entry.id, ...entry.group])
    const id = ids.find((one) => one === item || one.endsWith(`:${item}`)) ?? `${plan.id}:${item}`
    // An id alone is ambiguous as soon as another plan opens an item of the same number.
    const place = new URLSearchParams({ item: id, plan: plan.id, repo: plan.home.repository.path })
    return { id, link: `${this.#parts.url}/?${place.toString()}` }
  }
}
