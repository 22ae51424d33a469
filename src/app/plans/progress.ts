/** The progress of every open plan, as in a progress report. */
import { progressReport } from '../../core/delivery/progress-report.ts'
import { standing } from '../../core/decide/standing.ts'
import type { ProgressAnswer } from '../../protocol/answers.ts'
import type { HostToRead } from '../host/host-to-read.ts'

export function progressOf(host: HostToRead): ProgressAnswer['progress'] {
  return host
    .plans()
    .filter(({ state }) => standing(state).state !== 'done')
    .map(({ id, home, state }) => ({ plan: id, repo: home.repository.path, text: progressReport(state) }))
}
