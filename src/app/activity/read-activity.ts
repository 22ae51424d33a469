/** The activity log: a query over the events of the log and the notes beside it, from their ends. */
import { Refusal } from '../../lib/refusal.ts'
import type { ActivityAnswer, ActivityLine } from '../../protocol/answers.ts'
import type { ActivityQuery as Asked } from '../../protocol/requests.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import { repositoryOfStream, streamOf } from '../host/stream-name.ts'
import { linesOf, noteLine } from './activity-lines.ts'

interface ActivityQuery extends Omit<Asked, 'repo'> {
  /** Only of this repository. */
  readonly repository?: string | undefined
}

/** A clock may have been set back: lines this much older than what is asked for are still looked at. */
const CLOCK_MS = 24 * 3_600_000
/** Entries that are read in one go: at first as many as may be asked for. */
const LEAST_PAGE = 50
const MOST_PAGE = 1000

/** What comes before a line: the entries before `seq`, of that one the first `lines`, and the notes before `note`. */
interface Place {
  readonly seq: number
  readonly lines: number
  readonly note: number
}
const END: Place = { seq: Number.MAX_SAFE_INTEGER, lines: 0, note: Number.MAX_SAFE_INTEGER }

interface FoundLine {
  readonly line: ActivityLine
  readonly repository: string
  /** What is left before it. */
  readonly left: Partial<Place>
}

export async function readActivity(host: HostToRead, query: ActivityQuery): Promise<ActivityAnswer> {
  const before = query.before === undefined ? END : placeIn(query.before)
  const repositories = (await host.parts.repositories.list()).map(({ id }) => id)
  const asked = repositories.filter((id) => query.repository === undefined || query.repository === id)
  const events = new EventLines(host, asked, query)
  const { found, next } = await newest([events.before(before), notesBefore(host, asked, { query, before })], {
    query,
    before,
  })
  const titleOf = taskTitles(host)
  return {
    activity: found.reverse().map(({ line, repository }) => withTitle(line, titleOf(repository, line))),
    truncated: next !== null,
    unreadable: events.unreadable,
    next: next === null ? null : `${next.seq}.${next.lines}~${next.note}`,
  }
}

/** The title of the task that a line is about, of a plan that is loaded; it is as it is now, not as it was then. */
function taskTitles(host: HostToRead) {
  const plans = new Map(host.plans().map((plan) => [plan.home.stream, plan.state.tasks]))
  return (repository: string, { plan_id: plan, task_id: task }: ActivityLine): string | undefined =>
    plan === undefined || task === undefined
      ? undefined
      : plans.get(streamOf(repository, plan))?.get(task)?.spec.title
}

const withTitle = (line: ActivityLine, title: string | undefined): ActivityLine =>
  title === undefined ? line : { ...line, task_title: title }

/** The newest lines first, and the place of those before them. */
async function newest(
  sources: readonly AsyncGenerator<FoundLine>[],
  { query, before }: { readonly query: ActivityQuery; readonly before: Place },
): Promise<{ readonly found: FoundLine[]; readonly next: Place | null }> {
  const found: FoundLine[] = []
  let place = before
  for await (const { at, ...one } of merged(sources)) {
    if (query.since !== undefined && Date.parse(at) < query.since - CLOCK_MS) break
    if (isAskedFor(one.line, query)) {
      if (found.length === query.limit) return { found, next: place }
      found.push(one)
    }
    place = { ...place, ...one.left }
  }
  return { found, next: null }
}

/** Newest first. A line counts as no newer than those of its source that were written after it. */
async function* merged(
  sources: readonly AsyncGenerator<FoundLine>[],
): AsyncGenerator<FoundLine & { readonly at: string }> {
  const heads: { source: AsyncGenerator<FoundLine>; one: FoundLine; at: string }[] = []
  for (const source of sources) {
    const { value: one } = (await source.next()) as IteratorResult<FoundLine, undefined>
    if (one !== undefined) heads.push({ source, one, at: one.line.timestamp })
  }
  for (;;) {
    const [first, ...rest] = heads
    if (first === undefined) return
    const head = rest.reduce((newest, one) => (one.at > newest.at ? one : newest), first)
    yield { ...head.one, at: head.at }
    const { value: earlier } = (await head.source.next()) as IteratorResult<FoundLine, undefined>
    if (earlier === undefined) heads.splice(heads.indexOf(head), 1)
    else {
      const { timestamp } = earlier.line
      Object.assign(head, { one: earlier, at: timestamp < head.at ? timestamp : head.at })
    }
  }
}

/** The lines of events. Those of events that cannot be read are left out and counted. */
class EventLines {
  unreadable = 0
  readonly #log: HostToRead['parts']['log']
  readonly #prefixes: readonly string[]
  readonly #least: number

  constructor({ parts }: HostToRead, repositories: readonly string[], { plan, limit }: ActivityQuery) {
    this.#log = parts.log
    this.#least = Math.max(LEAST_PAGE, Math.min(limit, MOST_PAGE))
    this.#prefixes = repositories.flatMap((id) =>
      plan === undefined ? [`${id}/`, `interview:${id}:`] : [streamOf(id, plan)],
    )
  }

  async *before({ seq, lines: left }: Place): AsyncGenerator<FoundLine> {
    let end = left > 0 ? seq + 1 : seq
    for (let limit = this.#least; ; limit = Math.min(2 * limit, MOST_PAGE)) {
      const page = await this.#log.back(end, limit, this.#prefixes)
      const lines = await linesOf(this.#log, page.toReversed())
      for (const entry of page) {
        const own = lines.get(entry.seq)
        if (own === undefined) {
          this.unreadable++
          continue
        }
        const repository = repositoryOfStream(entry.stream) ?? ''
        for (let at = (entry.seq === seq ? left : own.length) - 1; at >= 0; at--) {
          const line = own[at]
          if (line === undefined) continue
          const data = { ...line.data, seq: entry.seq }
          yield { line: { ...line, data }, repository, left: { seq: entry.seq, lines: at } }
        }
      }
      if (page.length < limit) return
      end = page.at(-1)?.seq ?? 0
    }
  }
}

async function* notesBefore(
  { parts }: HostToRead,
  repositories: readonly string[],
  { query, before }: { readonly query: ActivityQuery; readonly before: Place },
): AsyncGenerator<FoundLine> {
  const { plan = null, worker = null, event = null } = query
  const limit = Math.max(LEAST_PAGE, Math.min(query.limit, MOST_PAGE))
  for (let end = before.note; ;) {
    const page = await parts.notes.back(end, limit, { repositories, plan, worker, event })
    for (const note of page) {
      yield { line: noteLine(note), repository: note.repository, left: { note: note.seq } }
    }
    if (page.length < limit) return
    end = page.at(-1)?.seq ?? 0
  }
}

function placeIn(cursor: string): Place {
  const [, seq, lines, note] = /^(\d{1,16})\.(\d{1,9})~(\d{1,16})$/.exec(cursor) ?? []
  const place = { seq: Number(seq), lines: Number(lines), note: Number(note) }
  if (Object.values(place).every(Number.isSafeInteger)) return place
  throw new Refusal({
    code: 'usage',
    message: 'before: is not the `next` of a page',
    remedy: 'Start again without it.',
  })
}

/** Whether a line is among what is asked for; the limit aside. */
function isAskedFor(line: ActivityLine, query: ActivityQuery): boolean {
  return (
    (query.plan === undefined || line.plan_id === query.plan) &&
    (query.worker === undefined || line.worker_id === query.worker) &&
    (query.event === undefined || line.event === query.event) &&
    (query.since === undefined || Date.parse(line.timestamp) >= query.since)
  )
}
