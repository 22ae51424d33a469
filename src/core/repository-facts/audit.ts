/** Audits whether a planned task exists in the code base already. An existing task is not built, so EXISTS needs proof. */
import { isPattern } from '../languages/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { isNamedIn } from '../planning/compare-plans.ts'

export interface AuditFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'acceptanceCriteria' | 'inferred'>
  readonly isInTree: (path: string) => boolean
  /** The text of a file in the tree; null where it does not exist or is unreadable. */
  readonly textOf: (path: string) => string | null
  /** Whether the tests of this file passed; null where they did not run. */
  readonly passes: (path: string) => boolean | null
}

export interface AuditVerdict {
  readonly status: 'EXISTS' | 'PARTIAL' | 'MISSING'
  readonly evidence: string
}

/**
 * EXISTS requires every file that the task creates, passing tests, and each criterion named in them (for a task without
 * criteria: its steps and title). Files the task modifies, and tests it extends, may have existed before and prove
 * nothing. In doubt a task is PARTIAL and is built.
 */
export function auditTask(facts: AuditFacts): AuditVerdict {
  const { spec, isInTree } = facts
  const { create, modify } = spec.files
  const fresh = [...new Set([...create, ...spec.testsToAdd])].filter(
    (path) => !isPattern(path) && !modify.includes(path),
  )
  const there = fresh.filter(isInTree)
  if (fresh.length === 0) return { status: 'MISSING', evidence: 'it names no new file to look for' }
  if (there.length === 0) return { status: 'MISSING', evidence: 'none of its new files exist' }
  const seen = `${there.slice(0, 5).join(', ')} ${there.length === 1 ? 'exists' : 'exist'}`
  const missing = fresh.filter((path) => !isInTree(path)).map((path) => `${path} is missing`)
  const open = [...missing, ...undone(facts), ...unshown(facts)]
  if (open.length > 0) return { status: 'PARTIAL', evidence: `${seen}, but ${open.slice(0, 3).join('; ')}` }
  const tests = spec.testsToAdd.join(', ')
  const passing = `${tests} ${spec.testsToAdd.length === 1 ? 'passes' : 'pass'}`
  const named = statedCriteria(spec).length === 0 ? '' : ', and the tests mention each criterion'
  return { status: 'EXISTS', evidence: `${seen}, ${named === '' ? 'and ' : ''}${passing}${named}` }
}

/** Parts of the contract besides new files, which the tree cannot prove. */
function undone({ spec, isInTree }: AuditFacts): readonly string[] {
  const { create, modify, delete: remove } = spec.files
  const created = create.filter((path) => !isPattern(path))
  return [
    ...modify.map((path) =>
      isPattern(path) || isInTree(path)
        ? `${path} is to be ${spec.testsToAdd.includes(path) ? 'extended' : 'modified'}`
        : `${path} is missing`,
    ),
    ...(modify.length === 0 && created.length === 0 ? ['it creates no files'] : []),
    ...remove.filter((path) => isInTree(path)).map((path) => `${path} still exists`),
  ]
}

/** What no passing test proves. */
function unshown({ spec, isInTree, textOf, passes }: AuditFacts): readonly string[] {
  if (spec.testsToAdd.length === 0) return ['it adds no test that would prove it']
  const tests = spec.testsToAdd.filter(
    (path) => !spec.files.modify.includes(path) && (isPattern(path) || isInTree(path)),
  )
  // A missing test is reported already.
  if (tests.length === 0) return []
  const texts = tests.flatMap((path) => textOf(path) ?? [])
  return [
    ...tests.flatMap((path) => {
      const result = passes(path)
      if (result === true) return []
      return [result === null ? `${path} could not be run` : `${path} does not pass`]
    }),
    ...statedCriteria(spec)
      .filter(({ criterion }) => !isNamedIn(criterion, texts))
      .map(({ number }) => `no test mentions criterion ${number}`),
  ]
}

/** The author's criteria. Inferred ones such as "the tests pass" prove nothing more. */
function statedCriteria({ acceptanceCriteria, inferred, testsToAdd }: AuditFacts['spec']) {
  const isInferred = inferred.includes('acceptance_criteria')
  return acceptanceCriteria
    .map((criterion, place) => ({
      criterion: isInferred ? criterion.replace(BUILDING, '') : criterion,
      number: place + 1,
    }))
    .filter(({ criterion }) => {
      const isOfRun = OF_RUN.test(criterion) || testsToAdd.includes(criterion.replace(/ passes$/, ''))
      return !(isInferred && isOfRun)
    })
}

/** Verbs of titles ("add", "create") that tests do not repeat. */
const BUILDING = /^(?:add|build|create|implement|introduce|make|provide|set up|support|write)\s+/i
const OF_RUN = /^`[^`]+`: /
