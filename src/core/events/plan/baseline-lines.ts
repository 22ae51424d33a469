/** The findings of the baseline, as lines for people. */
import type { Audit, Branches, NoticedBranch, StartFacts } from '../../event-schemas/baseline.ts'
import { formatBranch } from '../../planning/brief/render-brief.ts'
import { plainLine, quotedList } from '../../../lib/text/quoted.ts'
import type { PlanState } from '../../state/state.ts'
import { counted, firstFew } from '../../../lib/text/counted.ts'

const SHOWN = 5
const LONGEST = 300

export interface BaselineFindings {
  readonly audits: readonly Pick<Audit, 'task' | 'status' | 'evidence'>[]
  readonly branches: Branches
}

/** Tasks that exist, tasks that exist in part, and branches that touch the same files. */
export function baselineLines({ audits, branches }: BaselineFindings): readonly string[] {
  const { noticed, more, trouble } = branches
  const rest = more + Math.max(0, noticed.length - SHOWN)
  return [
    ...auditLines(audits, 'EXISTS', 'already exists and is skipped'),
    ...auditLines(audits, 'PARTIAL', 'partly exists'),
    ...noticed.slice(0, SHOWN).map(branchLine),
    ...(rest === 0 ? [] : [`${rest} more ${rest === 1 ? 'branch' : 'branches'} may touch the same files`]),
    ...(trouble === null ? [] : [unreadBranches(trouble)]),
  ]
}

function auditLines(
  audits: BaselineFindings['audits'],
  status: Audit['status'],
  verb: string,
): readonly string[] {
  const found = audits.filter((audit) => audit.status === status)
  const rest = found.slice(SHOWN).map(({ task }) => task)
  return [
    ...found.slice(0, SHOWN).map(({ task, evidence }) => line(`task ${task} ${verb}: ${evidence}`)),
    ...(rest.length === 0 ? [] : [line(`and ${rest.length} more: ${rest.join(', ')}`)]),
  ]
}

export const unreadBranches = (trouble: string): string =>
  `cannot read the branches: ${plainLine(trouble, LONGEST)}`

export function branchLine(branch: NoticedBranch): string {
  const shown = branch.tasks
    .slice(0, 3)
    .map(({ task, files, more }) => `${quotedList(files, more)} (task ${task})`)
  const rest = branch.tasks.length - shown.length
  const touched = `${shown.join(', ')}${rest > 0 ? ` and files of ${rest} more tasks` : ''}`
  return `${formatBranch(branch)} and touches ${touched}; it is left alone`
}

const line = (text: string): string => plainLine(text, LONGEST)

/** The same for the current state: a branch is left out once the tasks that it touches are done. */
export function baselineNotes(state: PlanState): readonly string[] {
  if (state.baseline === null) return []
  // A plan may have very many tasks, and this is asked for with every look at it.
  const audits: Audit[] = []
  for (const { audit } of state.tasks.values())
    if (audit?.status === 'EXISTS' || audit?.status === 'PARTIAL') audits.push(audit)
  const { branches } = state.baseline
  const noticed = branches.noticed.flatMap((branch) => {
    const tasks = branch.tasks.filter(({ task }) => state.tasks.get(task)?.step !== 'completed')
    return tasks.length === 0 ? [] : [{ ...branch, tasks }]
  })
  return baselineLines({ audits, branches: { ...branches, noticed } })
}

const MOST_FAILING = 3

/** The tests that failed before any work; none where all passed. */
export function failingLine(failing: readonly string[]): readonly string[] {
  if (failing.length === 0) return []
  const fail = failing.length === 1 ? '1 test fails' : `${failing.length} tests fail`
  return [line(`${fail} already, and will not count against the work: ${firstFew(failing, MOST_FAILING)}`)]
}

/** "14 files, 12 of 13 tests pass, lint failed"; empty where nothing is known. */
export function formatStartFacts(start: StartFacts | null): string {
  if (start === null) return ''
  const { files, tests, checks, testCommand } = start
  const bad = checks.filter(({ outcome }) => outcome === 'failed').map(({ gate }) => `${gate} fails`)
  const how = testCommand === undefined ? '' : ` with ${plainLine(testCommand, LONGEST)}`
  return [counted(files, 'file'), `${formatTests(tests)}${how}`, ...bad].join(', ')
}

function formatTests({ outcome, counts }: StartFacts['tests']): string {
  const passing = counts === null || counts.run === 0 ? null : `${counts.passed} of ${counts.run} tests pass`
  switch (outcome) {
    case 'passed':
      return passing ?? 'the tests pass'
    case 'failed':
      return passing ?? 'the tests fail'
    case 'not_run':
      return 'no tests ran'
    case 'none':
      return 'no test command'
  }
}
