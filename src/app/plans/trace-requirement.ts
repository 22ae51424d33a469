/** Requirements of a plan with their stories, tasks, tests and commits. */
import { traceOf, type TraceRow } from '../../core/delivery/progress-report.ts'
import { readSpec } from '../../core/spec/read-spec.ts'
import { type Refusal, refusal } from '../../lib/refusal.ts'
import { closest } from '../../lib/text/closest.ts'
import type { TraceAnswer } from '../../protocol/plan-views.ts'
import { readDocument } from '../host/plan-place.ts'
import type { HostToRead } from '../host/host-to-read.ts'
import type { HostedPlan } from '../host/hosted-plan.ts'
import { nearest } from '../host/stream-name.ts'
import { draftFromText } from './read-plan.ts'

export interface TraceAsked {
  /** All of the plan's, if not given. */
  readonly requirement?: string | undefined
  /** If not given, the one plan that has such a requirement. */
  readonly plan?: string | undefined
  /** The id of the caller's repository, to decide between plans. */
  readonly repository?: string | undefined
}

export async function traceRequirement(host: HostToRead, asked: TraceAsked): Promise<TraceAnswer> {
  const wanted = asked.requirement?.toUpperCase()
  const plan = await planOf(host, { ...asked, requirement: wanted })
  // Read now, since the state moves on while the log is read.
  const rows = traceOf(plan.state)
  const titles = await requirementTitles(host, plan)
  const known = [...new Set([...titles.keys(), ...rows.map(({ requirement }) => requirement)])]
  if (wanted !== undefined && !known.includes(wanted)) throw unknownRequirement(wanted, plan.id, known)
  const shown = wanted === undefined ? known : [wanted]
  return {
    plan: plan.id,
    repo: plan.home.repository.path,
    requirements: shown.map((id) => ({
      id,
      title: titles.get(id) ?? null,
      tasks: rows.filter(({ requirement }) => requirement === id).map(tracedTask),
    })),
  }
}

function tracedTask({ story, task, title, status, tests, testsPass, criteria, commit }: TraceRow) {
  return {
    id: task,
    story,
    title,
    status,
    tests: [...tests],
    tests_pass: testsPass,
    criteria_total: criteria.total,
    criteria_confirmed: criteria.confirmed,
    commit_sha: commit,
  }
}

/** From the spec in the plan's text, in its order; empty for a plan without one. */
async function requirementTitles(host: HostToRead, plan: HostedPlan): Promise<ReadonlyMap<string, string>> {
  const document = await readDocument(host.parts.log, plan.home.stream, plan.state.documentedAt)
  if (document === null) return new Map()
  const { spec } = draftFromText(plan.state.plan.source, document.text)
  const read = spec === undefined ? null : readSpec(spec).spec
  return new Map(read?.requirements.map(({ id, title }) => [id, title]))
}

async function planOf(
  host: HostToRead,
  { requirement, plan: named, repository }: TraceAsked,
): Promise<HostedPlan> {
  if (named !== undefined) return host.find(named, repository)
  const fromSpec = host.plans().filter((one) => requirementsOf(one).length > 0)
  // Every spec has an R-001: another repository's counts only where this one has no plan of a spec.
  const among = nearest(fromSpec, repository)
  const known = among.filter((one) => requirement === undefined || requirementsOf(one).includes(requirement))
  // What was cancelled is asked about by its name, or where there is nothing else.
  const live = known.filter(({ state }) => state.cancelled === null)
  const found = live.length > 0 ? live : known
  const [plan, other] = found
  if (plan === undefined) {
    const [only, ...others] = among
    const isNear = only?.home.repository.id === repository
    if (requirement !== undefined && only !== undefined && isNear && others.length === 0)
      throw unknownRequirement(requirement, only.id, [...new Set(requirementsOf(only))])
    throw refusal(
      'not_found',
      requirement === undefined ? 'no plan traces requirements' : `no plan traces requirement ${requirement}`,
      'Plans made from a spec trace its requirements; name the plan with --plan, or list plans: bosun status',
    )
  }
  if (other === undefined) return plan
  throw refusal(
    'conflict',
    `${found.length} plans trace ${requirement ?? 'requirements'}: ${found.map(({ id }) => id).join(', ')}`,
    `Name the plan: bosun trace ${requirement ?? ''} --plan ${plan.id}`.replace(/ {2}/, ' '),
  )
}

const requirementsOf = ({ state }: HostedPlan): readonly string[] =>
  [...state.tasks.values()].flatMap(({ spec }) => spec.requirements ?? [])

function unknownRequirement(id: string, plan: string, known: readonly string[]): Refusal {
  const near = closest(id, known)
  const listed = known.length === 0 ? 'It traces none.' : `It has ${known.slice(0, 12).join(', ')}.`
  return refusal(
    'not_found',
    `plan ${plan} has no requirement ${id}`,
    near === null ? listed : `Did you mean ${near}?`,
  )
}
