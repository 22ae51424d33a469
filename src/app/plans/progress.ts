/** The progress of every open plan, as in a progress report. */
import { progressReport } from '../../core/delivery/progress-report.ts'
import { standing } from '../../core/decide/standing.ts'
import type { HostToRead } from '../host/host-to-read.ts'

export interface PlanProgress {
  readonly plan: string
  /** Path of the repository. */
  readonly repo: string
  readonly text: string
}

export function progressOf(host: HostToRead): readonly PlanProgress[] {
  return host
    .plans()
    .filter(({ state }) => standing(state).state !== 'done')
    .map(({ id, home, state }) => ({ plan: id, repo: home.repository.path, text: progressReport(state) }))
}
