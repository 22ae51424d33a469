/** Checks that a manifest is consistent with itself. */
import { counted } from '../../../lib/text/counted.ts'
import { check, type Faults, type ReleaseCheck } from './release-check.ts'
import { isWithin } from '../../gates/judge-commands.ts'
import {
  AS_AT_START,
  landedIn,
  tasksOf,
  type ReleaseManifest,
  type ManifestMilestone,
} from './manifest-schema.ts'

export function manifestChecks(manifest: ReleaseManifest): readonly ReleaseCheck[] {
  return [
    risksCheck(manifest),
    overridesCheck(manifest),
    countsCheck(manifest),
    claimsCheck(manifest),
    milestonesCheck(manifest),
    ...traceChecks(manifest),
    rollbackCheck(manifest),
  ]
}

function risksCheck({ risks }: ReleaseManifest): ReleaseCheck {
  const open = risks.find(({ status }) => status !== 'mitigated' && status !== 'accepted')
  const accepted = risks.filter(({ status }) => status === 'accepted')
  const unnamed = accepted.find((risk) => risk.accepted_by === null || risk.accepted_by.trim() === '')
  const why = accepted.find((risk) => (risk.reason ?? '').trim() === '' || risk.accepted_at === null)
  const faults = [
    open && `${open.id} is ${open.status}`,
    unnamed && `${unnamed.id} was accepted without a name`,
    why && `${why.id} was accepted without a reason or a time`,
  ]
  return check('risks', faults, risks.length === 0 ? 'no risks' : 'every risk is mitigated or accepted')
}

/** Every override has a name and a reason. */
function overridesCheck({ overrides }: ReleaseManifest): ReleaseCheck {
  const bare = overrides.find(({ by, reason }) => by.trim() === '' || reason.trim() === '')
  const people = [...new Set(overrides.map(({ by }) => by))].join(', ')
  const right =
    overrides.length === 0 ? 'no overrides' : `${counted(overrides.length, 'override')}, by ${people}`
  return check('overrides', [bare && `${bare.gate} was overridden without a name or a reason`], right)
}

function countsCheck(manifest: ReleaseManifest): ReleaseCheck {
  const { tests_run: run, tests_passed: passed } = manifest
  const ids = tasksOf(manifest).map((task) => task.task_id)
  const shas = landedIn(manifest).flatMap((task) => task.commit_sha ?? [])
  const faults = [
    passed > run && `${passed} tests passed, but only ${run} ran`,
    run > 0 && manifest.evidence.length === 0 && `${run} tests ran, but the evidence names no command`,
    new Set(ids).size !== ids.length && 'a task is listed twice',
    new Set(shas).size !== shas.length && 'two tasks claim the same commit',
    ...breakingFaults(manifest),
  ]
  return check('counts', faults, `${passed} of ${run} tests passed, ${ids.length} tasks`)
}

/** The trace names tasks of this release, each with the commit that the release has of it. Older manifests have none. */
function traceChecks(manifest: ReleaseManifest): readonly ReleaseCheck[] {
  const { trace } = manifest
  if (trace === undefined) return []
  const tasks = new Map(tasksOf(manifest).map((task) => [task.task_id, task]))
  const unknown = trace.find(({ task_id: id }) => !tasks.has(id))
  const other = trace.find(
    ({ task_id: id, commit_sha: commit }) => tasks.has(id) && tasks.get(id)?.commit_sha !== commit,
  )
  const requirements = new Set(trace.map(({ requirement }) => requirement)).size
  const faults = [
    unknown && `${unknown.requirement} is traced to task ${unknown.task_id}, which the release does not have`,
    other && `${other.requirement} is traced to another commit than that of task ${other.task_id}`,
  ]
  return [check('trace', faults, `${counted(requirements, 'requirement')} traced to tasks and commits`)]
}

/** `breaking_changes` must list exactly the breaking tasks. */
function breakingFaults(manifest: ReleaseManifest): Faults {
  const breaking = tasksOf(manifest).filter((task) => task.breaking_change)
  const unlisted = breaking.find(
    ({ task_id, title }) => !manifest.breaking_changes.includes(`${task_id}: ${title}`),
  )
  return [
    unlisted && `task ${unlisted.task_id} is a breaking change, but breaking_changes does not list it`,
    manifest.breaking_changes.length !== breaking.length &&
      'breaking_changes lists more than the breaking tasks',
  ]
}

/** A gate recorded as clean has a run that shows it; a failed gate has an override. */
function claimsCheck(manifest: ReleaseManifest): ReleaseCheck {
  const clean = {
    lint: manifest.lint_clean,
    typecheck: manifest.typecheck_clean,
    build: manifest.build_clean,
  }
  const untrue = Object.entries(clean).find(([gate, isClean]) => !isShown(manifest, gate, isClean))
  const failed = manifest.evidence.find(
    ({ claim }) => !claim.endsWith(' passed') && !isTakenAsIs(manifest, claim),
  )
  // A test command may exit with another code: tests that failed before can be accepted by name.
  const red = manifest.evidence.find(
    ({ claim, exit_code }) => claim.endsWith(' passed') && !claim.startsWith('unit ') && exit_code !== 0,
  )
  const isOverridden = manifest.overrides.some(({ task }) => task === null)
  const faults = [
    untrue && `${untrue[0]}_clean is ${untrue[1]}, but the evidence does not show it`,
    failed && !isOverridden && `"${failed.claim}", and there is no override`,
    red && `"${red.claim}", but ${red.command} did not exit with 0`,
  ]
  return check('claims', faults, 'every claim has its evidence')
}

/** The check failed at the start commit, and a person chose that only new findings count. */
const isTakenAsIs = ({ checks_at_start: chosen = [] }: ReleaseManifest, claim: string): boolean =>
  chosen.some(({ check, choice }) => choice === 'as_is' && claim === `${check} ${AS_AT_START}`)

function isShown({ evidence }: ReleaseManifest, gate: string, isClean: boolean | null): boolean {
  const own = evidence.filter(({ claim }) => claim.startsWith(`${gate} `))
  if (isClean === null) return own.length === 0
  if (!isClean) return own.every(({ claim }) => claim !== `${gate} passed`)
  return own.length > 0 && own.every(({ claim, exit_code }) => claim === `${gate} passed` && exit_code === 0)
}

function milestonesCheck({ milestones }: ReleaseManifest): ReleaseCheck {
  const right = milestones.length === 0 ? 'no milestones' : `${milestones.length} milestone tests passed`
  return check('milestones', milestones.flatMap(milestoneFaults), right)
}

function milestoneFaults({ test, outcome, exit_code, values }: ManifestMilestone): Faults {
  const off = values.find((one) => !isTolerated(one, one.value))
  return [
    outcome !== 'passed' && `${test} ${outcome}`,
    exit_code !== 0 && `${test} passed, but its command did not exit with 0`,
    off && `${test} passed, but ${off.name} is ${off.value}, not ${off.reference}`,
  ]
}

/** Whether a value is within the tolerances of the manifest. */
export function isTolerated(
  { reference, abs, rel }: ManifestMilestone['values'][number],
  value: number | null,
): boolean {
  return value !== null && isWithin(value, { value: reference, abs: abs ?? undefined, rel: rel ?? undefined })
}

function rollbackCheck(manifest: ReleaseManifest): ReleaseCheck {
  const missing = landedIn(manifest).find(
    ({ commit_sha: sha }) => sha !== null && !manifest.rollback_plan.includes(sha.slice(0, 12)),
  )
  const fault = missing && `the rollback plan does not name the commit of task ${missing.task_id}`
  return check('rollback', [fault], 'the rollback plan names every commit')
}
