/** Builds the release manifest from a plan's state. */
import type { Verdict } from '../../event-schemas/schemas.ts'
import { migrationsAmong } from '../../languages/migrations.ts'
import { completenessOf, exitCodeAlone, notApplicable, failedBefore } from './unproven.ts'
import { isBreaking } from './release-summary.ts'
import {
  AS_AT_START,
  type ManifestMilestone,
  type ManifestTask,
  type ReleaseManifest,
} from './manifest-schema.ts'
import { specPath } from '../../planning/ids.ts'
import { traceOf } from '../progress-report.ts'
import type { Spent } from '../../state/spending.ts'
import { counted } from '../../../lib/text/counted.ts'
import { usageRecord } from '../../state/usage-record.ts'
import type { Commit, LayerState, PlanState, Review, TaskState } from '../../state/state.ts'
import { iso } from '../../../lib/text/format-time.ts'

export function releaseManifest(state: PlanState): ReleaseManifest {
  const tasks = [...state.tasks.values()].filter((task) => !task.dropped)
  const isExtra = (task: TaskState): boolean => /^(remediation|diagnose)-/.test(task.spec.id)
  const { nothingBuilt } = state.release
  const { id, specFile } = state.plan
  const verdicts = state.release.verdicts ?? []
  const counts = verdicts.flatMap((verdict) => verdict.evidence.runs).flatMap((run) => run.counts ?? [])
  return {
    plan_id: state.plan.id,
    plan_doc: state.plan.source,
    design_doc: state.plan.design,
    ...(specFile === null || specFile === specPath(id) ? {} : { spec_file: specFile }),
    completed_at: iso(state.release.gatedAt ?? state.at),
    tasks: tasks.filter((task) => !isExtra(task)).map(manifestTask),
    remediation: tasks.filter(isExtra).map(manifestTask),
    dropped: droppedTasks(state).map(({ spec }) => ({ task_id: spec.id, title: spec.title })),
    superseded: tasks.flatMap((task) => task.earlier.map((commit) => entryOf(task, commit, commit.review))),
    tests_run: counts.reduce((sum, { run }) => sum + run, 0),
    tests_passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    lint_clean: cleanOf(verdicts, 'lint'),
    typecheck_clean: cleanOf(verdicts, 'typecheck'),
    build_clean: cleanOf(verdicts, 'build'),
    ...checksAtStart(state),
    ...testsFailedBefore(state),
    risks: [...state.risks.values()].map((risk) => ({
      id: risk.id,
      status: risk.status,
      description: risk.description,
      accepted_by: risk.acceptedBy,
      accepted_at: risk.acceptedAt === null ? null : iso(risk.acceptedAt),
      reason: risk.reason,
    })),
    breaking_changes: tasks.filter(isBreaking).map(({ spec }) => `${spec.id}: ${spec.title}`),
    migration_steps: migrations(tasks),
    rollback_plan: rollbackPlan(tasks),
    recommended_next: recommendedNext(state, tasks),
    evidence: verdicts.flatMap(evidenceOf),
    not_applicable: notApplicable(state, tasks),
    exit_code_alone: exitCodeAlone(state, tasks),
    milestones: [...state.layers].flatMap(([name, layer]) => milestonesOf(name, layer)),
    criteria: criteriaOf(state),
    ...(nothingBuilt === null ? {} : { nothing_built: { ...nothingBuilt, at: iso(nothingBuilt.at) } }),
    ...usageIn(state.spending.total),
    ...traceIn(state),
    overrides: overridesOf(state, tasks),
  }
}

/** None where nothing is known of it. */
const usageIn = (spent: Spent): Pick<ReleaseManifest, 'usage'> =>
  spent.tokens === 0 && spent.usd === 0 ? {} : { usage: usageRecord(spent) }

function traceIn(state: PlanState): Pick<ReleaseManifest, 'trace'> {
  const rows = traceOf(state)
  if (rows.length === 0) return {}
  return {
    trace: rows.map(({ requirement, story, task, tests, commit }) => {
      return { requirement, story, task_id: task, tests: [...tests], commit_sha: commit }
    }),
  }
}

function criteriaOf(state: PlanState): ReleaseManifest['criteria'] {
  const { total, passed, open } = completenessOf(state)
  const { unmapped } = state.release
  const unconfirmed = open.map(({ task, ...criterion }) => ({ task_id: task, ...criterion }))
  const accepted = unmapped === null ? {} : { accepted: { ...unmapped, at: iso(unmapped.at) } }
  return { total, passed, unconfirmed, ...accepted }
}

function manifestTask(task: TaskState): ManifestTask {
  const { commit, audit } = task
  return {
    ...entryOf(task, commit, commit === null ? null : task.review),
    breaking_change: isBreaking(task),
    // A task that existed already may have been redone since, after an edit of the plan.
    ...(commit === null && audit?.status === 'EXISTS' ? { exists: audit.evidence } : {}),
    ...usageIn(task.spent),
  }
}

/** A task with its commit, or with an earlier one of a task that was redone. */
function entryOf({ spec, tier }: TaskState, commit: Commit | null, review: Review | null): ManifestTask {
  const entry = {
    task_id: spec.id,
    title: spec.title,
    commit_sha: commit?.sha ?? null,
    review_artifact: commit?.artifacts[0] ?? null,
    tier,
    breaking_change: spec.breakingChange,
  }
  if (review === null) return entry
  const { by, agent, round, verdict } = review
  return { ...entry, review: { by, agent, round, verdict } }
}

function checksAtStart({ checkChoices }: PlanState): Pick<ReleaseManifest, 'checks_at_start'> {
  if (checkChoices.length === 0) return {}
  return {
    checks_at_start: checkChoices.map(({ check, choice, command, why, by, at }) => {
      return { check, choice, command, why, by, at: iso(at) }
    }),
  }
}

function testsFailedBefore(state: PlanState): Pick<ReleaseManifest, 'tests_failed_before'> {
  const tests = failedBefore(state)
  const waved_through = state.settings.wavesThroughOldFailures === true
  return tests.length === 0 ? {} : { tests_failed_before: { tests: [...tests], waved_through } }
}

/** A check that passed with the findings of the start commit is not clean. */
const isClean = (verdict: Verdict): boolean =>
  verdict.outcome === 'passed' &&
  verdict.evidence.runs.every(({ ending }) => ending.kind === 'exited' && ending.code === 0)

function cleanOf(verdicts: readonly Verdict[], gate: Verdict['gate']): boolean | null {
  const verdict = verdicts.find((one) => one.gate === gate)
  if (verdict === undefined || verdict.outcome === 'not_applicable') return null
  return isClean(verdict)
}

function migrations(tasks: readonly TaskState[]): string[] {
  return tasks.flatMap(({ spec, draft, doneBefore }) => {
    // Work that landed before an edit is part of the release, even where it was redone.
    const changed = new Set([...(doneBefore?.files ?? []), ...(draft?.changed ?? [])])
    const migrations = migrationsAmong([...changed], draft?.scan?.notMigrations)
    return migrations.map((path) => `apply ${path} (task ${spec.id})`)
  })
}

/** Commits to revert per area, the last landed first. */
function rollbackPlan(tasks: readonly TaskState[]): string {
  const byArea = new Map<string, string[]>()
  for (const task of tasks.toReversed()) {
    const commits = [...(task.commit === null ? [] : [task.commit]), ...task.earlier.toReversed()]
    if (commits.length === 0) continue
    const shas = byArea.get(task.area) ?? []
    byArea.set(task.area, [...shas, ...commits.map(({ sha }) => sha.slice(0, 12))])
  }
  if (byArea.size === 0) return 'Nothing was committed.'
  return [...byArea].map(([area, shas]) => `${area}: git revert ${shas.join(' ')}`).join('\n')
}

/** A task that was split is not among them: its parts are. */
const droppedTasks = (state: PlanState): readonly TaskState[] =>
  [...state.tasks.values()].filter((task) => task.dropped && task.splitInto === null)

function recommendedNext(state: PlanState, tasks: readonly TaskState[]): string[] {
  const dropped = droppedTasks(state).map((task) => task.spec.id)
  const overridden = tasks.filter((task) => task.overrides.length > 0).map((task) => task.spec.id)
  const failing = state.settings.wavesThroughOldFailures === true ? [] : failedBefore(state)
  return [
    'review the branch and merge it',
    ...(failing.length === 0 ? [] : [`mend ${counted(failing.length, 'test')} that failed before this plan`]),
    ...(dropped.length === 0 ? [] : [`decide what to do with the dropped ${tasksNamed(dropped)}`]),
    ...(overridden.length === 0 ? [] : [`check the overridden ${tasksNamed(overridden)}`]),
  ]
}

const tasksNamed = (ids: readonly string[]): string =>
  `${ids.length === 1 ? 'task' : 'tasks'} ${ids.join(', ')}`

function evidenceOf(verdict: Verdict): ReleaseManifest['evidence'] {
  return verdict.evidence.runs.map((run) => ({
    claim: claimOf(verdict),
    command: run.command,
    exit_code: run.ending.kind === 'exited' ? run.ending.code : null,
    tree: run.tree,
    output_sha256: run.outputSha256,
  }))
}

/** Lint, types and build pass with another exit code only where a person accepted their start findings. */
function claimOf(verdict: Verdict): string {
  const isRed = PLAIN.includes(verdict.gate) && verdict.outcome === 'passed' && !isClean(verdict)
  return `${verdict.gate} ${isRed ? AS_AT_START : verdict.outcome}`
}

const PLAIN: readonly string[] = ['lint', 'typecheck', 'build']

function milestonesOf(name: string, layer: LayerState): ManifestMilestone[] {
  return layer.tests.flatMap((test) => {
    const result = layer.results.find(({ id }) => id === test.id)
    if (result === undefined) return []
    const { run, values } = result
    return [
      {
        layer: name,
        test: test.id,
        command: test.command,
        outcome: result.outcome,
        exit_code: run?.ending.kind === 'exited' ? run.ending.code : null,
        tree: layer.tree,
        output_sha256: run?.outputSha256 ?? null,
        values: Object.entries(test.reference).map(([value, { value: reference, abs, rel }]) => ({
          name: value,
          value: values[value] ?? null,
          reference,
          abs: abs ?? null,
          rel: rel ?? null,
        })),
      },
    ]
  })
}

function overridesOf(state: PlanState, tasks: readonly TaskState[]): ReleaseManifest['overrides'] {
  const ofTasks = tasks.flatMap((task) =>
    task.overrides.map((override) => ({ task: task.spec.id, ...override })),
  )
  const ofRelease = state.release.overrides.map((override) => ({ task: null, ...override }))
  return [...ofTasks, ...ofRelease].map(({ what, task, by, at, reason, via }) => {
    return { gate: what, task, by, at: iso(at), reason, ...(via === undefined ? {} : { via }) }
  })
}
