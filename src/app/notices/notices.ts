/**
 * Notifies people. What is still owed lies in a file that is written before anything is sent and after it was, so that a
 * restart neither repeats nor loses a notice; what was under way when the daemon died is sent again, a webhook under the
 * same id.
 */
import { createHash } from 'node:crypto'
import {
  dueNotices,
  webhookRetryMs,
  quietUntil,
  type NoticeRules,
} from '../../core/delivery/notices/due-notices.ts'
import {
  noticeDocument,
  noticeLines,
  noticeTitle,
  type Notice,
  type PlacedNotice,
} from '../../core/delivery/notices/notice.ts'
import { desktopProgram } from '../../lib/process/find-program.ts'
import { SerialQueue } from '../../lib/serial-queue.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PageNotice } from '../../protocol/rows.ts'
import type { HostParts } from '../host/host.ts'
import type { NoticeScope } from '../host/host-to-read.ts'
import { repositoryOfStream, streamParts } from '../host/stream-name.ts'
import { writeNoticeBook, type Delivery, type NoticeBook } from './notice-file.ts'
import { webhookOf, type NotifySettings } from '../../core/settings/notify-settings.ts'
import { runNoticeCommand, showOnDesktop, sendWebhook } from './send-notice.ts'
import { iso } from '../../lib/text/format-time.ts'

export interface NoticePlace extends Pick<HostParts, 'root' | 'onError'> {
  readonly clock: Pick<Clock, 'now' | 'wake'>
  /** Of the daemon; programs that show notices get a part of it. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** The path of the repository that a stream is about, and the settings for its notices; null where it is gone. */
  readonly placeOf: (
    stream: string,
  ) => Promise<{ readonly path: string; readonly settings: NotifySettings } | null>
  /** What a notice is about, while that waits for a person; null once it is closed. */
  readonly itemOf: (notice: Notice) => Promise<OpenTopic | null> | OpenTopic | null
  /** Shows them on open pages, and at attached terminals. */
  readonly showLive: (notice: PageNotice, scope: NoticeScope) => void
  /** The page of a plan. */
  readonly linkTo: (plan: string, repo: string) => string
}

/** `id` is that of the inbox item; null where it is none. */
export interface OpenTopic {
  readonly id: string | null
  readonly link: string
}

/** A longer list is cut: it would not be read. */
const MOST_NOTICES = 500
/** What could not be delivered by then is of no use. */
const OLDEST_MS = 24 * 3_600_000
const MOST_SLEEP_MS = 3_600_000
/** For what is under way when the daemon stops. */
const PATIENCE_MS = 2000

export class Notices {
  readonly #place: NoticePlace
  readonly #steps = new SerialQueue()
  readonly #ending = new AbortController()
  readonly #sending = new Map<string, Promise<void>>()
  #book: NoticeBook
  #cancelWake: () => void = () => undefined
  #isClosing = false
  /** Whether what was read last is not in the file. */
  #isAhead = false

  constructor(place: NoticePlace, book: NoticeBook) {
    this.#place = place
    this.#book = book
  }

  /** Takes what happened up to this place in the log. It is durable when this resolves. */
  take(notices: readonly Notice[], seq: number): Promise<void> {
    return this.#steps.run(async () => {
      const fresh = (await this.#wanted(notices)).map((notice) => ({ ...notice, sentAt: null }))
      if (fresh.length === 0) {
        // Not worth a write: after a crash it is read and left out again.
        this.#book = { ...this.#book, seq }
        this.#isAhead = true
        return
      }
      await this.#keep({
        ...this.#book,
        seq,
        notices: [...this.#book.notices, ...fresh].slice(-MOST_NOTICES),
      })
      await this.#turn()
    })
  }

  /** Looks at what is due. */
  turn(): Promise<void> {
    return this.#steps.run(() => this.#turn())
  }

  /** What is under way may end; what does not end soon is left to the next start. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#cancelWake()
    const late = Promise.withResolvers<void>()
    const cancel = this.#place.clock.wake(PATIENCE_MS, late.resolve)
    await Promise.race([Promise.all(this.#sending.values()), late.promise])
    cancel()
    this.#ending.abort()
    await this.#steps.run(async () => {
      if (this.#isAhead) await this.#keep(this.#book)
    })
  }

  /** Without the kinds that `notify.on` does not name. */
  async #wanted(notices: readonly Notice[]): Promise<readonly Notice[]> {
    const wanted: Notice[] = []
    for (const [stream, own] of Map.groupBy(notices, (notice) => notice.stream)) {
      const found = await this.#place.placeOf(stream)
      if (found !== null) wanted.push(...own.filter(({ kind }) => found.settings.on.includes(kind)))
    }
    return wanted
  }

  async #turn(): Promise<void> {
    if (this.#isClosing) return
    const now = this.#place.clock.now()
    const wakes: number[] = []
    for (const [group, notices] of Map.groupBy(this.#book.notices, groupOf)) {
      const newest = notices.at(-1)
      if (newest === undefined) continue
      const repository = repositoryOf(newest)
      const found = await this.#place.placeOf(newest.stream)
      const rules = found === null ? NO_RULES : rulesOf(found.settings, now)
      const lastSentAt = this.#book.last_sent[group] ?? null
      const topics = await this.#topicsOf(notices)
      const isOpen = ({ id }: Notice): boolean => topics.has(id)
      const { batch, kept, wakeAt } = dueNotices(notices, { now, rules, lastSentAt, isOpen })
      if (wakeAt !== null) wakes.push(wakeAt)
      const others = this.#book.notices.filter((notice) => groupOf(notice) !== group)
      const sent = batch.length === 0 || found === null ? null : this.#placed(batch, found.path, topics)
      if (sent === null && kept.length === notices.length) continue
      await this.#keep({
        ...this.#book,
        notices: [...others, ...kept],
        ...(sent === null || found === null
          ? {}
          : {
              last_sent: { ...this.#book.last_sent, [group]: now },
              deliveries: [
                ...this.#book.deliveries,
                ...this.#deliveriesOf(sent, found.settings, { stream: newest.stream, now }),
              ],
            }),
      })
      if (sent === null || found === null) continue
      const plans = [...new Set(sent.map(({ plan }) => plan))]
      const atTerminals = found.settings.desktop && !isForPages(sent)
      this.#place.showLive(pageNoticeOf(sent), { repository, plans, atTerminals })
    }
    wakes.push(...this.#start(now))
    this.#sleep(wakes, now)
  }

  /** By the id of the notice; without those that are closed. */
  async #topicsOf(notices: readonly Notice[]): Promise<ReadonlyMap<string, OpenTopic>> {
    const topics = new Map<string, OpenTopic>()
    for (const notice of notices) {
      const topic = notice.kind === 'needs_you' ? await this.#place.itemOf(notice) : null
      if (topic !== null) topics.set(notice.id, topic)
    }
    return topics
  }

  #placed(
    batch: readonly (Notice & { readonly isRepeated: boolean })[],
    repo: string,
    topics: ReadonlyMap<string, OpenTopic>,
  ): PlacedNotice[] {
    return batch.map((notice) => {
      const plan = streamParts(notice.stream)?.plan ?? 'interview'
      const topic = topics.get(notice.id)
      const link = topic?.link ?? this.#place.linkTo(plan, repo)
      return { ...notice, plan, repo, answerId: topic?.id ?? null, link }
    })
  }

  #deliveriesOf(
    sent: readonly PlacedNotice[],
    settings: NotifySettings,
    { stream, now }: { readonly stream: string; readonly now: number },
  ): readonly Delivery[] {
    const link = sent.length === 1 ? (sent[0]?.link ?? null) : null
    const common = {
      id: batchId(sent),
      stream,
      title: noticeTitle(sent),
      text: [...noticeLines(sent), ...(link === null ? [] : [link])].join('\n'),
      document: JSON.stringify(noticeDocument(sent, iso(now))),
      failures: 0,
      since: now,
      notBefore: now,
    }
    if (isForPages(sent)) return []
    const ways = [
      ...(settings.desktop && desktopProgram(this.#place.env) !== null ? ['desktop' as const] : []),
      ...(settings.command === null ? [] : ['command' as const]),
      ...(settings.webhook === null ? [] : ['webhook' as const]),
    ]
    return ways.map((by) => ({ ...common, by }))
  }

  /** Starts what is due; returns when the rest is. */
  #start(now: number): readonly number[] {
    const waiting = this.#book.deliveries.filter((delivery) => !this.#sending.has(keyOf(delivery)))
    for (const delivery of waiting.filter(({ notBefore }) => notBefore <= now)) {
      const key = keyOf(delivery)
      const ending = this.#deliver(delivery).then((next) => this.#settle(delivery, next))
      this.#sending.set(
        key,
        ending.catch((error: unknown) => this.#place.onError('a notice', error)),
      )
    }
    return waiting.flatMap(({ notBefore }) => (notBefore > now ? [notBefore] : []))
  }

  /** Null once it is done with, else the delivery for another attempt; `later` where the daemon stops. */
  async #deliver(delivery: Delivery): Promise<Delivery | 'later' | null> {
    const { env, clock, onError } = this.#place
    const found = await this.#place.placeOf(delivery.stream)
    if (found === null || clock.now() - delivery.since > OLDEST_MS) return null
    const { settings, path } = found
    if (delivery.by !== 'webhook') {
      const problem = await this.#showHere(delivery, settings, path)
      if (problem !== null) onError('a notice', new Error(problem))
      return null
    }
    const webhook = webhookOf(settings, env)
    if (webhook === null) return null
    const message = { id: delivery.id, body: delivery.document }
    const outcome = await sendWebhook(webhook, message, { now: clock.now(), ending: this.#ending.signal })
    if (outcome.kind !== 'failed') return null
    if (this.#isClosing) return 'later'
    const failures = delivery.failures + 1
    const waitMs = webhookRetryMs(failures)
    const rest = waitMs === null ? 'giving up' : `retrying in ${waitMs / 1000} s`
    onError('a notice', new Error(`notify.webhook: ${outcome.why}; ${rest}`))
    return waitMs === null ? null : { ...delivery, failures, notBefore: clock.now() + waitMs }
  }

  async #showHere(
    { by, title, text, document }: Delivery,
    { command }: NotifySettings,
    folder: string,
  ): Promise<string | null> {
    const { env } = this.#place
    if (by === 'command')
      return command === null ? null : runNoticeCommand(command, { document, folder }, env)
    const desktop = desktopProgram(env)
    return desktop === null ? null : showOnDesktop(desktop, { title, text }, env)
  }

  #settle(delivery: Delivery, next: Delivery | 'later' | null): Promise<void> {
    const key = keyOf(delivery)
    return this.#steps.run(async () => {
      this.#sending.delete(key)
      if (next === 'later') return
      const deliveries = this.#book.deliveries.flatMap((one) =>
        keyOf(one) === key ? (next === null ? [] : [next]) : [one],
      )
      await this.#keep({ ...this.#book, deliveries })
      if (next !== null) await this.#turn()
    })
  }

  async #keep(book: NoticeBook): Promise<void> {
    await writeNoticeBook(this.#place.root, book)
    this.#book = book
    this.#isAhead = false
  }

  #sleep(wakes: readonly number[], now: number): void {
    this.#cancelWake()
    if (wakes.length === 0) return
    const delayMs = Math.min(Math.max(0, Math.min(...wakes) - now), MOST_SLEEP_MS)
    this.#cancelWake = this.#place.clock.wake(delayMs, () => {
      this.turn().catch((error: unknown) => this.#place.onError('notices', error))
    })
  }
}

/** Of a repository that is gone. */
const NO_RULES: NoticeRules = { on: [], repeatMs: 0, quietUntil: null }

function rulesOf({ on, repeat, quiet }: NotifySettings, now: number): NoticeRules {
  const local = new Date(now)
  const minutes = local.getHours() * 60 + local.getMinutes()
  return { on, repeatMs: repeat, quietUntil: quietUntil(quiet, now, minutes) }
}

const repositoryOf = ({ stream }: Notice): string => repositoryOfStream(stream) ?? stream

/** What goes together: what only pages show delays nothing that others are sent. */
const groupOf = (notice: Notice): string =>
  notice.only === undefined ? repositoryOf(notice) : `${repositoryOf(notice)} ${notice.only}`

/** Such as that an interview waits: at a terminal the person reads it there. */
const isForPages = (sent: readonly PlacedNotice[]): boolean => sent.every(({ only }) => only === 'page')

const pageNoticeOf = (sent: readonly PlacedNotice[]): PageNotice => ({
  id: batchId(sent),
  title: noticeTitle(sent),
  text: noticeLines(sent).join('\n'),
  link: sent.length === 1 ? (sent[0]?.link ?? null) : null,
})
const keyOf = ({ id, by }: Delivery): string => `${id} ${by}`

/** The same for the same notices. */
function batchId(sent: readonly PlacedNotice[]): string {
  const parts = sent.map(({ id, isRepeated }) => `${id}${isRepeated ? ' again' : ''}`)
  return `msg_${createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)}`
}
