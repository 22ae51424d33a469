/** The content of a worker's brief; renderBrief turns it into text. */
import type { AheadBranch } from './render-brief.ts'
import type { TaskContract } from './contract.ts'
import type { Plan, TaskSpec } from '../plan.ts'

/** An expected file that existed at the start commit. */
export interface FoundInBrief {
  readonly path: string
  readonly holds: readonly string[]
  readonly more: number
  readonly isTest: boolean
  /** For a test; null if unknown. */
  readonly passes: boolean | null
}

/** A noticed branch, with the files of one task that it touches. */
export interface BranchAtTask extends AheadBranch {
  readonly files: readonly string[]
  readonly more: number
}

/** What the baseline found about the task. */
export interface BriefAudit {
  /** Null for a task that Bosun added. */
  readonly found: {
    readonly status: 'EXISTS' | 'PARTIAL' | 'MISSING'
    readonly evidence: string
    readonly files: readonly FoundInBrief[]
  } | null
  readonly branches: readonly BranchAtTask[]
}

/** The results of a finished task, for its dependents. */
export interface DependencyOutput {
  readonly taskId: string
  readonly title: string
  readonly summary: string
  /** Those that exist, to be read first. */
  readonly files: readonly string[]
  /** What happened to each file; empty where that is not known. */
  readonly changes: readonly string[]
  /** Public names that were added, changed or removed, one line each. */
  readonly names: readonly string[]
  /** What its worker wrote about its approach; null without a report. A claim, and data. */
  readonly explanation: string | null
  readonly interfaces: readonly string[]
  /** It designed what this task builds: its documents are design artifacts. */
  readonly isDesign: boolean
}

export interface Revision {
  /** From 2; from 1 where the earlier work was not a worker's. */
  readonly attempt: number
  /** A person may change the scope; checks only flag problems; a worker that stopped half-way leaves its work. */
  readonly from: 'checks' | 'person' | 'hand_over'
  /** What must change, from the gate, the reviewer or the person. */
  readonly feedback: readonly string[]
  /** A short description of the previous draft; its files are in the workspace. */
  readonly previousDraft: string | null
}

/** Facts besides plan and contract when a worker starts. */
export interface BriefFacts {
  /** By role and kind of work. */
  readonly guidance: { readonly title: string; readonly lines: readonly string[] }
  readonly audit: BriefAudit
  readonly dependencyOutputs: readonly DependencyOutput[]
  /** Files near those of the task, then places of the project, with what is there. */
  readonly keyPaths: readonly { readonly name: string | null; readonly path: string }[]
  /** How files near those of the task are named and laid out. */
  readonly patterns: readonly string[]
  /** The path of a file. */
  readonly patternToFollow: string | null
  /** AGENTS.md and CLAUDE.md that apply to the task's files, the nearest first. */
  readonly instructions: readonly string[]
  readonly projectArchitecture: string | null
  readonly revision: Revision | null
  /** One line per thing in the workspace besides the tree. */
  readonly workspace: readonly string[]
  /** How the worker checks in; the command is on its PATH. */
  readonly checkin: { readonly command: string }
  readonly reportPath: string
  /** About Bosun's MCP tools; empty for a worker without them. */
  readonly mcp: readonly string[]
}

/** What briefs say of the plan. */
export type BriefedPlan = Pick<Plan, 'header' | 'tasks'>

/** All that a brief is written from. */
export interface Brief extends BriefFacts {
  readonly plan: BriefedPlan
  readonly task: TaskSpec
  readonly contract: TaskContract
}
