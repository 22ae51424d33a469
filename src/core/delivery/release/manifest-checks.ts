/** Checks that a manifest is consistent with itself. */
import { check, type ReleaseCheck } from './release-check.ts'
import { isWithin } from '../../gates/tests/reference-values.ts'
import {
  AS_AT_START,
  landedIn,
  tasksOf,
  type WrittenManifest,
  type WrittenMilestone,
} from './written-manifest.ts'

export function manifestChecks(manifest: WrittenManifest): readonly ReleaseCheck[] {
  return [
    risksCheck(manifest),
    overridesCheck(manifest),
    countsCheck(manifest),
    claimsCheck(manifest),
    milestonesCheck(manifest),
    rollbackCheck(manifest),
  ]
}

function risksCheck({ risks }: WrittenManifest): ReleaseCheck {
  const open = risks.find(({ status }) => status !== 'mitigated' && status !== 'accepted')
  const accepted = risks.filter(({ status }) => status === 'accepted')
  const unnamed = accepted.find((risk) => risk.accepted_by === null || risk.accepted_by.trim() === '')
  const why = accepted.find((risk) => (risk.reason ?? '').trim() === '' || risk.accepted_at === null)
  const wrong =
    open !== undefined
      ? `${open.id} is ${open.status}`
      : unnamed !== undefined
        ? `${unnamed.id} was accepted without a name`
        : why === undefined
          ? ''
          : `${why.id} was accepted without a reason or a time`
  const right = risks.length === 0 ? 'no risks' : 'every risk is mitigated or accepted'
  return check('risks', wrong === '', right, wrong)
}

/** Every override has a name and a reason. */
function overridesCheck({ overrides }: WrittenManifest): ReleaseCheck {
  const bare = overrides.find(({ by, reason }) => by.trim() === '' || reason.trim() === '')
  const people = [...new Set(overrides.map(({ by }) => by))].join(', ')
  const right =
    overrides.length === 0
      ? 'no overrides'
      : `${overrides.length} ${overrides.length === 1 ? 'override' : 'overrides'}, by ${people}`
  const wrong = bare === undefined ? '' : `${bare.gate} was overridden without a name or a reason`
  return check('overrides', wrong === '', right, wrong)
}

function countsCheck(manifest: WrittenManifest): ReleaseCheck {
  const { tests_run: run, tests_passed: passed } = manifest
  const ids = tasksOf(manifest).map((task) => task.task_id)
  const shas = landedIn(manifest).flatMap((task) => task.commit_sha ?? [])
  const wrong =
    passed > run
      ? `${passed} tests passed, but only ${run} ran`
      : run > 0 && manifest.evidence.length === 0
        ? `${run} tests ran, but the evidence names no command`
        : new Set(ids).size !== ids.length
          ? 'a task is listed twice'
          : new Set(shas).size !== shas.length
            ? 'two tasks claim the same commit'
            : breakingWrong(manifest)
  return check('counts', wrong === '', `${passed} of ${run} tests passed, ${ids.length} tasks`, wrong)
}

/** `breaking_changes` must list exactly the breaking tasks. */
function breakingWrong(manifest: WrittenManifest): string {
  const breaking = tasksOf(manifest).filter((task) => task.breaking_change)
  const unlisted = breaking.find(
    ({ task_id, title }) => !manifest.breaking_changes.includes(`${task_id}: ${title}`),
  )
  if (unlisted !== undefined)
    return `task ${unlisted.task_id} is a breaking change, but breaking_changes does not list it`
  return manifest.breaking_changes.length === breaking.length
    ? ''
    : 'breaking_changes lists more than the breaking tasks'
}

/** A gate recorded as clean has a run that shows it; a failed gate has an override. */
function claimsCheck(manifest: WrittenManifest): ReleaseCheck {
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
  const wrong =
    untrue !== undefined
      ? `${untrue[0]}_clean is ${untrue[1]}, but the evidence does not show it`
      : failed !== undefined && !isOverridden
        ? `"${failed.claim}", and there is no override`
        : red === undefined
          ? ''
          : `"${red.claim}", but ${red.command} did not exit with 0`
  return check('claims', wrong === '', 'every claim has its evidence', wrong)
}

/** The check failed at the start commit, and a person chose that only new findings count. */
const isTakenAsIs = ({ checks_at_start: chosen = [] }: WrittenManifest, claim: string): boolean =>
  chosen.some(({ check, choice }) => choice === 'as_is' && claim === `${check} ${AS_AT_START}`)

function isShown({ evidence }: WrittenManifest, gate: string, isClean: boolean | null): boolean {
  const own = evidence.filter(({ claim }) => claim.startsWith(`${gate} `))
  if (isClean === null) return own.length === 0
  if (!isClean) return own.every(({ claim }) => claim !== `${gate} passed`)
  return own.length > 0 && own.every(({ claim, exit_code }) => claim === `${gate} passed` && exit_code === 0)
}

function milestonesCheck({ milestones }: WrittenManifest): ReleaseCheck {
  const wrong = milestones.map(milestoneFault).find((fault) => fault !== null) ?? ''
  const right = milestones.length === 0 ? 'no milestones' : `${milestones.length} milestone tests passed`
  return check('milestones', wrong === '', right, wrong)
}

function milestoneFault({ test, outcome, exit_code, values }: WrittenMilestone): string | null {
  if (outcome !== 'passed') return `${test} ${outcome}`
  if (exit_code !== 0) return `${test} passed, but its command did not exit with 0`
  const off = values.find((one) => !isTolerated(one, one.value))
  return off === undefined ? null : `${test} passed, but ${off.name} is ${off.value}, not ${off.reference}`
}

/** Whether a value is within the tolerances of the manifest. */
export function isTolerated(
  { reference, abs, rel }: WrittenMilestone['values'][number],
  value: number | null,
): boolean {
  return value !== null && isWithin(value, { value: reference, abs: abs ?? undefined, rel: rel ?? undefined })
}

function rollbackCheck(manifest: WrittenManifest): ReleaseCheck {
  const missing = landedIn(manifest).find(
    ({ commit_sha: sha }) => sha !== null && !manifest.rollback_plan.includes(sha.slice(0, 12)),
  )
  return check(
    'rollback',
    missing === undefined,
    'the rollback plan names every commit',
    `the rollback plan does not name the commit of task ${missing?.task_id ?? ''}`,
  )
}
