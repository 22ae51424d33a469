/** Compares the evidence of a release with a second run: it must have the same results. */
import type { Counts, Ending } from '../../event-schemas/evidence.ts'
import { check, type ReleaseCheck } from './release-check.ts'
import { formatEnding } from '../review-artifact.ts'
import { isTolerated } from './manifest-checks.ts'
import type { ReleaseManifest, ManifestMilestone } from './manifest-schema.ts'

/** One command of the evidence, run again. */
export interface Rerun {
  readonly claim: string
  readonly command: string
  readonly ending: Ending
  readonly counts: Counts | null
  /** The values of its references. */
  readonly values?: Readonly<Record<string, number | null>> | undefined
  /** Why it was not run; empty where it was. */
  readonly notRun: string
}

export function compareRerun(manifest: ReleaseManifest, reruns: readonly Rerun[]): readonly ReleaseCheck[] {
  const left = [...reruns]
  const runs = manifest.evidence.map(({ claim, command, exit_code }) => {
    // The same command may be listed more than once; each has its own run.
    const at = left.findIndex((one) => one.claim === claim && one.command === command)
    const [again] = at < 0 ? [] : left.splice(at, 1)
    const recorded = exit_code === null ? 'no exit code' : `exit ${exit_code}`
    const found = again === undefined ? 'not run' : again.notRun || formatEnding(again.ending)
    const isSame = again?.notRun === '' && again.ending.kind === 'exited' && again.ending.code === exit_code
    const fault = !isSame && `${command}: ${found}, recorded ${recorded}`
    return check('rerun', [fault], `${command}: ${found}, as recorded`)
  })
  const milestones = manifest.milestones.map((milestone) => milestoneAgain(milestone, reruns))
  const counts = reruns.flatMap((one) => one.counts ?? [])
  const run = counts.reduce((sum, one) => sum + one.run, 0)
  const passed = counts.reduce((sum, one) => sum + one.passed, 0)
  const isSame = run === manifest.tests_run && passed === manifest.tests_passed
  const counted = `${passed} of ${run} tests passed`
  const recorded = `${manifest.tests_passed} of ${manifest.tests_run}`
  const fault = !isSame && `${counted}, recorded ${recorded}`
  return [...runs, ...milestones, check('rerun_counts', [fault], `${counted}, as recorded`)]
}

export const milestoneClaim = (test: string): string => `milestone ${test}`

/** A milestone must still pass on the released tree. */
function milestoneAgain(milestone: ManifestMilestone, reruns: readonly Rerun[]): ReleaseCheck {
  const again = reruns.find((one) => one.claim === milestoneClaim(milestone.test))
  const found = again === undefined ? 'not run' : again.notRun || formatEnding(again.ending)
  const hasEnded = again?.notRun === '' && again.ending.kind === 'exited' && again.ending.code === 0
  const off = milestone.values.find((one) => !isTolerated(one, again?.values?.[one.name] ?? null))
  const faults = [
    !hasEnded && `${milestone.test}: ${found}`,
    off &&
      `${milestone.test}: ${off.name} is ${again?.values?.[off.name] ?? 'missing'}; the reference is ${off.reference}`,
  ]
  return check('rerun', faults, `${milestone.test}: passes on the released tree`)
}
