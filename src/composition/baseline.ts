/** The baseline of a plan, taken once: log, tree and tests of the start commit, task audits, and concurrent branches. */
import type { CommandGateRunner } from '../checks/runner/command-gate-runner.ts'
import type { TakeBaseline } from '../core/decide/effects.ts'
import type { StartFacts } from '../core/event-schemas/baseline.ts'
import { expectedPaths } from '../core/repository-facts/concurrent-branches.ts'
import { contextBlock } from '../core/planning/brief/context-block.ts'
import type { PlanHeader } from '../core/planning/task-schema.ts'
import { plainLine } from '../lib/text/quoted.ts'
import type { Baseline } from '../ports/workspace.ts'
import { surveyBranches } from '../workspaces/survey/branch-survey.ts'
import type { Git } from '../workspaces/git/git.ts'
import { projectFacts, surveyTree } from '../workspaces/survey/project-facts.ts'
import type { PlanWorkspace } from '../workspaces/plan-workspace.ts'
import type { Quarantine } from '../workspaces/quarantine.ts'
import type { UserRepository } from '../workspaces/user-repository.ts'

export interface BaselineParts {
  readonly git: Git
  readonly user: UserRepository
  readonly quarantine: Quarantine
  readonly workspace: Pick<PlanWorkspace, 'base' | 'start'>
  readonly gates: Pick<CommandGateRunner, 'takeBaseline'>
  readonly header: PlanHeader
  /** Of the repository. */
  readonly name: string
}

const MOST_COMMITS = 20
const MOST_WARNINGS = 20

export async function takeBaseline(
  parts: BaselineParts,
  { tasks, round, choices }: TakeBaseline,
  signal: AbortSignal,
): Promise<Baseline> {
  const { git, user, quarantine, gates, header } = parts
  const sha = await parts.workspace.base()
  const at = { sha, tree: await quarantine.treeOf(sha) }
  const expected = tasks.flatMap((task) => expectedPaths(task))
  const { files, inTree, textOf } = await surveyTree(quarantine, at.tree, expected)
  const seen = await gates.takeBaseline({ tree: at.tree, tasks, inTree, textOf, round, choices }, signal)
  // Existing tasks are not built, so no branch can conflict with them.
  const existing = new Set(seen.audits.filter(({ status }) => status === 'EXISTS').map(({ task }) => task))
  const open = tasks.filter(({ id }) => !existing.has(id))
  const branches = await surveyBranches({
    git,
    user,
    plan: header.id,
    base: await parts.workspace.start(),
    tasks: open,
    signal,
  })
  const project = await projectFacts(quarantine, at.tree, parts.name)
  const { tests, testCommand, checks } = seen
  const start: StartFacts = {
    tree: at.tree,
    files,
    log: await commitLog(quarantine, at.sha),
    tests,
    ...(testCommand === null ? {} : { testCommand }),
    checks: [...checks],
    warnings: seen.warnings.slice(0, MOST_WARNINGS),
    trials: [...seen.trials],
  }
  return {
    sha,
    contextBlock: contextBlock(header, project),
    failing: seen.failing,
    start,
    audits: seen.audits,
    branches,
  }
}

async function commitLog(quarantine: Quarantine, sha: string): Promise<StartFacts['log']> {
  const args = [`--max-count=${MOST_COMMITS}`, '--no-commit-header', '--format=%H %s', sha]
  return (await quarantine.lines('rev-list', ...args)).map((line) => {
    const end = line.indexOf(' ')
    return { sha: line.slice(0, end), subject: plainLine(line.slice(end + 1)) }
  })
}
