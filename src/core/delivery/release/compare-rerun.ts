/** The evidence of a release, run again: it must end as it ended then. */
import type { Counts, Ending } from '../../event-schemas/evidence.ts'
import { check, type ReleaseCheck } from './release-check.ts'
import { isTolerated } from './manifest-checks.ts'
import type { WrittenManifest, WrittenMilestone } from './written-manifest.ts'

/** One command of the evidence, run again. */
export interface Rerun {
  readonly claim: string
  readonly command: string
  readonly ending: Ending
  readonly counts: Counts | null
  /** Of the values that were asked for. */
  readonly values?: Readonly<Record<string, number | null>> | undefined
  /** Why it was not run; empty where it was. */
  readonly notRun: string
}

export function compareRerun(manifest: WrittenManifest, reruns: readonly Rerun[]): readonly ReleaseCheck[] {
  const left = [...reruns]
  const runs = manifest.evidence.map(({ claim, command, exit_code }) => {
    // A command may be named more than once, and each time counts by itself.
    const at = left.findIndex((one) => one.claim === claim && one.command === command)
    const [again] = at < 0 ? [] : left.splice(at, 1)
    const said = exit_code === null ? 'no exit code' : `exit ${exit_code}`
    const found = again === undefined ? 'it was not run' : again.notRun || formatEnding(again.ending)
    const isSame = again?.notRun === '' && again.ending.kind === 'exited' && again.ending.code === exit_code
    return check('rerun', isSame, `${command}: ${found}, as said`, `${command}: ${found}; said: ${said}`)
  })
  const milestones = manifest.milestones.map((milestone) => milestoneAgain(milestone, reruns))
  const counts = reruns.flatMap((one) => one.counts ?? [])
  const run = counts.reduce((sum, one) => sum + one.run, 0)
  const passed = counts.reduce((sum, one) => sum + one.passed, 0)
  const isSame = run === manifest.tests_run && passed === manifest.tests_passed
  const words = `${passed} of ${run} tests passed`
  const said = `${manifest.tests_passed} of ${manifest.tests_run}`
  return [
    ...runs,
    ...milestones,
    check('rerun_counts', isSame, `${words}, as said`, `${words}; said: ${said}`),
  ]
}

export const milestoneClaim = (test: string): string => `milestone ${test}`

/** On what is released now, a milestone has to hold still. */
function milestoneAgain(milestone: WrittenMilestone, reruns: readonly Rerun[]): ReleaseCheck {
  const again = reruns.find((one) => one.claim === milestoneClaim(milestone.test))
  const found = again === undefined ? 'it was not run' : again.notRun || formatEnding(again.ending)
  const hasEnded = again?.notRun === '' && again.ending.kind === 'exited' && again.ending.code === 0
  const off = milestone.values.find((one) => !isTolerated(one, again?.values?.[one.name] ?? null))
  const wrong = !hasEnded
    ? found
    : off === undefined
      ? ''
      : `${off.name} is ${again.values?.[off.name] ?? 'missing'}; the reference is ${off.reference}`
  return check(
    'rerun',
    wrong === '',
    `${milestone.test}: it holds on what is released`,
    `${milestone.test}: ${wrong}`,
  )
}

function formatEnding(ending: Ending): string {
  return ending.kind === 'exited' ? `exit ${ending.code}` : ending.kind.replaceAll('_', ' ')
}
