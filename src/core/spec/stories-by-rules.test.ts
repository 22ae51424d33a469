import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aRequirement, aSpec, storiesInput } from '../../../test/helpers/specs.ts'
import { storySchema } from './architect-messages.ts'
import { storiesByRules } from './stories-by-rules.ts'
import { storyProblems } from './story-problems.ts'

const FILES = [
  'package.json',
  'src/pages/settings.js',
  'src/pages/home.js',
  'src/theme.js',
  'src/export.js',
  'test/export.test.js',
  'test/theme.test.js',
]

describe('stories without a model', () => {
  it('are one for each requirement, dependencies first, then by priority', () => {
    const spec = aSpec([
      aRequirement('R-001', { priority: 'could' }),
      aRequirement('R-002', { dependsOn: ['R-003'] }),
      aRequirement('R-003', { priority: 'should' }),
    ])
    const stories = storiesByRules(storiesInput(spec))
    expect(stories.map(({ id, requirements, depends_on: needs }) => [id, requirements, needs])).toEqual([
      ['S-003', ['R-003'], []],
      ['S-002', ['R-002'], ['S-003']],
      ['S-001', ['R-001'], []],
    ])
    expect(stories.flatMap(({ tasks }) => tasks.map(({ id, role }) => [id, role]))).toEqual([
      ['S-003.1', 'developer'],
      ['S-002.1', 'developer'],
      ['S-001.1', 'developer'],
    ])
  })

  it('take every criterion once, with its requirement', () => {
    const criteria = Array.from({ length: 17 }, (_, at) => `case ${at} returns ${at}`)
    const [story] = storiesByRules(storiesInput(aSpec([aRequirement('R-001', { criteria })])))
    expect(story?.tasks.map(({ acceptance_criteria: of }) => of.length)).toEqual([6, 6, 5])
    expect(story?.tasks.flatMap(({ acceptance_criteria: of }) => of.map(({ text }) => text))).toEqual(
      criteria,
    )
    expect(story?.tasks.map(({ title, depends_on: needs }) => [title, needs])).toEqual([
      ['Title of R-001 (part 1 of 3)', []],
      ['Title of R-001 (part 2 of 3)', ['S-001.1']],
      ['Title of R-001 (part 3 of 3)', ['S-001.2']],
    ])
  })

  it('take files that the text names, existing and new, and their tests by the convention', () => {
    const description = 'Extend `src/export.js` and create src/formats/json.js for it.'
    const spec = aSpec([aRequirement('R-001', { description })])
    const [task] = storiesByRules(storiesInput(spec, { files: FILES }))[0]?.tasks ?? []
    expect(task).toMatchObject({
      files: { create: ['src/formats/json.js'], modify: ['src/export.js'], delete: [] },
      tests_to_add: ['test/json.test.js', 'test/export.test.js'],
      area: 'src',
    })
  })

  it('find a file by the words of the title where none is named', () => {
    const spec = aSpec([aRequirement('R-001', { title: 'Add dark mode toggle to settings page' })])
    const [task] = storiesByRules(storiesInput(spec, { files: FILES }))[0]?.tasks ?? []
    expect(task?.files.modify).toEqual(['src/pages/settings.js'])
    expect(task?.description).toContain('Probably concerned, by their names: src/pages/settings.js.')
    expect(task?.tests_to_add).toEqual(['test/settings.test.js'])
  })

  it('name no file where the words point to none', () => {
    const spec = aSpec([aRequirement('R-001', { title: 'Import contacts' })])
    const [task] = storiesByRules(storiesInput(spec, { files: FILES }))[0]?.tasks ?? []
    expect(task).toMatchObject({
      files: { create: [], modify: [], delete: [] },
      area: null,
      tests_to_add: ['test/import-contacts.test.js'],
    })
  })

  it('of large work begin with a design and end with tests of the whole', () => {
    const spec = aSpec([aRequirement('R-001'), aRequirement('R-002', { dependsOn: ['R-001'] })])
    const roles = ['architect', 'designer', 'developer', 'reviewer', 'tester'] as const
    const stories = storiesByRules(storiesInput(spec, { roles }))
    expect(stories.map(({ id, depends_on: needs, tasks }) => [id, needs, tasks[0]?.role])).toEqual([
      ['D-1', [], 'designer'],
      ['S-001', ['D-1'], 'developer'],
      ['S-002', ['S-001', 'D-1'], 'developer'],
      ['T-1', ['S-001', 'S-002'], 'tester'],
    ])
    expect(stories[0]?.tasks[0]?.files.create).toEqual(['docs/design/export-of-reports.md'])
  })

  it('of a fix are for the fixer', () => {
    const stories = storiesByRules(
      storiesInput(aSpec([aRequirement('R-001')]), { roles: ['fixer', 'reviewer'] }),
    )
    expect(stories[0]?.tasks[0]?.role).toBe('fixer')
  })

  it('of an empty repository begin with its set-up, under ids of its own', () => {
    const setUp = aSpec([aRequirement('R-001', { type: 'infrastructure' })])
    const stories = storiesByRules(storiesInput(aSpec([aRequirement('R-001')]), { setUp }))
    expect(stories.map(({ id, requirements, depends_on: needs }) => [id, requirements, needs])).toEqual([
      ['SB-001', ['B-001'], []],
      ['S-001', ['R-001'], ['SB-001']],
    ])
  })

  it('have no problem and fit their schema, whatever the spec says', () => {
    const text = fc.oneof(
      fc.string({ minLength: 1, maxLength: 300 }).filter((one) => one.trim() !== ''),
      fc.constantFrom(
        '../../etc/passwd',
        '`/etc/hosts`',
        'edit .git/config',
        '`bosun.yaml`',
        'src/a.ts src/b.py',
        '`docs/releases/x-release.yaml`',
      ),
    )
    const requirement = fc.record({
      title: text,
      description: text,
      criteria: fc.array(text, { minLength: 1, maxLength: 30 }),
      type: fc.constantFrom('functional' as const, 'infrastructure' as const, 'documentation' as const),
      priority: fc.constantFrom('must' as const, 'could' as const),
      needs: fc.array(fc.nat(5), { maxLength: 3 }),
    })
    fc.assert(
      fc.property(fc.array(requirement, { minLength: 1, maxLength: 6 }), fc.boolean(), (drafts, isLarge) => {
        const name = (at: number): string => `R-${String(at + 1).padStart(3, '0')}`
        const spec = aSpec(
          drafts.map(({ needs, ...one }, at) =>
            aRequirement(name(at), {
              ...one,
              dependsOn: [...new Set(needs.filter((need) => need < at))].map(name),
            }),
          ),
        )
        const roles = isLarge ? (['designer', 'developer', 'tester'] as const) : (['developer'] as const)
        const stories = storiesByRules(storiesInput(spec, { roles, files: FILES }))
        expect(
          storyProblems(
            stories,
            spec.requirements.map(({ id }) => id),
          ),
        ).toEqual([])
        for (const story of stories) expect(storySchema.safeParse(story).error).toBeUndefined()
      }),
      { numRuns: 150 },
    )
  })
})
