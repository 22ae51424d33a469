/** Stories that nobody judged: each requirement is one task; and a design and tests where the workflow wants them. */
import { oneLine } from '../../lib/text/counted.ts'
import type { ProjectContext } from '../intake/project-context.ts'
import type { WorkflowRole } from '../intake/workflows.ts'
import { graphOf, topologicalOrder } from '../planning/dependencies/order.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import type { Story, StoryTask } from './architect-messages.ts'
import { SPEC_PRIORITIES, type Requirement, type Spec } from './spec.ts'

/** What the architect knows about the work. */
export interface ArchitectFacts {
  readonly project: ProjectContext
  /** The files of the repository; null where there are none to look at. */
  readonly files: readonly string[] | null
  /** Who takes part, in the order of the workflow. */
  readonly roles: readonly WorkflowRole[]
}

export interface StoriesInput extends ArchitectFacts {
  readonly spec: Spec
  /** What an empty repository needs first; null where there is a project already. */
  readonly setUp: Spec | null
}

/** As many as a task may have; a longer list becomes several tasks, one after the other. */
const CRITERIA_OF_A_TASK = 40
const LONGEST_TITLE = 120
const LONGEST_CRITERION = 1000
/** In every task, so that its worker and its reviewer know. */
export const NOT_JUDGED =
  'Not judged: no model split or worded this task; it is the requirement as it was written.'

export function storiesByRules(input: StoriesInput): readonly Story[] {
  const { spec, setUp } = input
  const first = setUp === null ? [] : storiesOf(setUpRequirements(setUp), { input, after: [] })
  const after = first.map(({ id }) => id)
  return [...first, ...storiesOf(spec.requirements, { input, after })]
}

/** The requirements of a set-up get ids of their own: both specs count from R-001. */
export const setUpRequirements = (setUp: Spec): readonly Requirement[] => {
  const renamed = (id: string): string => id.replace(/^R-/, 'B-')
  return setUp.requirements.map((one) => ({
    ...one,
    id: renamed(one.id),
    dependsOn: one.dependsOn.map(renamed),
  }))
}

interface Writing {
  readonly input: StoriesInput
  /** Stories that come before all of these. */
  readonly after: readonly string[]
}

const storyId = (requirement: string): string =>
  requirement.startsWith('B-') ? `SB-${requirement.slice(2)}` : `S-${requirement.slice(2)}`

function storiesOf(requirements: readonly Requirement[], writing: Writing): readonly Story[] {
  return inOrder(requirements).map((requirement) => {
    const id = storyId(requirement.id)
    return {
      id,
      title: clip(oneLine(requirement.title), LONGEST_TITLE),
      requirements: [requirement.id],
      depends_on: [...new Set([...requirement.dependsOn.map(storyId), ...writing.after])],
      tasks: tasksOf(requirement, id, writing),
    }
  })
}

/** Dependencies first; then `must` before `should` before `could`; then as written. */
function inOrder(requirements: readonly Requirement[]): readonly Requirement[] {
  const rank = ({ priority }: Requirement): number => SPEC_PRIORITIES.indexOf(priority)
  const ranked = requirements.toSorted((a, b) => rank(a) - rank(b))
  return topologicalOrder(graphOf(ranked)).flatMap((place) => ranked[place] ?? [])
}

function tasksOf(requirement: Requirement, story: string, writing: Writing): StoryTask[] {
  const parts = chunks(requirement.criteria, CRITERIA_OF_A_TASK)
  return parts.map((criteria, at): StoryTask => {
    const title = clip(oneLine(requirement.title), LONGEST_TITLE)
    return {
      id: `${story}.${at + 1}`,
      title: parts.length === 1 ? title : `${title} (part ${at + 1} of ${parts.length})`,
      description: describe(requirement),
      kind: kindOf(requirement),
      role: roleOf(writing.input.roles),
      area: null,
      depends_on: at === 0 ? [] : [`${story}.${at}`],
      files: { create: [], modify: [], delete: [] },
      tests_to_add: [],
      acceptance_criteria: criteria.map((text) => ({
        requirement: requirement.id,
        text: clip(oneLine(text), LONGEST_CRITERION),
      })),
    }
  })
}

/** As even as possible. */
function chunks<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  const many = Math.max(1, Math.ceil(items.length / most))
  const size = Math.ceil(items.length / many)
  return Array.from({ length: many }, (_, at) => items.slice(at * size, (at + 1) * size)).filter(
    (part) => part.length > 0,
  )
}

function kindOf({ type }: Requirement): StoryTask['kind'] {
  if (type === 'documentation') return 'docs'
  return type === 'infrastructure' ? 'infrastructure' : 'code'
}

const roleOf = (roles: readonly WorkflowRole[]): StoryTask['role'] =>
  roles.includes('fixer') && !roles.includes('developer') ? 'fixer' : 'developer'

const describe = ({ id, title, description }: Requirement): string =>
  `${id}: ${oneLine(title)}\n${description.trim()}\n\n${NOT_JUDGED}`.slice(0, 8000)

/** As many as a task may have. */
const MOST_CRITERIA = 40
const LONGEST_STORY_TITLE = 160

export interface Process {
  readonly spec: Spec
  readonly roles: readonly WorkflowRole[]
  /** Where the design is written. */
  readonly designPath: string
}

export const designPathOf = (plan: string): string => `docs/plans/${plan}-design.md`

export function withWorkflowStories(stories: readonly Story[], process: Process): readonly Story[] {
  const lacks = (role: StoryTask['role']): boolean =>
    process.roles.some((one) => one === role) &&
    !stories.some(({ tasks }) => tasks.some((task) => task.role === role))
  const designed = lacks('designer') ? withDesign(stories, process) : stories
  return lacks('tester') ? [...designed, testStory(designed, process)] : designed
}

/** Set-up first: its stories trace to requirements of their own. */
function withDesign(stories: readonly Story[], process: Process): readonly Story[] {
  const own = new Set(process.spec.requirements.map(({ id }) => id))
  const isSetUp = ({ requirements }: Story): boolean => !requirements.some((id) => own.has(id))
  const first = stories.filter(isSetUp)
  const design = designStory(
    first.map(({ id }) => id),
    process,
  )
  const rest = stories
    .filter((story) => !isSetUp(story))
    .map((story) => ({ ...story, depends_on: [...story.depends_on, design.id] }))
  return [...first, design, ...rest]
}

const designStory = (after: readonly string[], { spec, designPath }: Process): Story =>
  wholeStory(spec, {
    id: 'D-001',
    after,
    title: `Design: ${spec.title}`,
    description: `Write ${designPath}: how each requirement is built, which modules and interfaces change, and what was decided against. Others build from it.`,
    kind: 'design',
    role: 'designer',
    create: [designPath],
    criterionFor: (id) => `${designPath} says how ${id} is built, and where`,
  })

const testStory = (stories: readonly Story[], { spec }: Process): Story =>
  wholeStory(spec, {
    id: 'T-001',
    after: stories.map(({ id }) => id),
    title: `Tests of the whole: ${spec.title}`,
    description: 'Add tests across the finished tasks, through the interfaces that users and programs call.',
    kind: 'test',
    role: 'tester',
    create: [],
    criterionFor: (id) => `A test shows ${id} through an interface that users or programs call`,
  })

interface WholeTask extends Pick<StoryTask, 'id' | 'title' | 'description' | 'kind' | 'role'> {
  readonly after: readonly string[]
  readonly create: readonly string[]
  readonly criterionFor: (requirement: string) => string
}

/** A story of one task that concerns every requirement. */
function wholeStory(
  spec: Spec,
  { id, after, title: named, create, criterionFor, ...task }: WholeTask,
): Story {
  const requirements = spec.requirements.slice(0, MOST_CRITERIA).map((one) => one.id)
  const title = clip(oneLine(named), LONGEST_STORY_TITLE)
  return {
    id,
    title,
    requirements,
    depends_on: after,
    tasks: [
      {
        id: `${id}.1`,
        title,
        ...task,
        area: null,
        depends_on: [],
        files: { create, modify: [], delete: [] },
        tests_to_add: [],
        acceptance_criteria: requirements.map((requirement) => ({
          requirement,
          text: criterionFor(requirement),
        })),
      },
    ],
  }
}
