/** docs/releases/<plan>-notes.md: what a release breaks, and how whoever uses it moves on. */
import { breaksIn } from '../../gates/contract/contract-gate.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { inline } from '../review-artifact.ts'

/** Whether others have to change something: the plan says so, or a person let a broken contract through. */
export const isBreaking = ({ spec, overrides }: Pick<TaskState, 'spec' | 'overrides'>): boolean =>
  spec.breakingChange || overrides.some(({ what }) => what === 'contract')

/** Null where nothing breaks. Markdown that the common formatters leave as it is. */
export function releaseNotes(state: PlanState): string | null {
  const breaking = [...state.tasks.values()].filter((task) => !task.dropped && isBreaking(task))
  if (breaking.length === 0) return null
  const intro = `This release breaks what others may rely on. The manifest beside this file lists everything it holds.`
  const blocks = [`# Release notes of ${inline(state.plan.title)}`, intro, ...breaking.flatMap(taskBlocks)]
  return `${blocks.join('\n\n')}\n`
}

function taskBlocks(task: TaskState): readonly string[] {
  const { spec, commit } = task
  const note =
    task.verdicts?.find(({ gate }) => gate === 'review_note')?.evidence.reviewNote ??
    task.draft?.report?.reviewNote ??
    null
  const broken = breaksIn(task.verdicts ?? []).map(
    ({ text, file }) => `- ${inline(text)}${file === null ? '' : ` (\`${inline(file)}\`)`}`,
  )
  const offered = spec.interfaces.map((text) => `- ${inline(text)}`)
  const by = task.overrides.filter(({ what }) => what === 'contract').map((one) => inline(one.by))
  return [
    `## ${inline(`${spec.id}: ${spec.title}`)}`,
    inline(note?.summary ?? spec.title),
    ...(broken.length === 0 ? [] : [`What breaks:`, broken.join('\n')]),
    ...(offered.length === 0 ? [] : [`What is there now:`, offered.join('\n')]),
    ...(by.length === 0 ? [] : [`The plan did not announce it; ${by.join(', ')} let it through.`]),
    `To go back: ${inline(note?.rollback ?? '') || 'revert the commit.'}`,
    ...(commit === null ? [] : [`Commit \`${commit.sha}\`.`]),
  ]
}
