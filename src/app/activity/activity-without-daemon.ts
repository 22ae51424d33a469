/** The activity log of a repository without a daemon: from its files, plus events whose lines are not written yet. */
import { ActivityReader } from '../../core/events/activity.ts'
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { ActivityLine } from '../../protocol/answers.ts'
import { tailPastDamage } from './past-damage.ts'
import { readActivityFiles, type ReadActivity } from './activity-file.ts'
import { linesOf, readPosition } from './activity-journal.ts'
import { coordinationFolder } from '../coordination/coordination-folders.ts'
import { repositoryOfStream } from '../host/stream-name.ts'

const PAGE = 1000

export interface ActivityPlace {
  /** The state root. */
  readonly root: string
  readonly log: EventReader<LogEvent>
}

export async function readActivityWithoutDaemon(
  { root, log }: ActivityPlace,
  repository: string,
): Promise<ReadActivity> {
  const { lines, unreadable } = await readActivityFiles(coordinationFolder(root, repository))
  const written = lines.reduce((last, { data }) => Math.max(last, seqIn(data)), 0)
  const missing: ActivityLine[] = []
  const readers = new Map<string, ActivityReader>()
  // A daemon that died may have written events whose lines it had not written yet.
  for (let after = Math.max(written, await readPosition(root)); ;) {
    const { entries, seq } = await tailPastDamage(log, after, PAGE)
    for (const entry of entries) {
      if (repositoryOfStream(entry.stream) !== repository) continue
      const reader = readers.get(entry.stream) ?? new ActivityReader()
      readers.set(entry.stream, reader)
      missing.push(...linesOf(entry, reader))
    }
    after = seq
    if (entries.length < PAGE) return { lines: [...lines, ...missing], unreadable }
  }
}

const seqIn = ({ seq }: ActivityLine['data']): number => (typeof seq === 'number' ? seq : 0)
