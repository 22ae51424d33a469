/** The evidence of a release, run again: it must end as it ended then. */
import type { Counts, Ending } from '../events/evidence.ts'
import { check, type ReleaseCheck } from './release-check.ts'
import type { WrittenManifest } from './written-manifest.ts'

/** One command of the evidence, run again. */
export interface Rerun {
  readonly claim: string
  readonly command: string
  readonly ending: Ending
  readonly counts: Counts | null
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
    const found = again === undefined ? 'it was not run' : again.notRun || endingWords(again.ending)
    const isSame = again?.notRun === '' && again.ending.kind === 'exited' && again.ending.code === exit_code
    return check('rerun', isSame, `${command}: ${found}, as said`, `${command}: ${found}; said: ${said}`)
  })
  const counts = reruns.flatMap((one) => one.counts ?? [])
  const run = counts.reduce((sum, one) => sum + one.run, 0)
  const passed = counts.reduce((sum, one) => sum + one.passed, 0)
  const isSame = run === manifest.tests_run && passed === manifest.tests_passed
  const words = `${passed} of ${run} tests passed`
  const said = `${manifest.tests_passed} of ${manifest.tests_run}`
  return [...runs, check('rerun_counts', isSame, `${words}, as said`, `${words}; said: ${said}`)]
}

function endingWords(ending: Ending): string {
  return ending.kind === 'exited' ? `exit ${ending.code}` : ending.kind.replaceAll('_', ' ')
}
