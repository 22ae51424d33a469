/** What a release shows to hold, what it does not show, and what a person accepted without a proof. */
import type { Verdict } from '../../event-schemas/schemas.ts'
import type { PlanState } from '../../state/state.ts'
import { formatFailedBefore } from './unproven.ts'
import { tasksOf, type ManifestMilestone, type ReleaseManifest } from './manifest-schema.ts'

export interface Claim {
  readonly kind: 'task' | 'criterion' | 'gate' | 'tests' | 'milestone' | 'risk'
  readonly what: string
  /** What shows it, or why nothing does. */
  readonly why: string
  /** Empty: the release as a whole. */
  readonly tasks: readonly string[]
  readonly command: string | null
  readonly exit_code: number | null
  readonly output_sha256: string | null
}

export interface Waiver {
  readonly what: string
  readonly tasks: readonly string[]
  readonly by: string
  readonly at: string | null
  readonly reason: string
}

export interface Proof extends Pick<
  ReleaseManifest,
  'breaking_changes' | 'migration_steps' | 'rollback_plan' | 'recommended_next'
> {
  readonly unproven: readonly Claim[]
  readonly proven: readonly Claim[]
  readonly waived: readonly Waiver[]
}

const NO_RUN = { command: null, exit_code: null, output_sha256: null }

/** The people who approved the work that landed, by task. */
export type Approvers = ReadonlyMap<string, string>

export const approversOf = ({ tasks }: Pick<PlanState, 'tasks'>): Approvers =>
  new Map(
    [...tasks.values()].flatMap(({ spec, confirmedBy, attempt }) =>
      confirmedBy?.attempt === attempt ? [[spec.id, confirmedBy.by] as const] : [],
    ),
  )

/** `verdicts` are those of the release as a whole. */
export function proofOf(
  manifest: ReleaseManifest,
  verdicts: readonly Verdict[],
  approvers: Approvers = new Map(),
): Proof {
  const { breaking_changes, migration_steps, rollback_plan, recommended_next } = manifest
  return {
    unproven: [
      ...unfinishedTasks(manifest),
      ...unconfirmedCriteria(manifest),
      ...verdicts.filter(isUnproven).map(gateClaim),
      ...manifest.milestones.filter(({ outcome }) => outcome !== 'passed').map(milestoneClaim),
      ...byExitCode(manifest),
      ...notApplied(manifest),
      ...openRisks(manifest),
      ...failingBefore(manifest),
    ],
    proven: [
      ...verdicts.filter(({ outcome }) => outcome === 'passed').map(gateClaim),
      ...confirmedCriteria(manifest),
      ...manifest.milestones.filter(({ outcome }) => outcome === 'passed').map(milestoneClaim),
      ...committedTasks(manifest, approvers),
    ],
    waived: waivers(manifest),
    breaking_changes,
    migration_steps,
    rollback_plan,
    recommended_next,
  }
}

const isUnproven = ({ outcome }: Verdict): boolean => outcome === 'failed' || outcome === 'inconclusive'

function gateClaim({ gate, outcome, summary, evidence }: Verdict): Claim {
  const run = evidence.runs.findLast(({ on }) => on === 'tree') ?? null
  const why = outcome === 'inconclusive' ? `Could not check: ${summary}` : summary
  return {
    kind: 'gate',
    what: gate,
    why,
    tasks: [],
    command: run?.command ?? null,
    exit_code: run?.ending.kind === 'exited' ? run.ending.code : null,
    output_sha256: run?.outputSha256 ?? null,
  }
}

const milestoneClaim = ({ layer, test, outcome, ...run }: ManifestMilestone): Claim => ({
  kind: 'milestone',
  what: `${layer}: ${test}`,
  why: outcome === 'passed' ? 'passed when the layer was done' : outcome,
  tasks: [],
  command: run.command,
  exit_code: run.exit_code,
  output_sha256: run.output_sha256,
})

function unfinishedTasks(manifest: ReleaseManifest): Claim[] {
  return tasksOf(manifest)
    .filter(({ commit_sha, exists }) => commit_sha === null && exists === undefined)
    .map(({ task_id, title }) => ({
      kind: 'task',
      what: title,
      why: 'not committed yet',
      tasks: [task_id],
      ...NO_RUN,
    }))
}

function committedTasks(manifest: ReleaseManifest, approvers: Approvers): Claim[] {
  return tasksOf(manifest).flatMap(({ task_id, title, commit_sha, exists, review }) => {
    if (commit_sha === null && exists === undefined) return []
    const by = [...new Set([review?.by, approvers.get(task_id)])].filter((name) => name !== undefined)
    const verdict = review?.verdict.replace('_', ' ') ?? 'approved'
    const reviewed = by.length === 0 ? 'committed' : `${verdict} by ${by.join(' and ')}`
    const why = commit_sha === null ? `existed already: ${exists ?? ''}` : reviewed
    return [{ kind: 'task', what: title, why, tasks: [task_id], ...NO_RUN }]
  })
}

function unconfirmedCriteria({ criteria }: ReleaseManifest): Claim[] {
  return (criteria?.unconfirmed ?? []).map(({ task_id, criterion, place, why }) => ({
    kind: 'criterion',
    what: criterion,
    why: place === null ? why : `${why} (${place})`,
    tasks: [task_id],
    ...NO_RUN,
  }))
}

/** Their number is known once every task is committed. */
function confirmedCriteria(manifest: ReleaseManifest): Claim[] {
  const { criteria } = manifest
  if (criteria === undefined || criteria.passed === 0 || unfinishedTasks(manifest).length > 0) return []
  const what = `${criteria.passed} of ${criteria.total} acceptance criteria`
  return [{ kind: 'criterion', what, why: 'each confirmed at a place in the code', tasks: [], ...NO_RUN }]
}

function byExitCode(manifest: ReleaseManifest): Claim[] {
  return manifest.exit_code_alone.map(({ gate, command, tasks }) => ({
    kind: 'tests',
    what: gate,
    why: 'judged by the exit code alone: the tests have no named results',
    tasks: tasksNamed(tasks, manifest),
    ...NO_RUN,
    command,
  }))
}

function notApplied(manifest: ReleaseManifest): Claim[] {
  return manifest.not_applicable.map(({ gate, why, tasks }) => {
    const named = tasksNamed(tasks, manifest)
    return { kind: 'gate', what: gate, why: `did not apply: ${why}`, tasks: named, ...NO_RUN }
  })
}

const tasksNamed = (tasks: 'all' | readonly string[], manifest: ReleaseManifest): readonly string[] =>
  tasks === 'all'
    ? tasksOf(manifest).flatMap(({ task_id: id, commit_sha: sha }) => (sha === null ? [] : [id]))
    : tasks

function openRisks({ risks }: ReleaseManifest): Claim[] {
  return risks
    .filter(({ status }) => status === 'open')
    .map(({ id, description }) => ({
      kind: 'risk',
      what: description,
      why: `risk ${id} is open`,
      tasks: [],
      ...NO_RUN,
    }))
}

function failingBefore({ tests_failed_before: failed }: ReleaseManifest): Claim[] {
  const why = formatFailedBefore(failed?.tests ?? [])
  if (why === null || failed?.waved_through === true) return []
  return [{ kind: 'tests', what: 'every test passes', why, tasks: [], ...NO_RUN }]
}

function waivers(manifest: ReleaseManifest): Waiver[] {
  const { tests_failed_before: failed } = manifest
  const failing = failed?.waved_through === true ? formatFailedBefore(failed.tests) : null
  const { criteria, nothing_built: nothing, checks_at_start: checks = [], risks, overrides } = manifest
  return [
    ...overrides.map(({ gate, task, by, at, reason }) => {
      return { what: gate, tasks: task === null ? [] : [task], by, at, reason }
    }),
    ...checks.map(({ check, choice, why, by, at }) => {
      const what = `${check}: ${choice === 'left_out' ? 'left out' : 'judged against its start findings'}`
      return { what, tasks: [], by, at, reason: why }
    }),
    ...(failing === null
      ? []
      : [
          {
            what: 'every test passes',
            tasks: [],
            by: 'review.require_tests_pass',
            at: null,
            reason: failing,
          },
        ]),
    ...(criteria?.accepted === undefined
      ? []
      : [{ what: 'criteria without a place in the code', tasks: [], ...criteria.accepted }]),
    ...(nothing === undefined ? [] : [{ what: 'a release without commits', tasks: [], ...nothing }]),
    ...risks
      .filter(({ status }) => status === 'accepted')
      .map(({ description, accepted_by: by, accepted_at: at, reason }) => {
        return { what: description, tasks: [], by: by ?? 'unknown', at, reason: reason ?? '' }
      }),
  ]
}
