import { describe, expect, it } from 'vitest'
import type { Story, StoryTask } from './architect-messages.ts'
import { storyProblems } from './story-problems.ts'

const task = (id: string, given: Partial<StoryTask> = {}): StoryTask => ({
  id,
  title: id,
  description: '',
  kind: 'code',
  role: 'developer',
  area: null,
  depends_on: [],
  files: { create: [], modify: [], delete: [] },
  tests_to_add: [],
  acceptance_criteria: [{ requirement: 'R-001', text: 'it works' }],
  ...given,
})
const story = (id: string, given: Partial<Story> = {}): Story => ({
  id,
  title: id,
  requirements: ['R-001'],
  depends_on: [],
  tasks: [task(`${id}.1`)],
  ...given,
})
const found = (stories: readonly Story[], requirements: readonly string[] = ['R-001']): readonly string[] =>
  storyProblems(stories, requirements)

describe('problems of stories', () => {
  it('are none where every requirement is built and every dependency exists', () => {
    expect(found([story('S-001'), story('S-002', { depends_on: ['S-001'] })])).toEqual([])
  })

  it.each<[string, readonly Story[], string]>([
    ['no stories', [], 'there is no story'],
    ['an id twice', [story('S-001'), story('S-001')], 'the story id S-001 is used twice'],
    [
      'an id that is no name',
      [story('S-001', { tasks: [task('rm -rf /')] })],
      'the task id "rm -rf /" does not have the form S-001.1',
    ],
    [
      'ids that become the same branch',
      [story('S-001', { tasks: [task('S-001.1'), task('S-001-1')] })],
      'the task ids S-001.1 and S-001-1 are too similar',
    ],
    [
      'an unknown requirement',
      [story('S-001', { requirements: ['R-001', 'R-009'] })],
      'story S-001 names "R-009", which is not a requirement',
    ],
    [
      'a criterion of another story',
      [
        story('S-001', {
          tasks: [
            task('S-001.1'),
            task('S-001.2', { acceptance_criteria: [{ requirement: 'R-002', text: 'x' }] }),
          ],
        }),
      ],
      'a criterion of task S-001.2 names "R-002", which story S-001 does not',
    ],
    [
      'an unknown story',
      [story('S-001', { depends_on: ['S-002'] })],
      'story S-001 depends on "S-002", which is not a story (did you mean S-001?)',
    ],
    [
      'an unknown task',
      [story('S-001', { tasks: [task('S-001.1', { depends_on: ['X-9'] })] })],
      'task S-001.1 depends on "X-9", which is not a task',
    ],
    [
      'a cycle of tasks',
      [
        story('S-001', {
          tasks: [task('S-001.1', { depends_on: ['S-001.2'] }), task('S-001.2', { depends_on: ['S-001.1'] })],
        }),
      ],
      'cycle S-001.1 → S-001.2 → S-001.1',
    ],
    [
      'a cycle through stories',
      [story('S-001', { depends_on: ['S-002'] }), story('S-002', { depends_on: ['S-001'] })],
      'cycle S-001.1 → S-002.1 → S-001.1',
    ],
    ['a story that needs itself', [story('S-001', { depends_on: ['S-001'] })], 'cycle S-001.1 → S-001.1'],
  ])('name %s', (_what, stories, problem) => {
    expect(found(stories)).toContain(problem)
  })

  it('name a requirement that nothing builds, also if it is designed or tested', () => {
    const designed = story('D-1', { tasks: [task('D-1.1', { kind: 'design', role: 'designer' })] })
    expect(found([designed])).toEqual(['no task that builds something has a criterion of requirement R-001'])
  })

  it.each<[string, string]>([
    ['/etc/passwd', 'leaves the repository'],
    ['~/.ssh/config', 'leaves the repository'],
    ['C:\\Windows\\x', 'leaves the repository'],
    ['../other/x', 'leaves the repository'],
    ['src/../../x', 'leaves the repository'],
    ['src/../x', 'leaves the repository'],
    ['.git/hooks/pre-commit', "is part of git's own data"],
    ['.GIT/config', "is part of git's own data"],
    ['sub/.git./config', "is part of git's own data"],
    ['git~1/config', "is part of git's own data"],
    ['bosun.yaml', 'holds the settings of Bosun, which only the user changes'],
    ['./Bosun.yml', 'holds the settings of Bosun, which only the user changes'],
    ['packages/a/bosun.yaml', 'holds the settings of Bosun, which only the user changes'],
    ['docs/releases/shop-release.yaml', 'is a record that Bosun writes'],
    ['src/**', 'is a pattern; name single files'],
    ['.', 'is the whole repository'],
    ['a\nb', 'contains control characters'],
  ])('name the path %j, in every field', (path, why) => {
    const problem = `task S-001.1 names ${JSON.stringify(path)}, which ${why}`
    const files = { create: [], modify: [], delete: [] }
    const given: readonly Partial<StoryTask>[] = [
      { files: { ...files, create: [path] } },
      { files: { ...files, modify: [path] } },
      { files: { ...files, delete: [path] } },
      { tests_to_add: [path] },
      { area: path },
    ]
    for (const one of given)
      expect(found([story('S-001', { tasks: [task('S-001.1', one)] })])).toContain(problem)
  })
})
