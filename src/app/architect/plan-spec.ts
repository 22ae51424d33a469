/** What becomes of a spec that the user submits: the architect's result, and the plan of an approved one. */
import type { ProjectContext } from '../../core/intake/project-context.ts'
import {
  scopeOfParts,
  workflowFor,
  WORKFLOWS,
  type Workflow,
  type WorkflowTable,
} from '../../core/intake/workflows.ts'
import type { BegunWith } from '../../core/interview/events/schemas.ts'
import type { ArchitectRequest, ArchitectResult, Story } from '../../core/spec/architect-messages.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { defaultSettings } from '../../core/settings/settings.ts'
import { yamlOf } from '../../lib/files/yaml-text.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { Brain, ThinkCall } from '../../ports/brain.ts'
import { planFromRecord } from '../plans/read-plan.ts'
import { planRecordFor, type PlanFinder } from './change-spec.ts'
import { reviewSpec } from './review-spec.ts'

export interface SubmittedSpec {
  /** The id of the repository. */
  readonly repository: string
  readonly request: ArchitectRequest
  /** What was understood of it before, as the user corrected it; null where nothing was. */
  readonly begun: BegunWith | null
  /** How often it was sent back already. */
  readonly round: number
  readonly call: ThinkCall
}

/** What the architect looks at. */
export interface CodeBase {
  readonly brain: Brain
  readonly project: ProjectContext
  /** The files of the repository; null where there are none to look at. */
  readonly files: readonly string[] | null
  readonly workflows: WorkflowTable
}

export interface PlannedSpec {
  readonly result: ArchitectResult
  readonly stories: readonly Story[]
  /** Null where changes are needed. For a plan that exists, its text with what changed. */
  readonly planText: string | null
  /** The model that judged, or `nobody`. */
  readonly judgedBy: string
}

/** Rejects with `ServiceUnavailable` on an outage, where the call allows that. Nothing is written. */
export async function planSpec(
  host: PlanFinder,
  code: CodeBase,
  submitted: SubmittedSpec,
): Promise<PlannedSpec & { readonly spentUsd: number }> {
  let spentUsd = 0
  const brain: Brain = {
    async think(question, input, call) {
      const thought = await code.brain.think(question, input, call)
      if (!thought.cached) spentUsd += thought.usage?.usd ?? 0
      return thought
    },
  }
  const planned = await plannedSpec(host, { ...code, brain }, submitted)
  return { ...planned, spentUsd }
}

async function plannedSpec(
  host: PlanFinder,
  { brain, project, files, workflows }: CodeBase,
  { repository, request, begun, round, call }: SubmittedSpec,
): Promise<PlannedSpec> {
  const spec = { spec: readSpec(request.content).spec, setUp: request.infrastructure_spec }
  const { roles, review } = processFor(spec, begun, workflows)
  const decision = await reviewSpec({ brain, context: { project, files, roles, round } }, request, call)
  const { result, stories, by: judgedBy } = decision
  if (result.status === 'needs_changes') return { result, stories, planText: null, judgedBy }
  try {
    const isFix = begun?.type === 'bug_fix'
    const record = await planRecordFor(host, repository, decision, {
      roles,
      isFullyReviewed: review === 'full',
      ...(isFix ? { type: 'bug_fix' as const } : {}),
    })
    const { problems } = planFromRecord(record, defaultSettings())
    const faults = problems.filter(({ severity }) => severity === 'error')
    if (faults.length === 0) return { result, stories, planText: yamlOf(record), judgedBy }
    return sentBack(
      faults.map(({ message, remedy }) => `The plan of this spec has a problem: ${message}. ${remedy}`),
      judgedBy,
    )
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return sentBack([`${error.message}. ${error.remedy}`], judgedBy)
  }
}

const sentBack = (reasons: readonly string[], judgedBy: string): PlannedSpec => ({
  result: { status: 'needs_changes', feedback: reasons.join('\n'), type: 'spec' },
  stories: [],
  planText: null,
  judgedBy,
})

/** Who takes part, and how it is reviewed: as the user saw it before; else by the size of the spec. */
export function processFor(
  { spec, setUp }: { readonly spec: Spec | null; readonly setUp: string | null },
  begun: BegunWith | null,
  workflows: WorkflowTable,
): Workflow {
  const type = begun?.type ?? (setUp === null ? 'feature_request' : 'new_project')
  const scope = begun?.scope ?? scopeOfParts(spec?.requirements.length ?? 0)
  return WORKFLOWS[begun?.workflow ?? workflowFor(type, scope, workflows)]
}
