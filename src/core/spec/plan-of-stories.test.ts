import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRequirement, aSpec, storiesInput } from '../../../test/helpers/specs.ts'
import { parseYamlText, yamlOf } from '../../lib/files/yaml-text.ts'
import { completePlan } from '../planning/complete-plan.ts'
import type { Plan } from '../planning/plan.ts'
import { readPlan } from '../planning/readers/read-plan.ts'
import { NO_FACTS } from '../planning/task-files.ts'
import { defaultSettings } from '../settings/settings.ts'
import type { Story, StoryTask } from './architect-messages.ts'
import { planIdOfSpec, planRecord } from './plan-of-stories.ts'
import { readSpec } from './read-spec.ts'
import { storiesByRules } from './stories-by-rules.ts'

const planText = (...given: Parameters<typeof planRecord>): string => yamlOf(planRecord(...given))
const forms = { yaml: parseYamlText, json: parseYamlText }
const read = (text: string): Plan =>
  completePlan(readPlan({ source: 'p.yaml', text }, forms), NO_FACTS, defaultSettings())

const aStory = (given: Partial<StoryTask> = {}): Story => ({
  id: 'S-001',
  title: 'Export',
  requirements: ['R-001'],
  depends_on: [],
  tasks: [
    {
      id: 'S-001.1',
      title: 'Export',
      description: 'Add the export.',
      kind: 'code',
      role: 'developer',
      area: null,
      depends_on: [],
      files: { create: ['src/export.js'], modify: [], delete: [] },
      tests_to_add: ['test/export.test.js'],
      acceptance_criteria: [{ requirement: 'R-001', text: 'one line per row' }],
      ...given,
    },
  ],
})

describe('the plan of stories', () => {
  it('takes the constraints and the testing of a spec for every task', () => {
    const notes = [
      { heading: 'Constraints', text: '- no new dependency\n- Node 20' },
      { heading: 'Testing', text: 'with node --test' },
      { heading: 'Users', text: 'teachers' },
    ]
    const spec = aSpec([aRequirement('R-001')], { notes })
    const plan = read(planText(spec, storiesByRules(storiesInput(spec))))
    expect(plan.header.constraints).toEqual(['no new dependency', 'Node 20', 'with node --test'])
  })

  it('demands the design that later tasks build from, and guesses the files of the others', () => {
    const design = 'docs/plans/export-design.md'
    const files = { create: [design], modify: [], delete: [] }
    const designed = aStory({ id: 'S-001.0', kind: 'design', role: 'designer', files, tests_to_add: [] })
    const story = { ...aStory(), tasks: [...designed.tasks, ...aStory().tasks] }
    const { tasks } = read(planText(aSpec([aRequirement('R-001')]), [story], { design }))
    expect(tasks.map(({ inferred }) => inferred.includes('files'))).toEqual([false, true])
  })

  it('is a plan without problems that traces every task to its requirement', () => {
    const spec = aSpec([aRequirement('R-001'), aRequirement('R-002', { dependsOn: ['R-001'] })])
    const plan = read(planText(spec, storiesByRules(storiesInput(spec))))
    expect(plan.problems).toEqual([])
    expect(plan.header).toMatchObject({ id: 'export-of-reports', title: spec.title, goal: spec.vision })
    expect(
      plan.tasks.map(({ id, story, role, requirements, dependsOn }) => ({
        id,
        story,
        role,
        requirements,
        dependsOn,
      })),
    ).toEqual([
      { id: 'S-001.1', story: 'S-001', role: 'developer', requirements: ['R-001'], dependsOn: [] },
      { id: 'S-002.1', story: 'S-002', role: 'developer', requirements: ['R-002'], dependsOn: ['S-001.1'] },
    ])
    expect(plan.tasks[0]?.acceptanceCriteria).toEqual(['R-001 returns 1'])
    expect(plan.tasks[1]?.nonGoals).toEqual(['PDF'])
  })

  it('contains its spec', () => {
    const spec = aSpec([aRequirement('R-001')])
    const kept = readSpec(read(planText(spec, [aStory()])).spec ?? '').spec
    expect(kept).toMatchObject({
      title: spec.title,
      requirements: [{ id: 'R-001', criteria: ['R-001 returns 1'] }],
    })
  })

  it('names files as a guess, so that a change elsewhere is for review and no fault', () => {
    const [task] = read(planText(aSpec([aRequirement('R-001')]), [aStory()])).tasks
    expect(task?.files.create).toEqual(['src/export.js'])
    expect(task?.testsToAdd).toEqual(['test/export.test.js'])
    expect(task?.inferred).toContain('files')
  })

  it('asks for no failing test of work that is finished before it is tested', () => {
    const [task] = read(
      planText(aSpec([aRequirement('R-001')]), [aStory({ role: 'tester', kind: 'test' })]),
    ).tasks
    expect(task?.testsToAdd).toEqual([])
    expect(task?.description).toContain('Write them into test/export.test.js.')
  })

  it('lets a later task modify what an earlier one creates', () => {
    const second = { ...aStory({ id: 'S-002.1' }), id: 'S-002', depends_on: ['S-001'] }
    const plan = read(planText(aSpec([aRequirement('R-001')]), [aStory(), second]))
    expect(plan.problems).toEqual([])
    expect(plan.tasks.map(({ files }) => [files.create, files.modify])).toEqual([
      [['src/export.js'], []],
      [[], ['src/export.js']],
    ])
  })

  it('is named by the first three words of its title', () => {
    expect(planIdOfSpec({ title: 'Export  of reports to CSV' })).toBe('export-of-reports')
  })

  it('leaves gates, checks, commands and limits to the rules and the user', () => {
    const plan = read(planText(aSpec([aRequirement('R-001')]), [aStory()]))
    expect(plan.environment).toEqual({})
    expect(plan.integration).toEqual([])
    expect(plan.tasks[0]).toMatchObject({
      gates: ['unit', 'lint'],
      heldOut: [],
      testsToRun: [],
      timeBudgetMs: 3_600_000,
    })
  })

  it('finds the risk of a requirement whatever words the story uses for it', () => {
    const requirement = aRequirement('R-001', {
      title: 'Log in with a password',
      description: 'Users authenticate with a password; a session token is issued.',
    })
    const [task] = read(
      planText(aSpec([requirement]), [aStory({ title: 'Add a form', description: 'A form.' })]),
    ).tasks
    expect(task).toMatchObject({ tier: 'critical', securityFlags: ['auth'] })
  })

  it('raises the tier of a story that touches the workflows of the forge', () => {
    const files = { create: ['.github/workflows/deploy.yml'], modify: [], delete: [] }
    expect(read(planText(aSpec([aRequirement('R-001')]), [aStory({ files })])).tasks[0]?.tier).toBe(
      'critical',
    )
  })

  it('keeps any text as text: nothing in a spec or a story becomes a key of the plan', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.constantFrom(
        'x"\nenvironment: { test: "true" }\ny: "',
        "'\ntasks: []\n",
        '\n  gates: []\n',
        '- &a [*a]\n',
        '!!js/function x',
        '--- \n...\n',
        '\t\ttabs\n\t: x',
        '# Feature: y\n\nspec: |\n',
        '\u2028environment: {}',
      ),
    )
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, description, criterion) => {
        const spec = aSpec([aRequirement('R-001', { title, description, criteria: [criterion] })], {
          title,
          vision: description,
          outOfScope: [criterion],
        })
        const text = planText(spec, [
          aStory({ title, description, acceptance_criteria: [{ requirement: 'R-001', text: criterion }] }),
        ])
        const { value, errors } = parseYamlText(text)
        expect(errors).toEqual([])
        expect(Object.keys(value as object)).toEqual(['plan', 'title', 'goal', 'spec', 'tasks'])
        const [task] = (value as { tasks: Record<string, unknown>[] }).tasks
        expect(
          Object.keys(task ?? {}).filter(
            (key) => !['ownership', 'non_goals', 'tier', 'security_flags'].includes(key),
          ),
        ).toEqual([
          'id',
          'title',
          'description',
          'depends_on',
          'acceptance_criteria',
          'files',
          'inferred',
          'tests_to_add',
          'requirements',
          'story',
          'role',
        ])
      }),
      { numRuns: 200 },
    )
  })
})
