/** A reviewer's brief: gathers the change and the design from the trees; the core writes the text. */
import type { PlanHeader, TaskSpec } from '../core/planning/task-schema.ts'
import type { Reporting } from '../agents/write-job.ts'
import { guidanceFor, mcpGuidance } from '../core/crew/guidance.ts'
import { kindOfWork } from '../core/choice/kind-of-work.ts'
import type { Change } from '../core/gates/change.ts'
import type { TaskContract } from '../core/planning/brief/contract.ts'
import { renderDiff } from '../core/review/render-diff.ts'
import { reviewBrief } from '../core/review/review-brief.ts'
import { AgentUnavailable, type Job } from '../ports/agent.ts'
import type { Changes } from '../ports/checkouts.ts'

export interface ReviewSources {
  readonly changes: Pick<Changes, 'changeOf'>
  /** The text of a file in a tree; null where there is none. */
  readonly readText: (tree: string, path: string) => Promise<string | null>
  readonly design: string | null
  readonly plan: { readonly header: Pick<PlanHeader, 'specFile'> }
  readonly reporting: Reporting
}

export async function reviewerBrief(
  job: Job,
  contract: TaskContract,
  sources: ReviewSources,
): Promise<string> {
  const { draft, review, feedback } = job.context
  if (draft === null || review === undefined)
    throw new AgentUnavailable(`task ${job.spec.id} has no work to review`)
  const { changes, reporting } = sources
  const change = await changes.changeOf({ task: job.spec.id, attempt: job.attempt, tree: draft.tree })
  return reviewBrief({
    ...review,
    contract,
    spec: job.spec,
    guidance: guidanceFor(job.role, kindOfWork(job.spec)),
    change,
    scan: draft.scan ?? null,
    report: draft.report,
    asked: feedback,
    design: await designIn(change, sources, job.spec),
    specFile: sources.plan.header.specFile,
    reportPath: reporting.reportPath,
    checkinCommand: reporting.checkin.command,
    mcp: reporting.hasMcp ? mcpGuidance(job.role) : [],
  })
}

/** The design as it was before the change, so that the work cannot rewrite what it is judged by. */
async function designIn(
  { base }: Change,
  { design, readText }: ReviewSources,
  spec: TaskSpec,
): Promise<{ path: string; text: string | null } | null> {
  // A designer's own document is the change.
  return design === null || spec.files.create.includes(design)
    ? null
    : { path: design, text: await readText(base, design) }
}

/** For the quick review by a model. Low work is small; of what is not, the beginning is read. */
export async function changeText(
  changes: Pick<Changes, 'changeOf'>,
  draft: Parameters<Changes['changeOf']>[0],
): Promise<string> {
  const limits = { perFile: 12_000, total: 40_000, rest: 'the change is longer than is read here' }
  return renderDiff(await changes.changeOf(draft), limits)
}
