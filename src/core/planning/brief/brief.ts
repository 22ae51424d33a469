/** What a worker is told, as a structure. The text it reads is built from it by renderBrief. */
import type { AheadBranch } from './branch-text.ts'
import type { TaskContract } from './contract.ts'
import type { CustomGate, Plan, TaskSpec } from '../plan.ts'

/** An expected file that was there at the start commit. */
export interface FoundInBrief {
  readonly path: string
  readonly holds: readonly string[]
  readonly more: number
  readonly isTest: boolean
  /** Of a test; null where nobody knows. */
  readonly passes: boolean | null
}

/** A branch of somebody else's, as one task sees it. */
export interface BranchAtTask extends AheadBranch {
  readonly files: readonly string[]
  readonly more: number
}

/** What the first look at the repository found of the task. */
export interface BriefAudit {
  /** Null for a task that nobody planned. */
  readonly found: {
    readonly status: 'EXISTS' | 'PARTIAL' | 'MISSING'
    readonly evidence: string
    readonly files: readonly FoundInBrief[]
  } | null
  readonly branches: readonly BranchAtTask[]
}

/** What a finished task left behind for those that build on it. */
export interface DependencyOutput {
  readonly taskId: string
  readonly title: string
  readonly summary: string
  readonly files: readonly string[]
  readonly interfaces: readonly string[]
}

export interface Revision {
  /** Which try this is: from 2, but where others than workers did it before. */
  readonly attempt: number
  /** Whose words they are first of all: a person may ask for another scope, and not only flag something. */
  readonly from: 'checks' | 'person'
  /** What must change, in the words of the gate, the reviewer or the person. */
  readonly feedback: readonly string[]
  /** What was handed in before, in a few words; the files are in the workspace. */
  readonly previousDraft: string | null
}

/** How the worker says that it is alive; the command is on its PATH. */
export interface CheckinInstruction {
  readonly command: string
}

export interface Brief {
  readonly planTitle: string
  readonly workerId: string
  readonly summary: string
  readonly requirements: readonly string[]
  readonly architecture: string | null
  readonly audit: BriefAudit
  readonly dependencyOutputs: readonly DependencyOutput[]
  readonly keyPaths: readonly string[]
  readonly patterns: readonly string[]
  readonly filesToModify: readonly string[]
  readonly filesToReadFirst: readonly string[]
  readonly patternToFollow: string | null
  readonly constraints: readonly string[]
  readonly specArtifacts: readonly string[]
  /** The author's own words about the task: prose and steps. */
  readonly notes: string
  /** Gates of the author's own, each with the command that is run. */
  readonly checks: readonly string[]
  readonly revision: Revision | null
  /** What lies in the workspace beside the files of the tree, a line each. */
  readonly workspace: readonly string[]
  readonly checkin: CheckinInstruction
  readonly reportPath: string
  readonly contract: TaskContract
}

/** What is known beside plan and contract when a worker is started. */
export interface BriefFacts {
  readonly workerId: string
  readonly reportPath: string
  readonly checkin: CheckinInstruction
  readonly audit: BriefAudit
  readonly dependencyOutputs: readonly DependencyOutput[]
  readonly keyPaths: readonly string[]
  readonly patterns: readonly string[]
  readonly patternToFollow: string | null
  readonly workspace: readonly string[]
  readonly revision: Revision | null
}

export function briefOf(plan: Plan, task: TaskSpec, contract: TaskContract, facts: BriefFacts): Brief {
  const { header } = plan
  const readFirst = facts.dependencyOutputs.flatMap((output) => output.files)
  return {
    planTitle: header.title,
    workerId: facts.workerId,
    summary: summaryOf(plan, task),
    requirements: task.acceptanceCriteria,
    architecture: header.architecture,
    audit: facts.audit,
    workspace: facts.workspace,
    dependencyOutputs: facts.dependencyOutputs,
    keyPaths: facts.keyPaths,
    patterns: facts.patterns,
    filesToModify: task.files.modify,
    filesToReadFirst: [...new Set([...task.files.modify, ...readFirst])],
    patternToFollow: facts.patternToFollow,
    constraints: header.constraints,
    specArtifacts: [
      ...(header.source === '-' || holdsOut(plan) ? [] : [header.source]),
      ...(header.design === null ? [] : [header.design]),
    ],
    notes: task.description,
    checks: (task.ownGates ?? []).map(checkLine),
    revision: facts.revision,
    checkin: facts.checkin,
    reportPath: facts.reportPath,
    contract,
  }
}

function checkLine(own: CustomGate): string {
  const ran = `${own.name}: \`${own.command.replace(/\s+/g, ' ')}\``
  if (own.kind === 'command') return `${ran} exits with 0`
  const wanted = Object.entries(own.reference).map(([name, { value, abs, rel }]) => {
    const within = [abs === undefined ? '' : `± ${abs}`, rel === undefined ? '' : `± ${rel} of it`]
    return [name, '=', String(value), ...within.filter((text) => text !== '')].join(' ')
  })
  return `${ran} prints ${wanted.join('; ')}`
}

/** One or two sentences. */
function summaryOf(plan: Plan, task: TaskSpec): string {
  const title = sentence(task.title)
  const goal =
    plan.header.goal === null ? '' : ` It serves the goal: ${sentence(firstSentence(plan.header.goal))}`
  return `${title}${goal}`
}

function sentence(text: string): string {
  const plain = text.replace(/\s+/g, ' ').trim()
  return /[.!?]$/.test(plain) ? plain : `${plain}.`
}

function firstSentence(text: string): string {
  return (
    text
      .replace(/\s+/g, ' ')
      .trim()
      .split(/(?<=[.!?]) /)[0] ?? ''
  )
}

/** Nobody is sent to read a plan that holds back how work is judged. */
const holdsOut = ({ tasks }: Plan): boolean => tasks.some(({ heldOut }) => heldOut.length > 0)
