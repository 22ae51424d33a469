/** The summary of a finished release, in its fixed format. */
import { counted, firstFew, oneLine } from '../../../lib/text/counted.ts'
import { formatFailedBefore } from './unproven.ts'
import type { ManifestTask, ReleaseManifest } from './manifest-schema.ts'
import { breaksIn } from '../../gates/written-findings.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { inline } from '../review-artifact.ts'

export interface SummaryPlaces {
  readonly title: string
  readonly manifest: string
}

export function releaseSummary(manifest: ReleaseManifest, places: SummaryPlaces): string {
  const all = [...manifest.tasks, ...manifest.remediation]
  const commits = all.filter((task) => task.commit_sha !== null).length
  const open = manifest.risks.filter((risk) => risk.status === 'open').map((risk) => risk.description)
  return [
    `RELEASE SUMMARY — ${places.title}`,
    '',
    ...failedBeforeLine(manifest),
    ...exitCodeLine(manifest),
    tasksLine(manifest),
    ...nothingBuilt(manifest),
    ...existing(all),
    `Commits: ${commits} (see release manifest for full list)`,
    ...criteriaLine(manifest),
    ...requirementsLine(manifest),
    `Breaking changes: ${listed(manifest.breaking_changes, 'none')}`,
    `Open risks: ${listed(open, 'none — all mitigated/accepted')}`,
    ...peopleLines(manifest),
    `Migration: ${listed(manifest.migration_steps, 'none required')}`,
    'Rollback: see release manifest',
    `Recommended next: ${listed(manifest.recommended_next, 'nothing')}`,
    '',
    'Artifacts:',
    `  - Release manifest: ${places.manifest}`,
    ...reviewNotes(all),
  ].join('\n')
}

/** Of the tasks that were planned; one that was dropped is not completed. */
function tasksLine({ tasks, remediation, dropped }: ReleaseManifest): string {
  const beside = [
    ...(dropped.length === 0 ? [] : [`dropped: ${dropped.map(({ task_id: id }) => id).join(', ')}`]),
    ...(remediation.length === 0 ? [] : [`beside them: ${counted(remediation.length, 'remediation task')}`]),
  ]
  const rest = beside.length === 0 ? '' : ` (${beside.join('; ')})`
  return `Tasks: ${tasks.length}/${tasks.length + dropped.length} completed${rest}`
}

/** First, since such a release is not clean; absent where no test failed before. */
function failedBeforeLine({ tests_failed_before: failed }: ReleaseManifest): readonly string[] {
  const line = formatFailedBefore(failed?.tests ?? [])
  if (failed === undefined || line === null) return []
  return [failed.waved_through ? `Tests: ${line} (waved through)` : `Not clean: ${line}`]
}

/** Absent where the tests have names. */
function exitCodeLine({ exit_code_alone: runs }: ReleaseManifest): readonly string[] {
  const commands = [...new Set(runs.map(({ command }) => command))]
  return commands.length === 0
    ? []
    : [`Tests: judged by the exit code alone, without names (${firstFew(commands, SHOWN_COMMANDS)})`]
}

const SHOWN_COMMANDS = 3

/** Absent where no task has a commit. */
function reviewNotes(tasks: readonly ManifestTask[]): readonly string[] {
  const first = tasks.find((task) => task.review_artifact !== null)?.review_artifact
  if (first === undefined || first === null) return []
  return [`  - Review notes: ${first.slice(0, first.lastIndexOf('/'))}/<task>-review.md (per task)`]
}

function nothingBuilt({ nothing_built: released }: ReleaseManifest): readonly string[] {
  return released === undefined
    ? []
    : [`Built: nothing; released anyway by ${released.by} (${released.reason})`]
}

const SHOWN_CRITERIA = 5

/** Absent where every criterion is confirmed. */
function criteriaLine({ criteria }: ReleaseManifest): readonly string[] {
  if (criteria === undefined || criteria.unconfirmed.length === 0) return []
  const { total, passed, unconfirmed, accepted } = criteria
  const shown = unconfirmed
    .slice(0, SHOWN_CRITERIA)
    .map(({ task_id: task, criterion, why }) => `${task}: ${criterion} (${why})`)
  const more = unconfirmed.length > SHOWN_CRITERIA ? `; ${unconfirmed.length - SHOWN_CRITERIA} more` : ''
  const by = accepted === undefined ? '' : `; released without them by ${accepted.by} (${accepted.reason})`
  return [`Criteria: ${passed}/${total} confirmed; not confirmed: ${shown.join('; ')}${more}${by}`]
}

const SHOWN_REQUIREMENTS = 12

/** Absent where the plan traces none. */
function requirementsLine({ trace = [] }: ReleaseManifest): readonly string[] {
  const byRequirement = Map.groupBy(trace, ({ requirement }) => requirement)
  if (byRequirement.size === 0) return []
  const shown = [...byRequirement]
    .slice(0, SHOWN_REQUIREMENTS)
    .map(([id, rows]) => `${id} (${rows.map(({ task_id: task }) => task).join(', ')})`)
  const more =
    byRequirement.size > SHOWN_REQUIREMENTS ? `; ${byRequirement.size - SHOWN_REQUIREMENTS} more` : ''
  return [`Requirements: ${shown.join('; ')}${more}`]
}

/** Tasks that existed already and have no commit; absent where there are none. */
function existing(tasks: readonly ManifestTask[]): readonly string[] {
  const found = tasks.filter((task) => task.exists !== undefined).map((task) => task.task_id)
  return found.length === 0 ? [] : [`Existing: ${found.join(', ')} (existed already, not built)`]
}

/** What people overrode, accepted or mitigated, by name. */
function peopleLines({ overrides, risks }: ReleaseManifest): readonly string[] {
  const overridden = overrides.map(
    ({ gate, task, by, reason }) =>
      `${gate} of ${task === null ? 'the release' : task} by ${by} (${oneLine(reason)})`,
  )
  const settled = (wanted: string): readonly string[] =>
    risks
      .filter(({ status, accepted_by: by }) => status === wanted && by !== 'rules')
      .map(({ id, accepted_by: by, reason }) => `${id} by ${by ?? 'unknown'} (${oneLine(reason ?? '')})`)
  const [accepted, mitigated] = [settled('accepted'), settled('mitigated')]
  return [
    ...(overridden.length === 0 ? [] : [`Overrides: ${overridden.join('; ')}`]),
    ...(accepted.length === 0 ? [] : [`Accepted risks: ${accepted.join('; ')}`]),
    ...(mitigated.length === 0 ? [] : [`Mitigated risks: ${mitigated.join('; ')}`]),
  ]
}

const listed = (lines: readonly string[], none: string): string =>
  lines.length === 0 ? none : lines.join('; ')

/** The plan declares it breaking, or a person overrode the contract gate. */
export const isBreaking = ({ spec, overrides }: Pick<TaskState, 'spec' | 'overrides'>): boolean =>
  spec.breakingChange || overrides.some(({ what }) => what === 'contract')

/** Null without breaking changes. Common formatters leave the Markdown unchanged. */
export function releaseNotes(state: PlanState): string | null {
  const breaking = [...state.tasks.values()].filter((task) => !task.dropped && isBreaking(task))
  if (breaking.length === 0) return null
  const intro = `This release contains breaking changes. The manifest beside this file lists everything in it.`
  const blocks = [`# Release notes of ${inline(state.plan.title)}`, intro, ...breaking.flatMap(taskBlocks)]
  return `${blocks.join('\n\n')}\n`
}

function taskBlocks(task: TaskState): readonly string[] {
  const { spec, commit } = task
  const note =
    task.verdicts?.find(({ gate }) => gate === 'review_note')?.evidence.reviewNote ??
    task.draft?.report?.reviewNote ??
    null
  const broken = breaksIn(task.verdicts ?? []).map(
    ({ text, file }) => `- ${inline(text)}${file === null ? '' : ` (\`${inline(file)}\`)`}`,
  )
  const offered = spec.interfaces.map((text) => `- ${inline(text)}`)
  const by = task.overrides.filter(({ what }) => what === 'contract').map((one) => inline(one.by))
  return [
    `## ${inline(`${spec.id}: ${spec.title}`)}`,
    inline(note?.summary ?? spec.title),
    ...(broken.length === 0 ? [] : [`What breaks:`, broken.join('\n')]),
    ...(offered.length === 0 ? [] : [`What replaces it:`, offered.join('\n')]),
    ...(by.length === 0 ? [] : [`The plan did not declare it; approved by ${by.join(', ')}.`]),
    `Rollback: ${inline(note?.rollback ?? '') || 'revert the commit.'}`,
    ...(commit === null ? [] : [`Commit \`${commit.sha}\`.`]),
  ]
}
