/**
 * A new or edited spec of a plan that exists. The change is a plan edit: it is shown as a difference first, and nothing
 * changes until it is accepted.
 */
import { MOST_PLANS_OF_NAME, specPath } from '../../core/planning/ids.ts'
import { isMapping } from '../../core/planning/readers/schema-problems.ts'
import { compareSpecs, isSpecChanged, mergeTasks, type SpecChanges } from '../../core/spec/compare-specs.ts'
import {
  constraintsOf,
  planIdOfSpec,
  plannedTasks,
  planRecord,
  type PlanOptions,
} from '../../core/spec/plan-of-stories.ts'
import type { WrittenTask } from '../../core/planning/readers/yaml-schema.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { designPathOf, withWorkflowStories, type Process } from '../../core/spec/stories-by-rules.ts'
import { specText } from '../../core/spec/spec-markdown.ts'
import { parseYamlText } from '../../lib/files/yaml-text.ts'
import { refusal } from '../../lib/refusal.ts'
import { oneLine } from '../../lib/text/counted.ts'
import type { PreviewAnswer } from '../../protocol/interview.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { readDocument, type PlanDocument } from '../host/plan-place.ts'
import { streamOf } from '../host/stream-name.ts'
import { draftFromText } from '../plans/read-plan.ts'
import type { SpecDecision } from './review-spec.ts'

/** What is asked of the host. */
export type PlanFinder = Pick<Host, 'plan'> & { readonly parts: Pick<Host['parts'], 'log'> }

/** The plan that was made from a spec of this title. */
interface PlanOfSpec {
  readonly plan: HostedPlan
  readonly document: PlanDocument
  readonly spec: Spec
}

/** That plan; else the first id that is free for it. */
async function planOfSpec(
  host: PlanFinder,
  repository: string,
  spec: Pick<Spec, 'title'>,
): Promise<PlanOfSpec | { readonly plan: null; readonly id: string }> {
  for (let n = 1; n <= MOST_PLANS_OF_NAME; n++) {
    const id = planIdOfSpec(spec, n)
    const plan = await host.plan(streamOf(repository, id))
    if (plan === null) return { plan: null, id }
    const found = await specOfPlan(host, plan)
    if (found !== null && isSameTitle(found.spec, spec)) return found
  }
  throw refusal(
    'conflict',
    `there are ${MOST_PLANS_OF_NAME} plans named ${planIdOfSpec(spec)}`,
    'Give the spec another title (# Feature: …).',
  )
}

/** Null where it was not made from a spec. */
async function specOfPlan(host: PlanFinder, plan: HostedPlan): Promise<PlanOfSpec | null> {
  const document = await readDocument(host.parts.log, plan.home.stream, plan.state.documentedAt)
  if (document === null) return null
  const { spec: written } = draftFromText(plan.state.plan.source, document.text)
  const spec = written === undefined ? null : readSpec(written).spec
  return spec === null ? null : { plan, document, spec }
}

const isSameTitle = (one: Pick<Spec, 'title'>, other: Pick<Spec, 'title'>): boolean =>
  oneLine(one.title).toLowerCase() === oneLine(other.title).toLowerCase()

/** A plan that has ended stays as it is; the same spec again is no change. */
function refuseEnded({ plan }: PlanOfSpec, changes: SpecChanges): void {
  const { cancelled, release } = plan.state
  const isReleased = release.step === 'prepared' || release.step === 'signed'
  if ((cancelled === null && !isReleased) || !isSpecChanged(changes)) return
  throw refusal(
    'conflict',
    `plan ${plan.id} ${cancelled === null ? 'is released' : 'was cancelled'} and cannot be changed`,
    'Give the spec another title (# Feature: …): it becomes a plan of its own.',
  )
}

/** What a spec changes in its plan, before anything is thought about it. */
export type SpecDifference = NonNullable<PreviewAnswer['changes']>

/** Null where no plan was made from this spec, and where the spec is invalid. */
export async function describeSpecChange(
  host: PlanFinder,
  { repository, markdown }: { readonly repository: string; readonly markdown: string },
): Promise<SpecDifference | null> {
  const { spec } = readSpec(markdown)
  const known = spec === null ? null : await planOfSpec(host, repository, spec)
  if (spec === null || known === null || known.plan === null) return null
  const requirements = compareSpecs(known.spec, spec)
  refuseEnded(known, requirements)
  const touched = new Set([...requirements.changed.map(({ id }) => id), ...requirements.removed])
  const tasks = [...known.plan.state.tasks.values()].flatMap(({ spec: task, dropped }) => {
    const of = (task.requirements ?? []).filter((id) => touched.has(id))
    return dropped || of.length === 0 ? [] : [{ id: task.id, requirements: of }]
  })
  return { plan: known.plan.id, requirements, tasks }
}

/** How the work goes, by what was understood of the request. */
export interface SpecProcess extends Pick<Process, 'roles'>, Pick<PlanOptions, 'type' | 'isFullyReviewed'> {}

type PlanRecord = Readonly<Record<string, unknown>>

/** The plan that an approved spec becomes; for a plan that exists, that plan with what changed. */
export async function planRecordFor(
  host: PlanFinder,
  repository: string,
  decision: Pick<SpecDecision, 'spec' | 'stories' | 'setUp'>,
  process: SpecProcess = { roles: [] },
): Promise<PlanRecord> {
  const { spec, setUp } = decision
  if (spec === null) throw new Error('a spec that was approved could not be read')
  const known = await planOfSpec(host, repository, spec)
  const { roles, ...options } = process
  const designPath = designPathOf(known.plan === null ? known.id : known.plan.id)
  const stories = withWorkflowStories(decision.stories, { spec, roles, designPath })
  const hasDesign = stories.some(({ tasks }) => tasks.some(({ files }) => files.create.includes(designPath)))
  const design = hasDesign ? designPath : undefined
  if (known.plan === null) {
    const specFile = specPath(known.id)
    return planRecord(spec, stories, { ...options, id: known.id, others: setUp, design, specFile })
  }
  refuseEnded(known, compareSpecs(known.spec, spec))
  return changedRecord(known, { stories, setUp, options: { ...options, design } }, spec)
}

/** Everything that the user wrote into the plan stays: commands, gates, checks, and tasks of their own. */
function changedRecord(
  { document, spec: before }: PlanOfSpec,
  { stories, setUp, options }: Pick<SpecDecision, 'stories' | 'setUp'> & { readonly options: PlanOptions },
  spec: Spec,
): PlanRecord {
  const { value } = parseYamlText(document.text)
  if (!isMapping(value) || !Array.isArray(value['tasks']))
    throw new Error('the plan of a spec is not in YAML')
  const was = value['tasks'].flatMap(taskIn)
  const now = plannedTasks(spec, stories, { ...options, others: setUp })
  const settled = { unchanged: [...compareSpecs(before, spec).unchanged, ...setUpIds(was)] }
  const tasks = mergeTasks(was, now, settled)
  const constraints = constraintsOf(spec)
  const isSame = constraints.join('\n') === constraintsOf(before).join('\n')
  return {
    ...value,
    ...(isSame ? {} : { constraints }),
    title: spec.title,
    goal: spec.vision,
    spec: specText(spec),
    tasks,
  }
}

/** The set-up of the repository is done once. */
const setUpIds = (tasks: readonly WrittenTask[]): readonly string[] =>
  tasks.flatMap(({ requirements }) => requirements ?? []).filter((id) => id.startsWith('B-'))

/** A task of a plan that was valid when it was registered. */
function taskIn(record: unknown): WrittenTask[] {
  if (!isMapping(record)) return []
  const listed = ['depends_on', 'requirements'].flatMap((key) => {
    const list = record[key]
    return Array.isArray(list) ? [[key, list.map(String)] as const] : []
  })
  return [{ ...record, id: String(record['id']), ...Object.fromEntries(listed) } as WrittenTask]
}
