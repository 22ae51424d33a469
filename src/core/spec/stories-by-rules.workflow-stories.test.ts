import { describe, expect, test } from 'vitest'
import { aRequirement, aSpec, storiesInput } from '../../../test/helpers/specs.ts'
import { WORKFLOWS } from '../intake/workflows.ts'
import { storiesByRules, withWorkflowStories } from './stories-by-rules.ts'
import { storyProblems } from './story-problems.ts'

const SPEC = aSpec([aRequirement('R-001'), aRequirement('R-002')])
const STORIES = storiesByRules(storiesInput(SPEC))
const under = (workflow: keyof typeof WORKFLOWS, stories = STORIES, spec = SPEC) =>
  withWorkflowStories(stories, {
    spec,
    roles: WORKFLOWS[workflow].roles,
    designPath: 'docs/plans/export-design.md',
  })
const tasksOf = (stories: ReturnType<typeof under>) =>
  stories.flatMap(({ tasks }) => tasks.map(({ id, role }) => [id, role]))

describe('the stories that a workflow adds', () => {
  test('are none where it has neither a designer nor a tester', () => {
    expect(under('light')).toEqual(STORIES)
  })

  test('are a design before the work of a large feature', () => {
    const stories = under('planned')
    expect(tasksOf(stories)[0]).toEqual(['D-001.1', 'designer'])
    expect(stories[0]?.tasks[0]?.files.create).toEqual(['docs/plans/export-design.md'])
    expect(stories.slice(1).every(({ depends_on }) => depends_on.includes('D-001'))).toBe(true)
    expect(storyProblems(stories, ['R-001', 'R-002'])).toEqual([])
  })

  test('are a design and tests of the whole for a project, the set-up before them', () => {
    const setUp = aSpec([aRequirement('R-001')])
    const stories = under('project', storiesByRules(storiesInput(SPEC, { setUp })))
    expect(tasksOf(stories)).toEqual([
      ['SB-001.1', 'developer'],
      ['D-001.1', 'designer'],
      ['S-001.1', 'developer'],
      ['S-002.1', 'developer'],
      ['T-001.1', 'tester'],
    ])
    expect(storyProblems(stories, ['B-001', 'R-001', 'R-002'])).toEqual([])
  })

  test('do not repeat what the architect wrote', () => {
    const [first, ...rest] = STORIES
    if (first === undefined) throw new Error('no story')
    const designed = [
      { ...first, tasks: first.tasks.map((task) => ({ ...task, role: 'designer' as const })) },
      ...rest,
    ]
    expect(under('planned', designed)).toEqual(designed)
  })
})
