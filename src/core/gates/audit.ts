/** Whether a planned task is in the code base already. What exists is not built again, so nothing counts without proof. */
import { isPattern } from '../planning/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'

export interface AuditFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd'>
  readonly isInTree: (path: string) => boolean
  /** Whether the tests of this file were run and passed; null: not run. */
  readonly passes: (path: string) => boolean | null
}

export interface AuditVerdict {
  readonly status: 'EXISTS' | 'PARTIAL' | 'MISSING'
  readonly evidence: string
}

/**
 * EXISTS takes new tests that are there and pass, and every expected file. A test that the task only extends passes
 * already and proves nothing, and neither do files alone.
 */
export function auditTask({ spec, isInTree, passes }: AuditFacts): AuditVerdict {
  const { create, modify, delete: remove } = spec.files
  const fresh = [...new Set([...create, ...spec.testsToAdd])].filter(
    (path) => !isPattern(path) && !modify.includes(path),
  )
  const there = fresh.filter(isInTree)
  if (there.length === 0) return { status: 'MISSING', evidence: 'nothing it creates is there' }
  const open = [
    ...fresh.filter((path) => !isInTree(path)).map((path) => `${path} is missing`),
    ...modify.filter((path) => !isPattern(path) && !isInTree(path)).map((path) => `${path} is missing`),
    ...remove.filter((path) => isInTree(path)).map((path) => `${path} is still there`),
    ...spec.testsToAdd
      .filter((path) => isPattern(path) || isInTree(path))
      .flatMap((path) => unproven(path, modify, passes)),
    ...(spec.testsToAdd.length === 0 ? ['no test would show it'] : []),
  ]
  const seen = `${there.slice(0, 5).join(', ')} ${there.length === 1 ? 'is' : 'are'} there`
  if (open.length > 0) return { status: 'PARTIAL', evidence: `${seen}, but ${open.slice(0, 3).join('; ')}` }
  return { status: 'EXISTS', evidence: `${seen}, and ${spec.testsToAdd.join(', ')} passes` }
}

function unproven(path: string, modify: readonly string[], passes: AuditFacts['passes']): readonly string[] {
  if (modify.includes(path)) return [`${path} is to be extended`]
  const result = passes(path)
  if (result === true) return []
  return [result === null ? `${path} could not be run` : `${path} does not pass`]
}
