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

  it('are one task each, with every criterion once, and say that nobody judged them', () => {
    const criteria = Array.from({ length: 17 }, (_, at) => `case ${at} returns ${at}`)
    const [story] = storiesByRules(storiesInput(aSpec([aRequirement('R-001', { criteria })])))
    expect(story?.tasks).toHaveLength(1)
    expect(story?.tasks[0]?.acceptance_criteria.map(({ text }) => text)).toEqual(criteria)
    expect(story?.tasks[0]?.description).toContain('Not judged')
  })

  it('name no files and no tests, whatever the words say', () => {
    const spec = aSpec([aRequirement('R-001', { description: 'Change src/a.js, and add src/b.js.' })])
    const [story] = storiesByRules(storiesInput(spec, { files: ['src/a.js', 'test/a.test.js'] }))
    expect(story?.tasks[0]).toMatchObject({
      area: null,
      files: { create: [], modify: [], delete: [] },
      tests_to_add: [],
    })
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
      criteria: fc.array(text, { minLength: 1, maxLength: 90 }),
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
