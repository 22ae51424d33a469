/** What a worker is given to read: its contract, and the brief that is built from it. */
import type { TaskContract } from './core/planning/contract.ts'
import { failureLines } from './core/gates/failure-lines.ts'
import { contractOf } from './core/planning/contract.ts'
import { briefOf, type DependencyOutput, type Revision } from './core/planning/brief.ts'
import { authoredTexts, briefProblems } from './core/planning/brief-problems.ts'
import type { Environment, Plan } from './core/planning/plan.ts'
import { renderBrief } from './core/planning/render-brief.ts'
import type { Settings } from './core/settings.ts'
import { AgentUnavailable, type Job } from './ports/agent.ts'

export interface BriefParts {
  readonly plan: Plan
  readonly settings: Settings
  readonly environment: Partial<Environment>
  /** What lies in its workspace beside the files of the tree, a line each. */
  readonly workspace: readonly string[]
  readonly desk: { readonly reportPath: string; readonly checkin: { readonly command: string } }
}

/** A brief that is not whole is never handed out. */
export function workerBrief(
  job: Job,
  parts: BriefParts,
): { readonly brief: string; readonly contract: TaskContract } {
  const { plan, settings, environment, workspace, desk } = parts
  const contract = contractOf(
    plan,
    { ...job.spec, tier: job.tier },
    {
      shared: job.context.block,
      taskDelta: dependencyLines(job),
      commands: environment,
      retryBudget: settings.pm.retry_budget,
      patchSizeLimit: settings.pm.patch_size_limit_files,
    },
  )
  const structure = briefOf(plan, job.spec, contract, {
    workerId: job.worker,
    reportPath: desk.reportPath,
    checkin: desk.checkin,
    audit: { found: job.context.audit, branches: job.context.branches },
    dependencyOutputs: outputsOf(job, plan),
    keyPaths: [],
    patterns: [],
    patternToFollow: null,
    workspace,
    revision: revisionOf(job),
  })
  const brief = job.role === 'reviewer' ? `${REVIEWER}\n\n${renderBrief(structure)}` : renderBrief(structure)
  const [problem] = briefProblems(brief, [
    ...authoredTexts(structure),
    ...(job.context.feedback ?? '').split('\n'),
  ])
  if (problem !== undefined)
    throw new AgentUnavailable(`its brief is not whole: line ${problem.line}: ${problem.message}`)
  return { brief, contract }
}

const REVIEWER = [
  '# Review',
  '',
  'You are the reviewer of the work in this folder. Change nothing. Judge it against the contract below and write your',
  'report as JSON: { "verdict": "approved" | "changes_requested", "summary": "…", "critical": [], "major": [], "minor": [] },',
  'each issue as { "description": "…", "location": "file:line", "how_to_fix": "…" }.',
].join('\n')

function dependencyLines(job: Job): string {
  return job.context.dependencies
    .map(
      ({ task, commit }) => `${task}: ${commit === null ? 'was there already' : `landed as ${commit.sha}`}`,
    )
    .join('\n')
}

function outputsOf(job: Job, plan: Plan): DependencyOutput[] {
  return job.context.dependencies.map(({ task, commit }) => {
    const spec = plan.tasks.find((one) => one.id === task)
    return {
      taskId: task,
      title: spec?.title ?? task,
      summary: commit === null ? 'it was there already' : `landed as ${commit.sha.slice(0, 12)}`,
      files: [...(spec?.files.create ?? []), ...(spec?.files.modify ?? [])],
      interfaces: spec?.interfaces ?? [],
    }
  })
}

/** What must change, in the words of the gate, the reviewer or the person. */
function revisionOf(job: Job): Revision | null {
  const { feedback, cause, draft, failed } = job.context
  if (job.attempt < 2 || (feedback === null && cause === null)) return null
  return {
    attempt: job.attempt,
    feedback: [...(feedback === null ? [] : [feedback]), ...causeLines(cause), ...failureLines(failed)],
    previousDraft: draft?.report?.explanation ?? null,
  }
}

function causeLines(cause: Job['context']['cause']): string[] {
  if (cause === null) return []
  switch (cause.kind) {
    case 'gates_failed':
      return [`These gates failed: ${cause.gates.join(', ')}. Fix only what they flag.`]
    case 'changes_requested':
      return cause.issues
        .filter((issue) => issue.severity !== 'minor')
        .map((issue) => `${issue.location}: ${issue.description}. ${issue.howToFix}`)
    case 'conflict':
    case 'refused':
    case 'lost':
      return [cause.reason]
    case 'looping':
      return [`${cause.reason}. Do something else this time.`]
    case 'nothing_done':
      return ['The attempt before changed nothing.']
    case 'blocked':
    case 'gates_inconclusive':
    case 'interrupted':
    case 'limited':
    case 'over_budget':
    case 'reviewer_lost':
    case 'stopped_for_pause':
      return []
  }
}
