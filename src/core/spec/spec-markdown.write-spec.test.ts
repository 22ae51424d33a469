import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSpec } from './read-spec.ts'
import { isNone, specText } from './spec-markdown.ts'
import { REQUIREMENT_TYPES, SPEC_PRIORITIES, type Requirement, type Spec } from './spec.ts'

const WORDS = [
  'report',
  'a',
  'CSV',
  '10 ms',
  '`code`',
  'naïve',
  '日本',
  '"quoted"',
  'C:\\temp',
  'x*y',
  '(see)',
  '50 %',
]
const words = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
  .map((list) => list.join(' '))
/** Everything that could be taken for structure. */
const tricky = fc.constantFrom(
  '# Feature: other',
  '## Vision',
  '### R-009: other',
  '**Type:** functional',
  'Priority: must',
  '- [ ] a box',
  '* item',
  '1. one',
  '1) [x] two',
  '```json',
  '~~~',
  '``` code ``` text',
  '<!-- hidden -->',
  'text <!-- hidden --> text',
  '---',
  '===',
  '> quote',
  '| a | b |',
  '\\# escaped',
  'ends with \\',
  'a\\*b \\`c`',
  '[ ] box',
  '**In Scope:**',
  '#### Acceptance Criteria',
  'title with ** stars **',
  'C#',
  'ends #',
  'Dependencies: R-001',
  '    indented',
)
const line = fc.oneof(words, tricky)
const text = fc
  .oneof(line, fc.string({ unit: 'binary', maxLength: 30 }), fc.string({ maxLength: 30 }))
  .filter((one) => !isNone(one.replaceAll('\0', '').replaceAll(/\s+/g, ' ')))
const prose = fc
  .oneof(
    { arbitrary: fc.array(line, { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n')), weight: 2 },
    { arbitrary: text, weight: 1 },
  )
  .filter((one) => one.replaceAll('\0', '').trim() !== '')

const requirements = (
  one: fc.Arbitrary<string>,
  block: fc.Arbitrary<string>,
): fc.Arbitrary<readonly Requirement[]> =>
  fc
    .array(
      fc.record({
        title: one,
        type: fc.constantFrom(...REQUIREMENT_TYPES),
        priority: fc.constantFrom(...SPEC_PRIORITIES),
        needs: fc.array(fc.nat(20), { maxLength: 3 }),
        description: block,
        criteria: fc.array(one, { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((list) =>
      list.map(({ needs, ...rest }, at) => ({
        ...rest,
        id: `R-${String(at + 1).padStart(3, '0')}`,
        dependsOn: [...new Set(needs.filter((need) => need < at))].map(
          (need) => `R-${String(need + 1).padStart(3, '0')}`,
        ),
        line: 0,
      })),
    )

const noteHeading = fc.constantFrom('Users', 'Constraints', 'Testing', 'Notes on C#', 'Open points')

const specs = (one: fc.Arbitrary<string>, block: fc.Arbitrary<string>): fc.Arbitrary<Spec> =>
  fc.record({
    version: fc.constantFrom('1.0', '2', 'v3.1-beta'),
    priority: fc.constantFrom(...SPEC_PRIORITIES),
    created: fc.constantFrom('2026-11-16', '2024-02-29T10:00:00Z'),
    title: one,
    vision: block,
    inScope: fc.array(one, { minLength: 1, maxLength: 3 }),
    outOfScope: fc.array(one, { maxLength: 3 }),
    requirements: requirements(one, block),
    notes: fc.array(fc.record({ heading: noteHeading, text: block }), { maxLength: 2 }),
  })

const lineless = (spec: Spec | null): unknown =>
  spec === null ? null : { ...spec, requirements: spec.requirements.map((one) => ({ ...one, line: 0 })) }

describe('specText', () => {
  it('reads back to the same spec', () => {
    const paragraphs = fc.array(words, { minLength: 1, maxLength: 3 }).map((list) => list.join('\n\n'))
    fc.assert(
      fc.property(specs(words, paragraphs), (spec) => {
        const read = readSpec(specText(spec))
        expect(read.problems).toEqual([])
        expect(lineless(read.spec)).toEqual(lineless(spec))
      }),
      { numRuns: 150 },
    )
  })

  it('reads back whatever the text looks like: no text becomes structure', () => {
    fc.assert(
      fc.property(specs(text, prose), (spec) => {
        const written = specText(spec)
        const read = readSpec(written)
        expect(read.problems, written).toEqual([])
        expect(read.spec?.requirements.map(({ criteria }) => criteria.length)).toEqual(
          spec.requirements.map(({ criteria }) => criteria.length),
        )
        expect(specText(read.spec ?? spec)).toBe(written)
      }),
      { numRuns: 300 },
    )
  })

  it('keeps a block of code as it is', () => {
    const description = 'Like this:\n\n```json\n# not a title\n- [ ] not a box\n```\n\nand that.'
    const spec: Spec = {
      version: '1',
      priority: 'must',
      created: '2026-11-16',
      title: 'T',
      vision: 'V',
      inScope: ['a'],
      outOfScope: [],
      notes: [],
      requirements: [
        {
          id: 'R-001',
          title: 't',
          type: 'functional',
          priority: 'must',
          dependsOn: [],
          description,
          criteria: ['c'],
          line: 0,
        },
      ],
    }
    expect(specText(spec)).toContain('```json\n# not a title\n- [ ] not a box\n```')
    expect(readSpec(specText(spec)).spec?.requirements[0]?.description).toBe(description)
  })
})
