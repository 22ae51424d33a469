/** docs/releases/<plan>-notes.md: the breaking changes of a release, and how to migrate or roll back. */
import { breaksIn } from '../../gates/break-findings.ts'
import type { PlanState, TaskState } from '../../state/state.ts'
import { inline } from '../review-artifact.ts'

/** The plan declares it breaking, or a person overrode the contract gate. */
export const isBreaking = ({ spec, overrides }: Pick<TaskState, 'spec' | 'overrides'>): boolean =>
  spec.breakingChange || overrides.some(({ what }) => what === 'contract')

/** Null without breaking changes. Common formatters leave the Markdown unchanged. */
export function releaseNotes(state: PlanState): string | null {
  const breaking = [...state.tasks.values()].filter((task) => !task.dropped && isBreaking(task))
  if (breaking.length === 0) return null
  const intro = `This release contains breaking changes. The manifest beside this file lists everything in it.`
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
    ...(offered.length === 0 ? [] : [`What replaces it:`, offered.join('\n')]),
    ...(by.length === 0 ? [] : [`The plan did not declare it; approved by ${by.join(', ')}.`]),
    `Rollback: ${inline(note?.rollback ?? '') || 'revert the commit.'}`,
    ...(commit === null ? [] : [`Commit \`${commit.sha}\`.`]),
  ]
}
