/** What a manifest says about itself must fit together. */
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
  const nobody = accepted.find((risk) => risk.accepted_by === null || risk.accepted_by.trim() === '')
  const why = accepted.find((risk) => (risk.reason ?? '').trim() === '' || risk.accepted_at === null)
  const wrong =
    open !== undefined
      ? `${open.id} is ${open.status}`
      : nobody !== undefined
        ? `${nobody.id} was accepted by nobody`
        : why === undefined
          ? ''
          : `${why.id} was accepted without a reason or a time`
  const right = risks.length === 0 ? 'there are no risks' : 'every risk is mitigated or accepted'
  return check('risks', wrong === '', right, wrong)
}

/** What was let through was let through by somebody, for a reason. */
function overridesCheck({ overrides }: WrittenManifest): ReleaseCheck {
  const bare = overrides.find(({ by, reason }) => by.trim() === '' || reason.trim() === '')
  const people = [...new Set(overrides.map(({ by }) => by))].join(', ')
  const right =
    overrides.length === 0 ? 'nothing was let through' : `${overrides.length} let through, by ${people}`
  const wrong = bare === undefined ? '' : `${bare.gate} was let through without a name or a reason`
  return check('overrides', wrong === '', right, wrong)
}

function countsCheck(manifest: WrittenManifest): ReleaseCheck {
  const { tests_run: run, tests_passed: passed } = manifest
  const ids = tasksOf(manifest).map((task) => task.task_id)
  const shas = landedIn(manifest).flatMap((task) => task.commit_sha ?? [])
  const wrong =
    passed > run
      ? `${passed} tests passed of ${run}`
      : run > 0 && manifest.evidence.length === 0
        ? `${run} tests ran, and no command is named`
        : new Set(ids).size !== ids.length
          ? 'a task is named twice'
          : new Set(shas).size !== shas.length
            ? 'two tasks claim the same commit'
            : breakingWrong(manifest)
  return check('counts', wrong === '', `${passed} of ${run} tests passed, ${ids.length} tasks`, wrong)
}

/** What is said to break is what the tasks say. */
function breakingWrong(manifest: WrittenManifest): string {
  const breaking = tasksOf(manifest).filter((task) => task.breaking_change)
  const untold = breaking.find(
    ({ task_id, title }) => !manifest.breaking_changes.includes(`${task_id}: ${title}`),
  )
  if (untold !== undefined)
    return `task ${untold.task_id} breaks something, and breaking_changes does not say so`
  return manifest.breaking_changes.length === breaking.length
    ? ''
    : 'breaking_changes names more than the tasks do'
}

/** A gate that is said to be clean has a run that shows it; one that failed has somebody who let it through. */
function claimsCheck(manifest: WrittenManifest): ReleaseCheck {
  const clean = {
    lint: manifest.lint_clean,
    typecheck: manifest.typecheck_clean,
    build: manifest.build_clean,
  }
  const untrue = Object.entries(clean).find(([gate, said]) => !isShown(manifest, gate, said))
  const failed = manifest.evidence.find(
    ({ claim }) => !claim.endsWith(' passed') && !isTakenAsIs(manifest, claim),
  )
  // Tests may end otherwise: those that failed before can be waved through by name.
  const red = manifest.evidence.find(
    ({ claim, exit_code }) => claim.endsWith(' passed') && !claim.startsWith('unit ') && exit_code !== 0,
  )
  const isOverridden = manifest.overrides.some(({ task }) => task === null)
  const wrong =
    untrue !== undefined
      ? `${untrue[0]}_clean is ${untrue[1]}, and the evidence does not show it`
      : failed !== undefined && !isOverridden
        ? `"${failed.claim}", and nobody let it through`
        : red === undefined
          ? ''
          : `"${red.claim}", and ${red.command} did not end with 0`
  return check('claims', wrong === '', 'every claim has its evidence', wrong)
}

/** Red as it was when the plan began, and a person said that only new findings count. */
const isTakenAsIs = ({ checks_at_start: chosen = [] }: WrittenManifest, claim: string): boolean =>
  chosen.some(({ check, choice }) => choice === 'as_is' && claim === `${check} ${AS_AT_START}`)

function isShown({ evidence }: WrittenManifest, gate: string, said: boolean | null): boolean {
  const own = evidence.filter(({ claim }) => claim.startsWith(`${gate} `))
  if (said === null) return own.length === 0
  if (!said) return own.every(({ claim }) => claim !== `${gate} passed`)
  return own.length > 0 && own.every(({ claim, exit_code }) => claim === `${gate} passed` && exit_code === 0)
}

function milestonesCheck({ milestones }: WrittenManifest): ReleaseCheck {
  const wrong = milestones.map(milestoneFault).find((fault) => fault !== null) ?? ''
  const right =
    milestones.length === 0 ? 'there are no milestones' : `${milestones.length} milestone tests passed`
  return check('milestones', wrong === '', right, wrong)
}

function milestoneFault({ test, outcome, exit_code, values }: WrittenMilestone): string | null {
  if (outcome !== 'passed') return `${test} ${outcome}`
  if (exit_code !== 0) return `${test} passed, and its command did not end with 0`
  const off = values.find((one) => !isTolerated(one, one.value))
  return off === undefined ? null : `${test} passed, and ${off.name} is ${off.value}, not ${off.reference}`
}

/** Whether a value is within the tolerances that a manifest names. */
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
