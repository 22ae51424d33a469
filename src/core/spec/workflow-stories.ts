/** The stories that the workflow adds where the architect wrote none: a design before the work, tests after it. */
import { oneLine } from '../../lib/text/one-line.ts'
import type { WorkflowRole } from '../intake/workflows.ts'
import { clip } from '../planning/readers/markdown/inline.ts'
import type { Story, StoryTask } from './architect-messages.ts'
import type { Spec } from './spec.ts'

/** As many as a task may have. */
const MOST_CRITERIA = 40
const LONGEST_TITLE = 160

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
  storyOf(spec, {
    id: 'D-001',
    after,
    task: {
      title: `Design: ${spec.title}`,
      description: `Write ${designPath}: how each requirement is built, which modules and interfaces change, and what was decided against. Others build from it.`,
      kind: 'design',
      role: 'designer',
      files: { create: [designPath], modify: [], delete: [] },
      criterionFor: (id) => `${designPath} says how ${id} is built, and where`,
    },
  })

const testStory = (stories: readonly Story[], { spec }: Process): Story =>
  storyOf(spec, {
    id: 'T-001',
    after: stories.map(({ id }) => id),
    task: {
      title: `Tests of the whole: ${spec.title}`,
      description:
        'Add tests across the finished tasks, through the interfaces that users and programs call.',
      kind: 'test',
      role: 'tester',
      files: { create: [], modify: [], delete: [] },
      criterionFor: (id) => `A test shows ${id} through an interface that users or programs call`,
    },
  })

function storyOf(
  spec: Spec,
  {
    id,
    after,
    task: { title, criterionFor, ...task },
  }: {
    readonly id: string
    readonly after: readonly string[]
    readonly task: Pick<StoryTask, 'title' | 'description' | 'kind' | 'role' | 'files'> & {
      readonly criterionFor: (requirement: string) => string
    }
  },
): Story {
  const requirements = spec.requirements.slice(0, MOST_CRITERIA).map((one) => one.id)
  return {
    id,
    title: clip(oneLine(title), LONGEST_TITLE),
    requirements,
    depends_on: [...after],
    tasks: [
      {
        id: `${id}.1`,
        title: clip(oneLine(title), LONGEST_TITLE),
        ...task,
        area: null,
        depends_on: [],
        tests_to_add: [],
        acceptance_criteria: requirements.map((requirement) => ({
          requirement,
          text: criterionFor(requirement),
        })),
      },
    ],
  }
}
