/**
 * A new or edited spec of a plan that exists. The change is a plan edit: it is shown as a difference first, and nothing
 * changes until it is accepted.
 */
import { createHash } from 'node:crypto'
import { comparePlans, type PlanChanges } from '../../core/planning/compare-plans.ts'
import { isMapping } from '../../core/planning/readers/located.ts'
import type { ArchitectRequest } from '../../core/spec/architect-messages.ts'
import { compareSpecs, isSpecChanged, type SpecChanges } from '../../core/spec/compare-specs.ts'
import { mergeTasks, type TracedTask } from '../../core/spec/merge-tasks.ts'
import { planIdOfSpec, plannedTasks, planText, taskRecord } from '../../core/spec/plan-of-stories.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import type { Spec } from '../../core/spec/spec.ts'
import { specText } from '../../core/spec/write-spec.ts'
import { parseYamlText, yamlOf } from '../../lib/files/yaml-text.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { ThinkCall } from '../../ports/brain.ts'
import type { Host } from '../host/host.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { readDocument, type PlanDocument } from '../host/plan-place.ts'
import { streamOf } from '../host/stream-name.ts'
import { planFromText, readPlanFile } from '../plans/read-plan.ts'
import { registerPlan, type PlanRegistration, type RegisteredPlan } from '../plans/register-plan.ts'
import { reviewSpec, type ArchitectParts, type SpecDecision } from './review-spec.ts'

/** What is asked of the host. */
export type PlanFinder = Pick<Host, 'plan'> & { readonly parts: Pick<Host['parts'], 'log'> }

/** The plan that was made from a spec of this title. */
export interface PlanOfSpec {
  readonly plan: HostedPlan
  readonly document: PlanDocument
  readonly spec: Spec
}

/** Null where there is none. Refuses a plan of that id that was made otherwise. */
export async function planOfSpec(
  host: PlanFinder,
  repository: string,
  spec: Pick<Spec, 'title'>,
): Promise<PlanOfSpec | null> {
  const id = planIdOfSpec(spec)
  const plan = await host.plan(streamOf(repository, id))
  if (plan === null) return null
  const document = await readDocument(host.parts.log, plan.home.stream, plan.state.documentedAt)
  const written =
    document === null
      ? undefined
      : (await planFromText(plan.state.plan.source, document.text, document.settings)).spec
  const before = written === undefined ? null : readSpec(written).spec
  if (document === null || before === null) {
    throw new Refusal({
      code: 'conflict',
      message: `plan ${id} exists and was not made from a spec`,
      remedy: 'Give the spec another title (# Feature: …), or edit the plan itself.',
    })
  }
  return { plan, document, spec: before }
}

/** A plan that has ended stays as it is; the same spec again is no change. */
function refuseEnded({ plan }: PlanOfSpec, changes: SpecChanges): void {
  const { cancelled, release } = plan.state
  const isReleased = release.step === 'prepared' || release.step === 'signed'
  if ((cancelled === null && !isReleased) || !isSpecChanged(changes)) return
  throw new Refusal({
    code: 'conflict',
    message: `plan ${plan.id} ${cancelled === null ? 'is released' : 'was cancelled'} and cannot be changed`,
    remedy: 'Give the spec another title (# Feature: …): it becomes a plan of its own.',
  })
}

/** What a spec changes in its plan, before anything is thought about it. */
export interface SpecDifference {
  readonly plan: string
  readonly requirements: SpecChanges
  /** Tasks that are replaced or removed, with the requirement that changed. */
  readonly tasks: readonly { readonly id: string; readonly requirements: readonly string[] }[]
}

/** Null where no plan was made from this spec, and where the spec is invalid. */
export async function describeSpecChange(
  host: PlanFinder,
  { repository, markdown }: { readonly repository: string; readonly markdown: string },
): Promise<SpecDifference | null> {
  const { spec } = readSpec(markdown)
  const known = spec === null ? null : await planOfSpec(host, repository, spec)
  if (spec === null || known === null) return null
  const requirements = compareSpecs(known.spec, spec)
  refuseEnded(known, requirements)
  const touched = new Set([...requirements.changed.map(({ id }) => id), ...requirements.removed])
  const tasks = [...known.plan.state.tasks.values()].flatMap(({ spec: task, dropped }) => {
    const of = (task.requirements ?? []).filter((id) => touched.has(id))
    return dropped || of.length === 0 ? [] : [{ id: task.id, requirements: of }]
  })
  return { plan: known.plan.id, requirements, tasks }
}

/** The text of the plan that an approved spec becomes; for a plan that exists, its text with what changed. */
export async function planTextFor(
  host: PlanFinder,
  repository: string,
  decision: Pick<SpecDecision, 'spec' | 'stories' | 'setUp'> & { readonly architecture?: string | null },
): Promise<string> {
  const { spec, stories, setUp, architecture } = decision
  if (spec === null) throw new Error('a spec that was approved could not be read')
  const known = await planOfSpec(host, repository, spec)
  if (known !== null) refuseEnded(known, compareSpecs(known.spec, spec))
  return known === null
    ? planText(spec, stories, { others: setUp, architecture })
    : changedText(known, decision, spec)
}

interface RawTask extends TracedTask {
  readonly record: Readonly<Record<string, unknown>>
}

/** Everything that the user wrote into the plan stays: commands, gates, checks, and tasks of their own. */
function changedText(
  { document, spec: before }: PlanOfSpec,
  { stories, setUp }: Pick<SpecDecision, 'stories' | 'setUp'>,
  spec: Spec,
): string {
  const { value } = parseYamlText(document.text)
  if (!isMapping(value) || !Array.isArray(value['tasks']))
    throw new Error('the plan of a spec is not in YAML')
  const was = value['tasks'].flatMap(rawTask)
  const now = plannedTasks(spec, stories, { others: setUp }).map((task) => ({
    ...task,
    record: taskRecord(task),
  }))
  const settled = { unchanged: [...compareSpecs(before, spec).unchanged, ...setUpIds(was)] }
  const tasks = mergeTasks<RawTask>(was, now, settled).map(({ id, dependsOn, record }) => ({
    ...record,
    id,
    depends_on: dependsOn,
  }))
  return yamlOf({ ...value, title: spec.title, goal: spec.vision, spec: specText(spec), tasks })
}

/** The set-up of the repository is done once. */
const setUpIds = (tasks: readonly RawTask[]): readonly string[] =>
  tasks.flatMap(({ requirements }) => requirements.filter((id) => id.startsWith('B-')))

function rawTask(record: unknown): RawTask[] {
  if (!isMapping(record)) return []
  const texts = (key: string): string[] => {
    const list = record[key]
    return Array.isArray(list) ? list.map(String) : []
  }
  const text = (key: string): string | null => {
    const found = record[key]
    return typeof found === 'string' ? found : null
  }
  return [
    {
      id: String(record['id']),
      dependsOn: texts('depends_on'),
      requirements: texts('requirements'),
      story: text('story'),
      role: text('role') ?? 'developer',
      record,
    },
  ]
}

export type SpecChangePreview =
  /** No plan was made from a spec of this title. */
  | { readonly kind: 'new' }
  /** The spec says what the plan's spec says. */
  | { readonly kind: 'same'; readonly plan: string }
  /** The spec is invalid, or the architect asks for changes. */
  | { readonly kind: 'needs_changes'; readonly feedback: string }
  | SpecChange

export interface SpecChange {
  readonly kind: 'change'
  readonly plan: string
  readonly requirements: SpecChanges
  readonly tasks: PlanChanges
  /** The plan's text before, by its hash: a plan that changed meanwhile is not overwritten. */
  readonly base: string
  readonly text: string
}

/** Shows what a spec would change. Nothing is written. */
export async function previewSpecChange(
  host: PlanFinder,
  asked: {
    readonly repository: string
    readonly request: ArchitectRequest
    readonly architect: ArchitectParts
    readonly call: ThinkCall
  },
): Promise<SpecChangePreview> {
  const { repository, request, architect, call } = asked
  const { spec } = readSpec(request.content)
  const known = spec === null ? null : await planOfSpec(host, repository, spec)
  if (spec !== null && known === null) return { kind: 'new' }
  if (spec !== null && known !== null && !isSpecChanged(compareSpecs(known.spec, spec)))
    return { kind: 'same', plan: known.plan.id }
  const decision = await reviewSpec(architect, request, call)
  if (decision.spec === null || known === null || decision.result.status === 'needs_changes')
    return { kind: 'needs_changes', feedback: decision.result.feedback }
  const text = changedText(known, decision, decision.spec)
  const { source } = known.plan.state.plan
  const [before, after] = await Promise.all([
    planFromText(source, known.document.text, known.document.settings),
    planFromText(source, text, known.document.settings),
  ])
  return {
    kind: 'change',
    plan: known.plan.id,
    requirements: compareSpecs(known.spec, decision.spec),
    tasks: comparePlans(before.tasks, after.tasks),
    base: sha256(known.document.text),
    text,
  }
}

/** Makes the change that was shown. Refuses where the plan has changed since. */
export async function acceptSpecChange(
  host: Host,
  change: SpecChange,
  asked: Omit<PlanRegistration, 'reading'> & {
    readonly repositoryId: string
    readonly env: Readonly<Record<string, string | undefined>>
  },
): Promise<RegisteredPlan> {
  const { repositoryId, env, ...request } = asked
  const plan = await host.plan(streamOf(repositoryId, change.plan))
  if (plan === null || plan.home.sha256 !== change.base) {
    throw new Refusal({
      code: 'conflict',
      message: `plan ${change.plan} has changed since the difference was shown`,
      remedy: 'Look at the difference again, then accept it.',
    })
  }
  const reading = await readPlanFile({
    path: plan.state.plan.source,
    text: change.text,
    cwd: request.repository ?? '.',
    env,
    repository: request.repository,
    settings: request.settings,
    readInput: () => Promise.resolve(new Uint8Array()),
  })
  return registerPlan(host, { reading, ...request })
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
