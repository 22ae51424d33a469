/**
 * Stories as a plan. The text has the keys that stories may decide and no others: commands, gates, checks, tiers and
 * limits come from the user's settings and from the rules that read the plan.
 */
import { oneLine } from '../../lib/text/counted.ts'
import { planIdFor } from '../planning/ids.ts'
import type { TaskType } from '../planning/plan.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import { classifyTask, type TierVerdict } from '../planning/tiers.ts'
import { kindOfPath, normalPath } from '../languages/paths.ts'
import type { Story, StoryTask } from './architect-messages.ts'
import type { Requirement, Spec } from './spec.ts'
import { itemOf } from '../planning/readers/markdown/marks.ts'
import type { WrittenTask } from '../planning/readers/yaml-schema.ts'
import { taskDependencies } from './story-problems.ts'
import { specText } from './spec-markdown.ts'

const MOST_NON_GOALS = 20
const LONGEST_DESCRIPTION = 6000
const MOST_CONSTRAINTS = 40
const LONGEST_CONSTRAINT = 500

export interface PlanOptions {
  /** The plan's id; without one the title makes it. */
  readonly id?: string | undefined
  /** What kind of change all its tasks make, where that is known. */
  readonly type?: TaskType | undefined
  /** Whether each task is reviewed as normal work at least. */
  readonly isFullyReviewed?: boolean | undefined
  /** Where the approved spec is committed. */
  readonly specFile?: string | undefined
  /** The document that a task of the plan writes, and that reviews go by. */
  readonly design?: string | undefined
  /** Requirements that are not in the spec: those of an empty repository's set-up. */
  readonly others?: readonly Requirement[] | undefined
}

/** The id of the n-th plan that a spec of such a title becomes, from 1. */
export const planIdOfSpec = ({ title }: Pick<Spec, 'title'>, n = 1): string => planIdFor(oneLine(title), n)

/** A plan under the keys of a plan file. The stories must have no problem (`storyProblems`). */
export function planRecord(
  spec: Spec,
  stories: readonly Story[],
  options: PlanOptions = {},
): Readonly<Record<string, unknown>> {
  const { id = planIdOfSpec(spec), design, specFile } = options
  const constraints = constraintsOf(spec)
  return {
    plan: id,
    title: clip(oneLine(spec.title), 200),
    ...(design === undefined ? {} : { design }),
    goal: spec.vision,
    ...(constraints.length === 0 ? {} : { constraints }),
    ...(specFile === undefined ? {} : { spec_file: specFile }),
    spec: specText(spec),
    tasks: plannedTasks(spec, stories, options),
  }
}

/** What holds for every task: the lines of `## Constraints` and `## Testing`. */
export const constraintsOf = ({ notes }: Pick<Spec, 'notes'>): readonly string[] =>
  notes
    .filter(({ heading }) => /^(?:constraints|testing)$/i.test(heading))
    .flatMap(({ text }) => text.split('\n'))
    .map((line) => clip(oneLine(itemOf(line)?.text ?? line), LONGEST_CONSTRAINT))
    .filter((line) => line !== '')
    .slice(0, MOST_CONSTRAINTS)

/** The tasks of the stories under the keys of a plan file, in the order in which the stories are written. */
export function plannedTasks(
  spec: Spec,
  stories: readonly Story[],
  { others = [], type, isFullyReviewed = false, design }: PlanOptions = {},
): readonly WrittenTask[] {
  const requirements = new Map([...others, ...spec.requirements].map((one) => [one.id, one]))
  const written = new Set<string>()
  const needs = new Map(taskDependencies(stories).map(({ id, dependsOn }) => [id, dependsOn]))
  const nonGoals = spec.outOfScope.slice(0, MOST_NON_GOALS).map(oneLine)
  return stories.flatMap((story) =>
    story.tasks.map((task): WrittenTask => {
      const traced = [...new Set(task.acceptance_criteria.map(({ requirement }) => requirement))]
      const sources = traced.flatMap((id) => requirements.get(id) ?? [])
      const files = filesOf(task, written)
      const tests = isOfFinishedWork(task) ? [] : task.tests_to_add
      const risk = riskOf(task, sources)
      const tier = risk.tier === 'critical' ? 'critical' : isFullyReviewed ? 'normal' : undefined
      return {
        id: task.id,
        title: clip(oneLine(task.title), 200),
        description: descriptionOf(task, sources),
        ...(task.area === null ? {} : { ownership: task.area }),
        depends_on: (needs.get(task.id) ?? []).filter((id) => id !== task.id),
        acceptance_criteria: criteriaOf(task, traced),
        // What else has to change shows in the work: other files are for review, and no fault. Later tasks build from the design.
        ...(Object.values(files).flat().length === 0 ? {} : { files }),
        ...(files.create.includes(design ?? '') || Object.values(files).flat().length === 0
          ? {}
          : { inferred: ['files'] }),
        ...(nonGoals.length === 0 ? {} : { non_goals: nonGoals }),
        // Without a list, the plan's rules derive them from the files.
        ...(isOfFinishedWork(task) || tests.length > 0 ? { tests_to_add: tests } : {}),
        requirements: traced,
        story: story.id,
        role: task.role,
        ...(type === undefined ? {} : { type }),
        ...(tier === undefined ? {} : { tier }),
        ...(risk.flags.length === 0 ? {} : { security_flags: risk.flags }),
      }
    }),
  )
}

/** What an earlier task creates is there for a later one to modify. */
function filesOf({ files }: StoryTask, written: Set<string>): StoryTask['files'] {
  const isWritten = (path: string): boolean => written.has(normalPath(path))
  const create = files.create.filter((path) => !isWritten(path))
  const modify = [...new Set([...files.modify, ...files.create.filter(isWritten)])]
  for (const path of create) written.add(normalPath(path))
  return { create, modify, delete: files.delete }
}

/** Its tests pass from the start, so that no contract can ask for them to fail on the base. */
const isOfFinishedWork = ({ role, kind }: StoryTask): boolean => role === 'tester' || kind === 'test'

/** What its requirements touch; a story cannot say otherwise. Documents and tests about something do not touch it. */
function riskOf(task: StoryTask, requirements: readonly Requirement[]): Pick<TierVerdict, 'tier' | 'flags'> {
  const { create, modify, delete: deleted } = task.files
  const paths = [...create, ...modify, ...deleted, ...task.tests_to_add]
  const isHarmless = paths.length > 0 && paths.every((path) => ['doc', 'test'].includes(kindOfPath(path)))
  if (isHarmless) return { tier: 'normal', flags: [] }
  const verdicts = requirements.map(({ title }) => classifyTask({ title, paths: [] }))
  return {
    tier: verdicts.some(({ tier }) => tier === 'critical') ? 'critical' : 'normal',
    flags: [...new Set(verdicts.flatMap(({ flags }) => flags))],
  }
}

/** The story's words, then the requirement's own: no wording of a story hides what a requirement says. */
function descriptionOf(task: StoryTask, requirements: readonly Requirement[]): string {
  const tests =
    isOfFinishedWork(task) && task.tests_to_add.length > 0
      ? `\n\nWrite them into ${task.tests_to_add.join(', ')}.`
      : ''
  const own = `${task.description.trim()}${tests}`.trim()
  const sources = requirements
    .map(({ id, title, description }) => `${id}: ${oneLine(title)}\n${description.trim()}`)
    .filter((text) => !own.includes(text))
  return clip([own, ...sources].filter((text) => text !== '').join('\n\n'), LONGEST_DESCRIPTION)
}

/** With several requirements, each criterion names its own. */
function criteriaOf(task: StoryTask, traced: readonly string[]): readonly string[] {
  const texts = task.acceptance_criteria.map(({ requirement, text }) => {
    const plain = oneLine(text)
    return traced.length > 1 && !plain.startsWith(requirement) ? `${requirement}: ${plain}` : plain
  })
  return [...new Set(texts)]
}
