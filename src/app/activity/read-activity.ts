/** Queries the activity log, from its end. */
import { Refusal } from '../../lib/refusal.ts'
import type { ActivityAnswer, ActivityLine } from '../../protocol/answers.ts'
import type { ActivityQuery as Asked } from '../../protocol/requests.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { BackwardLines } from './backward-lines.ts'

interface ActivityQuery extends Omit<Asked, 'repo'> {
  /** Only of this repository. */
  readonly repository?: string | undefined
}

/** A clock may have been set back: lines this much older than what is asked for are still looked at. */
const CLOCK_MS = 24 * 3_600_000

export async function readActivity(host: HostToRead, query: ActivityQuery): Promise<ActivityAnswer> {
  const before = query.before === undefined ? null : placeIn(query.before)
  const repositories = await host.parts.repositories.list()
  const asked = repositories.filter(({ id }) => query.repository === undefined || query.repository === id)
  const read = await Promise.all(
    asked.map(async ({ id: repository }) => ({
      repository,
      lines: await host.journal.readBackwards(repository, before?.at ?? null),
    })),
  )
  try {
    const { found, next } = await newest(read, query, before)
    const titleOf = taskTitles(host)
    return {
      activity: found.reverse().map(({ line, repository }) => withTitle(line, titleOf(repository, line))),
      truncated: next !== null,
      unreadable: read.reduce((sum, { lines: { unreadable } }) => sum + unreadable, 0),
      next,
    }
  } finally {
    for (const { lines } of read) await lines.close()
  }
}

/** The lines of a repository. */
interface RepositoryLines {
  readonly repository: string
  readonly lines: BackwardLines
}

interface FoundLine {
  readonly line: ActivityLine
  readonly repository: string
}

/** The title of the task that a line is about, of a plan that is loaded; it is as it is now, not as it was then. */
function taskTitles(host: HostToRead) {
  const key = (repository: string, plan: string): string => `${repository} ${plan}`
  const plans = new Map(host.plans().map((plan) => [key(plan.home.repository.id, plan.id), plan.state.tasks]))
  return (repository: string, { plan_id: plan, task_id: task }: ActivityLine): string | undefined =>
    plan === undefined || task === undefined
      ? undefined
      : plans.get(key(repository, plan))?.get(task)?.spec.title
}

const withTitle = (line: ActivityLine, title: string | undefined): ActivityLine =>
  title === undefined ? line : { ...line, task_title: title }

/** A place among the lines: their time, and how many of that time come behind it. */
interface Place {
  readonly at: string
  readonly behind: number
}

/** The newest lines first, and where those before them begin. */
async function newest(
  read: readonly RepositoryLines[],
  query: ActivityQuery,
  before: Place | null,
): Promise<{ readonly found: FoundLine[]; readonly next: string | null }> {
  const found: FoundLine[] = []
  let place: Place = { at: '', behind: 0 }
  for await (const { line, at, repository } of merged(read)) {
    if (query.since !== undefined && Date.parse(at) < query.since - CLOCK_MS) break
    if ((before !== null && at > before.at) || !isAskedFor(line, query)) continue
    if (found.length === query.limit) return { found, next: `${place.at}~${place.behind}` }
    place = { at, behind: place.at === at ? place.behind + 1 : 1 }
    if (before === null || at < before.at || place.behind > before.behind) found.push({ line, repository })
  }
  return { found, next: null }
}

/** Of all repositories, newest first. A line counts as no newer than those that were written after it. */
async function* merged(
  read: readonly RepositoryLines[],
): AsyncGenerator<FoundLine & { readonly at: string }> {
  const heads: (RepositoryLines & { line: ActivityLine; at: string })[] = []
  for (const { repository, lines } of read) {
    const line = await lines.next()
    if (line !== null) heads.push({ repository, line, at: line.timestamp, lines })
  }
  for (;;) {
    const [first, ...rest] = heads
    if (first === undefined) return
    const head = rest.reduce((newest, one) => (one.at > newest.at ? one : newest), first)
    const { line, at, repository } = head
    yield { line, at, repository }
    const earlier = await head.lines.next()
    if (earlier === null) heads.splice(heads.indexOf(head), 1)
    else Object.assign(head, { line: earlier, at: earlier.timestamp < at ? earlier.timestamp : at })
  }
}

function placeIn(cursor: string): Place {
  const [, at, behind] = /^(\d{4}-[\d:.T-]{10,30}Z)~(\d{1,9})$/.exec(cursor) ?? []
  if (at !== undefined && behind !== undefined) return { at, behind: Number(behind) }
  throw new Refusal({
    code: 'usage',
    message: 'before: is not the `next` of a page',
    remedy: 'Start again without it.',
  })
}

/** Whether a line is among what is asked for; the limit aside. */
function isAskedFor(line: ActivityLine, query: Omit<ActivityQuery, 'limit' | 'repository'>): boolean {
  return (
    (query.plan === undefined || line.plan_id === query.plan) &&
    (query.worker === undefined || line.worker_id === query.worker) &&
    (query.event === undefined || line.event === query.event) &&
    (query.since === undefined || Date.parse(line.timestamp) >= query.since)
  )
}
