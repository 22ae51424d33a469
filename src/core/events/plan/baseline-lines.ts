/** What the first look at a repository found, as lines for people. */
import type { Audit, Branches, NoticedBranch, StartFacts } from '../../event-schemas/baseline.ts'
import { branchWords } from '../../planning/brief/branch-text.ts'
import { plainLine, quotedList } from '../../../lib/text/quoted.ts'
import type { PlanState } from '../../state/state.ts'
import { counted } from '../../../lib/text/counted.ts'

const SHOWN = 5
const LONGEST = 300

export interface Seen {
  readonly audits: readonly Pick<Audit, 'task' | 'status' | 'evidence'>[]
  readonly branches: Branches
}

/** What exists, what is there in part, and where somebody else is at it. */
export function baselineLines({ audits, branches }: Seen): readonly string[] {
  const { noticed, more, trouble } = branches
  const rest = more + Math.max(0, noticed.length - SHOWN)
  return [
    ...auditLines(audits, 'EXISTS', 'exists already and is not built again'),
    ...auditLines(audits, 'PARTIAL', 'is partly there'),
    ...noticed.slice(0, SHOWN).map(branchLine),
    ...(rest === 0 ? [] : [`${rest} more ${rest === 1 ? 'branch' : 'branches'} may touch the same files`]),
    ...(trouble === null ? [] : [`branches could not be looked at: ${plainLine(trouble, LONGEST)}`]),
  ]
}

function auditLines(audits: Seen['audits'], status: Audit['status'], words: string): readonly string[] {
  const found = audits.filter((audit) => audit.status === status)
  const rest = found.slice(SHOWN).map(({ task }) => task)
  return [
    ...found.slice(0, SHOWN).map(({ task, evidence }) => line(`task ${task} ${words}: ${evidence}`)),
    ...(rest.length === 0 ? [] : [line(`the same of ${rest.length} more: ${rest.join(', ')}`)]),
  ]
}

function branchLine(branch: NoticedBranch): string {
  const shown = branch.tasks
    .slice(0, 3)
    .map(({ task, files, more }) => `${quotedList(files, more)} (task ${task})`)
  const rest = branch.tasks.length - shown.length
  const touched = `${shown.join(', ')}${rest > 0 ? ` and files of ${rest} more tasks` : ''}`
  return `${branchWords(branch)} and touches ${touched}; it is left alone`
}

const line = (text: string): string => plainLine(text, LONGEST)

/** The same for a plan as it stands now: a branch concerns nobody once the tasks that it touches are done. */
export function baselineNotes(state: PlanState): readonly string[] {
  if (state.baseline === null) return []
  const audits = [...state.tasks.values()].flatMap(({ audit }) => audit ?? [])
  const { branches } = state.baseline
  const noticed = branches.noticed.flatMap((branch) => {
    const tasks = branch.tasks.filter(({ task }) => state.tasks.get(task)?.step !== 'completed')
    return tasks.length === 0 ? [] : [{ ...branch, tasks }]
  })
  return baselineLines({ audits, branches: { ...branches, noticed } })
}

/** "14 files, 12 of 13 tests pass, lint failed"; empty where nothing is known. */
export function startWords(start: StartFacts | null): string {
  if (start === null) return ''
  const { files, tests, checks } = start
  const bad = checks.filter(({ outcome }) => outcome === 'failed').map(({ gate }) => `${gate} fails`)
  return [counted(files, 'file'), testWords(tests), ...bad].join(', ')
}

function testWords({ outcome, counts }: StartFacts['tests']): string {
  const told = counts === null || counts.run === 0 ? null : `${counts.passed} of ${counts.run} tests pass`
  switch (outcome) {
    case 'passed':
      return told ?? 'the tests pass'
    case 'failed':
      return told ?? 'the tests fail'
    case 'not_run':
      return 'no test was seen to run'
    case 'none':
      return 'there is no test command'
  }
}
