/** The open interviews, as the log has them: for commands without a daemon. */
import type { LogEvent } from '../../core/log/log-events.ts'
import type { EventReader } from '../../ports/event-log.ts'
import type { Repositories } from '../../ports/repositories.ts'
import type { InterviewRow } from '../../protocol/answers.ts'
import { loadMachine } from './interview-log.ts'
import { interviewParts } from './interview-stream.ts'
import { openRow } from './views.ts'

export async function openRowsIn(
  log: Pick<EventReader<LogEvent>, 'read' | 'streams' | 'loadSnapshot'>,
  repositories: Pick<Repositories, 'find'>,
): Promise<readonly InterviewRow[]> {
  const rows: InterviewRow[] = []
  for (const { stream } of await log.streams({ open: true })) {
    const place = interviewParts(stream)
    const repository = place === null ? null : await repositories.find(place.repository)
    if (repository === null) continue
    const { machine } = await loadMachine(log, stream)
    const [kept] = machine.recoverable
    if (machine.session !== null) rows.push(openRow(machine, machine.session, repository.path))
    // After an orderly stop it goes on with the next daemon.
    else if (kept?.cause === 'shutdown') rows.push(openRow(kept, kept.session, repository.path))
  }
  return rows
}
