/** What the tasks that a task depends on have produced, for its brief. */
import type { DependencyOutput } from '../planning/brief/brief.ts'
import type { Plan } from '../planning/plan.ts'
import { landedOutput, type LandedOutput } from './landed-output.ts'
import type { LandedChange } from './task-delta.ts'
import type { Settings } from '../settings/settings.ts'
import { counted } from '../../lib/text/counted.ts'
import { quoted } from '../../lib/text/quoted.ts'
import type { Commit } from '../state/state.ts'

/** A finished task that this one depends on. */
export interface FinishedDependency {
  readonly task: string
  /** Null where its work existed before the plan. */
  readonly commit: Commit | null
  /** What its worker wrote about its approach; absent without a report. */
  readonly explanation?: string
}

/** Where Bosun writes its own records. */
export const recordFolders = ({ pm }: Settings): readonly string[] => [
  pm.review_artifacts_dir,
  pm.release_manifest_dir,
]

interface PlanSoFar {
  readonly plan: Pick<Plan, 'tasks'>
  readonly settings: Settings
  readonly landed: readonly LandedChange[]
}

export function outputsOf(
  dependencies: readonly FinishedDependency[],
  { plan, settings, landed }: PlanSoFar,
): readonly DependencyOutput[] {
  return dependencies.map(({ task, commit, explanation }) => {
    const spec = plan.tasks.find((one) => one.id === task)
    const change = commit === null ? undefined : landed.find(({ sha }) => sha === commit.sha)
    const real = change === undefined ? null : landedOutput(change, recordFolders(settings))
    const planned = [...(spec?.files.create ?? []), ...(spec?.files.modify ?? [])]
    return {
      taskId: task,
      title: spec?.title ?? task,
      summary: commit === null ? 'existed before the plan' : landedAs(commit.sha, real),
      files: real === null ? planned : existing(real),
      changes: real === null ? [] : changeLines(real),
      names: real === null ? [] : nameLines(real),
      explanation: explanation ?? null,
      interfaces: spec?.interfaces ?? [],
      isDesign: spec?.role === 'designer',
    }
  })
}

function landedAs(sha: string, real: LandedOutput | null): string {
  const where = `landed as ${sha.slice(0, 12)}`
  if (real === null) return where
  const files = real.files.length + real.more
  return `${where}: ${counted(files, 'file')}, +${real.added} -${real.removed}`
}

const existing = ({ files }: LandedOutput): readonly string[] =>
  files.filter(({ kind }) => kind !== 'deleted').map(({ path }) => path)

const changeLines = ({ files, more }: LandedOutput): readonly string[] => [
  ...files.map(({ path, kind, added, removed }) => `${quoted(path, 300)} ${kind} +${added} -${removed}`),
  ...(more > 0 ? [`and ${more} more`] : []),
]

function nameLines({ names }: LandedOutput): readonly string[] {
  return (['added', 'changed', 'removed'] as const).flatMap((what) => {
    const listed = names[what].map((name) => quoted(name))
    return listed.length === 0 ? [] : [`${what} ${listed.join(', ')}`]
  })
}
