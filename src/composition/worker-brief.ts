/** A worker's contract, and the brief built from it; a reviewer's brief is on the change and the design. */
import type { Reporting } from '../agents/write-job.ts'
import { guidanceFor, mcpGuidance } from '../core/crew/guidance.ts'
import { kindOfWork } from '../core/choice/kind-of-work.ts'
import type { Cause } from '../core/event-schemas/schemas.ts'
import { contractOf, decisionLine, type TaskContract } from '../core/planning/brief/contract.ts'
import { failureLines } from '../core/gates/written-findings.ts'
import type { BriefedPlan, Revision } from '../core/planning/brief/brief.ts'
import { nearbyFiles, NOTHING_NEARBY } from '../core/planning/brief/nearby-files.ts'
import { analyseProject, textsWanted } from '../core/intake/analyse-project.ts'
import { contextFacts, type ContextFacts } from '../core/intake/context-facts.ts'
import { NO_CONTEXT, type ProjectContext } from '../core/intake/project-context.ts'
import { renderBrief } from '../core/planning/brief/render-brief.ts'
import type { Environment } from '../core/planning/plan.ts'
import { issuesToFix } from '../core/review/judge-review.ts'
import { formatPlace } from '../core/review/locations.ts'
import { taskDelta, type LandedChange } from '../core/review/task-delta.ts'
import type { LandedFiles, PlanTrees } from '../workspaces/plan-trees.ts'
import { specPath } from '../core/planning/ids.ts'
import { outputsOf, recordFolders } from '../core/review/dependency-outputs.ts'
import type { Settings } from '../core/settings/settings.ts'
import { plainLine, quoted, quotedList } from '../lib/text/quoted.ts'
import { type Job, AgentUnavailable } from '../ports/agent.ts'
import type { PlanHeader, TaskSpec } from '../core/planning/task-schema.ts'
import type { Change } from '../core/gates/change.ts'
import { renderDiff } from '../core/review/render-diff.ts'
import { reviewBrief } from '../core/review/review-brief.ts'
import type { Changes } from '../ports/checkouts.ts'

export interface BriefParts {
  readonly plan: BriefedPlan
  readonly settings: Settings
  readonly environment: Partial<Environment>
  /** What its workspace holds beside the files of the tree, one line each. */
  readonly workspace: readonly string[]
  /** Recently landed changes, as text. */
  readonly delta: string
  /** The landed changes of the tasks it depends on, among others. */
  readonly landed: readonly LandedChange[]
  /** What is known about the project and the files near those of the task. */
  readonly facts: ContextFacts
  readonly reporting: Reporting
}

/** The contract that binds the worker and that its reviewer checks against. */
export function workerContract(
  job: Job,
  { plan, settings, environment, delta }: Pick<BriefParts, 'plan' | 'settings' | 'environment' | 'delta'>,
): TaskContract {
  return contractOf(
    plan,
    { ...job.spec, tier: job.tier },
    {
      shared: job.context.block,
      taskDelta: delta,
      decisions: (job.context.decisions ?? []).map(decisionLine),
      commands: environment,
      retryBudget: settings.pm.retry_budget,
      patchSizeLimit: settings.pm.patch_size_limit_files,
    },
  )
}

export function workerBrief(job: Job, parts: BriefParts): string {
  const { plan, reporting, workspace } = parts
  return renderBrief({
    plan,
    task: job.spec,
    contract: workerContract(job, parts),
    guidance: guidanceFor(job.role, kindOfWork(job.spec)),
    reportPath: reporting.reportPath,
    checkin: reporting.checkin,
    mcp: reporting.hasMcp ? mcpGuidance(job.role) : [],
    audit: { found: job.context.audit, branches: job.context.branches },
    dependencyOutputs: outputsOf(job.context.dependencies, parts),
    ...parts.facts,
    workspace,
    revision: revisionOf(job, parts.settings),
  })
}

/** The landed changes a worker builds on; empty for a reviewer, which sees the change it reviews. */
export async function landedFor(
  job: Job,
  { settings, plan }: Pick<BriefParts, 'settings' | 'plan'>,
  landedChanges: (commits: readonly string[]) => Promise<readonly LandedChange[]>,
): Promise<Pick<BriefParts, 'landed' | 'delta'>> {
  if (job.role === 'reviewer') return { landed: [], delta: '' }
  const commits = job.context.dependencies.flatMap(({ commit }) => commit?.sha ?? [])
  const landed = await landedChanges(commits)
  // A spec that was changed is read as it is now, not as a change.
  const ownFolders = [...recordFolders(settings), plan.header.specFile ?? specPath(job.plan)]
  return { landed, delta: taskDelta(landed, { spec: job.spec, ownFolders }) }
}

/** The project with all that has landed; of what is known, only what changed is read again. */
export class LandedProject {
  readonly #trees: Pick<PlanTrees, 'landedFiles' | 'readText'>
  readonly #texts = new Map<string, string | null>()
  #known: { readonly landed: LandedFiles; readonly context: ProjectContext } | null = null

  constructor(trees: Pick<PlanTrees, 'landedFiles' | 'readText'>) {
    this.#trees = trees
  }

  /** What concerns a task; nothing for a reviewer. */
  async factsFor({ role, spec }: Pick<Job, 'role' | 'spec'>): Promise<ContextFacts> {
    if (role === 'reviewer') return contextFacts(spec, NOTHING_NEARBY, NO_CONTEXT)
    const landed = await this.#trees.landedFiles(this.#known?.landed ?? null)
    if (this.#known?.landed.tree !== landed.tree)
      this.#known = { landed, context: await this.#contextOf(landed) }
    return contextFacts(spec, nearbyFiles(spec, landed.files), this.#known.context)
  }

  async #contextOf({ tree, files, changed }: LandedFiles): Promise<ProjectContext> {
    for (const path of changed) this.#texts.delete(path)
    for (const path of textsWanted(files))
      if (!this.#texts.has(path)) this.#texts.set(path, await this.#trees.readText(tree, path))
    return analyseProject({ files, read: (path) => this.#texts.get(path) ?? null })
  }
}

/** The feedback of gates, reviewer and person that this attempt must address. */
function revisionOf(job: Job, settings: Settings): Revision | null {
  const { feedback, cause, draft, checkpoint, failingTests = [], isLastTry, earlierWork } = job.context
  const isFirst = job.attempt < 2 && earlierWork === null
  if (isFirst || (feedback === null && cause === null)) return null
  return {
    attempt: job.attempt,
    from: cause === null ? 'person' : isHandOver(job) ? 'hand_over' : 'checks',
    feedback: [
      ...evidenceLines(job, settings, isHandOver(job) ? handOverLines(draft) : []),
      ...(checkpoint === null ? [] : [`Progress of the previous worker: ${plainLine(checkpoint, 600)}`]),
      ...(failingTests.length === 0
        ? []
        : [`The previous worker reported failing tests: ${plainLine(failingTests.join(', '), 600)}`]),
      ...(isLastTry ? [REDUCED] : []),
    ],
    previousDraft: draft?.report?.explanation ?? (isHandOver(job) ? (job.context.lastWords ?? null) : null),
  }
}

/** The worker before did not finish: its work is neither proven nor flagged. */
const HALF_WAY: readonly (Cause['kind'] | undefined)[] = [
  'limited',
  'interrupted',
  'lost',
  'looping',
  'over_budget',
  'restarted',
  'stopped_for_pause',
]

const isHandOver = ({ context: { cause, failed } }: Job): boolean =>
  HALF_WAY.includes(cause?.kind) && failed.length === 0

const MOST_FILES = 40

/** Who worked on it, how that ended and what is left of it. */
function handOverLines(draft: Job['context']['draft']): readonly string[] {
  if (draft === null) return []
  const agent = draft.agents.at(-1)
  const who = agent === undefined ? 'The worker before you' : `The worker before you (${plainLine(agent)})`
  const [files, more] = [draft.changed.slice(0, MOST_FILES), draft.changed.length - MOST_FILES]
  return [
    `${who} ended: ${plainLine(draft.ended, 600)}.`,
    files.length === 0
      ? 'It left no changes.'
      : `It changed ${quotedList(files, more)}. These changes are in your workspace, unfinished and untested: read them first, keep what is right.`,
  ]
}

/** What people, gates and reviews found in the draft so far. */
export function evidenceLines(
  { context }: Job,
  settings: Settings,
  handOver: readonly string[] = [],
): string[] {
  const { feedback, cause, failed, hasFailedFix, earlierWork, advice } = context
  return [
    ...(feedback === null ? [] : [feedback]),
    ...(earlierWork === null ? [] : [earlierWork.asksTheSame ? STILL_FITS : IS_MET]),
    ...handOver,
    ...causeLines(cause, settings),
    ...failureLines(failed),
    ...(hasFailedFix && cause?.kind === 'gates_failed' ? [TIGHTER] : []),
    ...(advice === undefined ? [] : [`${ADVICE} ${plainLine(advice, 2000)}`]),
  ]
}

/** Changing nothing can be right, but then the report must show where each criterion is met. */
const STILL_FITS =
  'Earlier work for this task has landed and is in your workspace. Keep what still fits, and state in `criteria` of your report where each requirement is met.'
const IS_MET =
  'Work for an earlier version of this task has landed and is in your workspace. Keep what already meets a requirement. If all requirements are met, state in `criteria` of your report where each one is met; otherwise nothing counts as done.'

/** For a second fix, where unrelated changes cost more. */
const TIGHTER =
  'Tighter scope: the previous fix did not pass. Change only the places flagged here and what they need to pass; leave every other line of the draft unchanged, and improve nothing else.'

/** A model wrote it, and may have read anything. */
const ADVICE = 'A suggestion from the project manager, which changes neither the contract nor the gates:'

/** For a task whose workers keep failing. */
const REDUCED =
  'Reduced scope: earlier workers failed at this task. Do only what the acceptance criteria and the tests ask for; work in small steps, and check in after each.'

/** Names the work it was proven with, a possible cause of the failure. */
function provenWithLines({ onTopOf = [] }: { readonly onTopOf?: readonly string[] | undefined }): string[] {
  if (onTopOf.length === 0) return []
  const others = onTopOf.length === 1 ? `task ${onTopOf[0] ?? ''}` : `tasks ${onTopOf.join(', ')}`
  return [
    `It was tested together with the work of ${others}, which passes without it: look at what they share.`,
  ]
}

/** In characters. A reviewer's words are one line each, so that they add no section. */
const MOST_OF_ISSUE = 2000

function causeLines(cause: Job['context']['cause'], { review }: Settings): string[] {
  if (cause === null) return []
  switch (cause.kind) {
    case 'gates_failed':
      return [
        `These gates failed: ${cause.gates.join(', ')}. Fix only what they flag.`,
        ...provenWithLines(cause),
      ]
    case 'changes_requested':
      return issuesToFix(cause.issues, { passMinor: !review.skip_minor_in_feedback }).map(
        (issue) =>
          `${issue.severity}, ${quoted(formatPlace(issue), 300)}: ${plainLine(issue.description, MOST_OF_ISSUE)}. ${plainLine(issue.howToFix, MOST_OF_ISSUE)}`,
      )
    case 'conflict':
    case 'refused':
    case 'lost':
      return [cause.reason]
    case 'looping':
      return [`${cause.reason}. Do something else this time.`]
    case 'nothing_done':
      return ['The previous attempt changed nothing.']
    case 'blocked':
    case 'unclear':
    case 'gates_inconclusive':
    case 'interrupted':
    case 'limited':
    case 'over_budget':
    case 'plan_edited':
    case 'reviewer_lost':
    case 'restarted':
    case 'stopped_for_pause':
      return []
  }
}

/** A reviewer's brief: gathers the change and the design from the trees; the core writes the text. */
interface ReviewSources {
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
