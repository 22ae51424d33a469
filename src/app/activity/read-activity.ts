/** Queries the activity log. */
import type { ActivityAnswer, ActivityLine } from '../../protocol/answers.ts'
import type { ActivityQuery as Asked } from '../../protocol/requests.ts'
import type { HostToRead } from '../host/host-to-read.ts'

interface ActivityQuery extends Omit<Asked, 'repo'> {
  /** Only of this repository. */
  readonly repository?: string | undefined
}

export async function readActivity(host: HostToRead, query: ActivityQuery): Promise<ActivityAnswer> {
  const repositories = await host.parts.repositories.list()
  const asked = repositories.filter(({ id }) => query.repository === undefined || query.repository === id)
  const read = await Promise.all(asked.map(({ id }) => host.journal.read(id)))
  const lines = read.flatMap(({ lines }) => lines).filter((line) => isAskedFor(line, query))
  const ordered = asked.length > 1 ? lines.sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1)) : lines
  return {
    activity: ordered.slice(-query.limit),
    truncated: ordered.length > query.limit,
    unreadable: read.reduce((sum, { unreadable }) => sum + unreadable, 0),
  }
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
