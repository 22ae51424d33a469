/** Whether a planned task is in the code base already. What exists is not built again, so nothing counts without proof. */
import { isPattern } from '../languages/paths.ts'
import type { TaskSpec } from '../planning/plan.ts'
import { isNamedIn } from '../planning/named-criterion.ts'

export interface AuditFacts {
  readonly spec: Pick<TaskSpec, 'files' | 'testsToAdd' | 'acceptanceCriteria' | 'inferred'>
  readonly isInTree: (path: string) => boolean
  /** The text of a file in the tree; null where there is none, or none that can be read. */
  readonly textOf: (path: string) => string | null
  /** Whether the tests of this file were run and passed; null: not run. */
  readonly passes: (path: string) => boolean | null
}

export interface AuditVerdict {
  readonly status: 'EXISTS' | 'PARTIAL' | 'MISSING'
  readonly evidence: string
}

/**
 * EXISTS takes every file that the task creates, tests that pass, and each criterion named in them (of a task without
 * criteria: its steps and title). What a task modifies was there before it, and so may the test be that it extends: neither shows that it was done. In doubt
 * a task is PARTIAL and is built.
 */
export function auditTask(facts: AuditFacts): AuditVerdict {
  const { spec, isInTree } = facts
  const { create, modify } = spec.files
  const fresh = [...new Set([...create, ...spec.testsToAdd])].filter(
    (path) => !isPattern(path) && !modify.includes(path),
  )
  const there = fresh.filter(isInTree)
  if (there.length === 0) return { status: 'MISSING', evidence: 'nothing it creates is there' }
  const seen = `${there.slice(0, 5).join(', ')} ${there.length === 1 ? 'is' : 'are'} there`
  const missing = fresh.filter((path) => !isInTree(path)).map((path) => `${path} is missing`)
  const open = [...missing, ...undone(facts), ...unshown(facts)]
  if (open.length > 0) return { status: 'PARTIAL', evidence: `${seen}, but ${open.slice(0, 3).join('; ')}` }
  const tests = spec.testsToAdd.join(', ')
  const passing = `${tests} ${spec.testsToAdd.length === 1 ? 'passes' : 'pass'}`
  const named = statedCriteria(spec).length === 0 ? '' : ', and each criterion is named in the tests'
  return { status: 'EXISTS', evidence: `${seen}, ${named === '' ? 'and ' : ''}${passing}${named}` }
}

/** What the contract asks for besides new files, and nothing in the tree can show to be done. */
function undone({ spec, isInTree }: AuditFacts): readonly string[] {
  const { create, modify, delete: remove } = spec.files
  const created = create.filter((path) => !isPattern(path))
  return [
    ...modify.map((path) =>
      isPattern(path) || isInTree(path)
        ? `${path} is to be ${spec.testsToAdd.includes(path) ? 'extended' : 'modified'}`
        : `${path} is missing`,
    ),
    ...(modify.length === 0 && created.length === 0 ? ['it creates nothing that could be found'] : []),
    ...remove.filter((path) => isInTree(path)).map((path) => `${path} is still there`),
  ]
}

/** What no test that passes speaks for. */
function unshown({ spec, isInTree, textOf, passes }: AuditFacts): readonly string[] {
  if (spec.testsToAdd.length === 0) return ['no test would show it']
  const tests = spec.testsToAdd.filter(
    (path) => !spec.files.modify.includes(path) && (isPattern(path) || isInTree(path)),
  )
  // Where no test is there, that is said already.
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
      .map(({ number }) => `no test names criterion ${number}`),
  ]
}

/** Those in the author's words. Of what was inferred, that a test or a run passes says no more than that it does. */
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

/** A title says that something is to be made; a test names what was made. */
const BUILDING = /^(?:add|build|create|implement|introduce|make|provide|set up|support|write)\s+/i
const OF_RUN = /^`[^`]+`: /
