/** Request and result of a canary run, and the tests of a checkout that canaries are copied from. */
import type { Finding, RunEvidence } from '../../core/event-schemas/evidence.ts'
import { templatesFor, type Canary } from '../../core/gates/tests/canary.ts'
import type { Change } from '../../core/gates/change.ts'
import type { ReportHint } from '../../core/test-reports/test-report.ts'
import type { Command } from '../../core/planning/plan.ts'
import type { GateSite } from '../runner/gate-site.ts'
import type { SiteRuns } from '../runner/site-runs.ts'

export interface CanaryRequest {
  readonly runs: SiteRuns
  readonly command: Command
  readonly hint: ReportHint
  readonly change: Change
  readonly openBase: () => Promise<GateSite>
  /** Opens another checkout of the work, in which no command has run. */
  readonly openFresh: () => Promise<SiteRuns>
}

export interface CanaryResult {
  readonly findings: readonly Finding[]
  readonly runs: readonly RunEvidence[]
  /** Why a suite that is judged by its exit code alone was not seen to fail, neither with the work nor without it. */
  readonly unshown?: string
}

export function templatesIn(
  site: GateSite,
  change: Change,
  isFit: (path: string) => boolean,
): readonly Canary[] {
  const { files } = site.files.listing()
  return templatesFor({ change, files, isFit, read: (path) => site.files.text(path) })
}
