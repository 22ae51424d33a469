/** The prompts that a session begins with, and that the supervisor itself adds. */
import { parseReview } from '../../command/parse-report.ts'
import { readLastReport, reportPaths } from '../../command/report-file.ts'
import type { AcpJob } from '../../worker-folder.ts'
import type { SessionParts } from '../session.ts'

/** How often Bosun prompts an agent to go on after it stopped at a refused permission. */
const MOST_REMINDERS = 3

export class OwnPrompts {
  readonly #parts: SessionParts
  readonly #job: AcpJob
  #hasAskedForVerdict = false
  #reminders = 0

  constructor(parts: SessionParts, job: AcpJob) {
    this.#parts = parts
    this.#job = job
  }

  /** A session that is continued has the brief already. */
  first(isContinued: boolean): string {
    const { brief } = this.#parts.job
    return isContinued ? (this.#job.session?.prompt ?? brief) : brief
  }

  /** For an agent that stopped where it was not allowed something; none after too many. */
  afterRefusal(refused: string): readonly string[] {
    this.#reminders++
    if (this.#reminders > MOST_REMINDERS) return []
    return [`Not permitted: ${refused}. Continue your task without it.`]
  }

  /** Asks a reviewer that ended its turn without a verdict for one, once; null where there is nothing to ask. */
  forVerdict(): string | null {
    const { job, folder } = this.#parts
    if (job.role !== 'reviewer' || this.#hasAskedForVerdict) return null
    const { text } = readLastReport(reportPaths(folder, job.outbox))
    if (text !== null && parseReview(text).value !== null) return null
    this.#hasAskedForVerdict = true
    const path = job.env['BOSUN_REPORT'] ?? ''
    return `You ended your turn without a verdict, so your review does not count yet. Write it now, as JSON, to \`${path}\`: ${FORM}`
  }
}

const FORM =
  '`{ "verdict": "approved" or "changes_requested", "summary": "", "critical": [], "major": [], "minor": [] }`'
