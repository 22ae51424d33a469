/** Files that a worker changed outside its contract, and the option to widen the contract to them. */
import type { InboxItem, Verdict } from '../../event-schemas/schemas.ts'
import { OUTSIDE_CONTRACT } from '../../gates/plan-alignment/expected-files.ts'
import { isOwnRecord } from '../../gates/integrity/integrity.ts'
import { isBaseTest, protectionOf } from '../../gates/integrity/protected-names.ts'
import type { TaskSpec } from '../../planning/plan.ts'
import { unnamedPaths } from '../../review/review-need.ts'
import type { TaskState } from '../../state/state.ts'
import { firstFew } from '../../../lib/text/counted.ts'

type Worked = Pick<TaskState, 'spec' | 'draft' | 'verdicts'>
const MOST_SHOWN = 5

/** Empty where the work was not refused for files outside the contract. */
export function outsideContract({ spec, draft, verdicts }: Worked): readonly string[] {
  const isRefused = verdicts?.some(
    ({ gate, outcome, evidence }) =>
      gate === 'plan_alignment' &&
      outcome === 'failed' &&
      evidence.findings.some(({ weight, text }) => weight === 'blocks' && text === OUTSIDE_CONTRACT),
  )
  return isRefused === true ? unnamedPaths({ spec, draft }) : []
}

/** None where no file lies outside, or where one is refused in any contract. Protected files are named, since widening allows their change. */
export function widenOptions(task: Worked): InboxItem['options'] {
  const outside = outsideContract(task)
  if (outside.length === 0 || task.verdicts?.some(isRefusedAnyway) === true) return []
  const deciding = outside.filter((path) => protectionOf(path) !== null || isBaseTest(path))
  const warning = deciding.length === 0 ? '' : ` (protected: ${firstFew(deciding, MOST_SHOWN)})`
  return [{ key: 'widen', label: `widen the contract to ${firstFew(outside, MOST_SHOWN)}${warning}` }]
}

const isRefusedAnyway = ({ outcome, evidence }: Verdict): boolean =>
  outcome === 'failed' && evidence.findings.some(isOwnRecord)

export const widened = (spec: TaskSpec, paths: readonly string[]): TaskSpec => ({
  ...spec,
  files: { ...spec.files, modify: [...spec.files.modify, ...paths] },
})
