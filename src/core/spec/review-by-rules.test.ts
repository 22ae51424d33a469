import { describe, expect, it } from 'vitest'
import { aRequirement, aSpec } from '../../../test/helpers/specs.ts'
import { feedbackOf, reviewByRules } from './review-by-rules.ts'
import type { Requirement, Spec } from './spec.ts'

const FILES = ['src/lib/settings.js', 'src/theme.js', 'src/users.js', 'README.md']
const texts = (spec: Spec, kind: 'objection' | 'note', files: readonly string[] | null = FILES) =>
  reviewByRules(spec, files)
    .filter((one) => one.kind === kind)
    .map(({ requirement, text }) => `${requirement ?? 'spec'}: ${text}`)
const objections = (given: Partial<Requirement>): readonly string[] =>
  texts(aSpec([aRequirement('R-001', given)]), 'objection')

describe('the review of a spec by rules', () => {
  it('has nothing to object to in a careful spec', () => {
    const requirement = aRequirement('R-001', {
      title: 'Export as CSV',
      description: 'Extend `src/theme.js`, and create `src/export.js` for the format.',
      criteria: ['`exportCsv([])` returns the header only', 'an export of 10,000 rows takes less than 1 s'],
    })
    expect(texts(aSpec([requirement]), 'objection')).toEqual([])
  })

  it('objects to a file that exists elsewhere, with the one that was probably meant', () => {
    expect(objections({ description: 'Change src/settings.js.' })).toEqual([
      'R-001: it names src/settings.js, which does not exist. Did you mean src/lib/settings.js? If it is new, say "create src/settings.js".',
    ])
  })

  it('takes a file that is to be created for a new one', () => {
    expect(objections({ description: 'Create src/settings.js for the page.' })).toEqual([])
    const spec = aSpec([aRequirement('R-001', { description: 'Put it into src/export.js.' })])
    expect(texts(spec, 'note')).toEqual([
      'R-001: src/export.js does not exist yet and is planned as a new file.',
    ])
    expect(texts(spec, 'note', null)).toEqual([])
  })

  it('objects to what is undecided', () => {
    expect(objections({ criteria: ['the limit is TBD'] })).toHaveLength(1)
    expect(objections({ description: 'The name is ???' })).toHaveLength(1)
  })

  it('objects to an open choice and to a contradiction', () => {
    expect(objections({ description: 'Store the sessions in either Redis or Postgres.' })).toEqual([
      'R-001: "Store the sessions in either Redis or Postgres." leaves a choice open. Choose one: Redis or Postgres.',
    ])
    expect(
      objections({
        criteria: ['the export includes deleted rows', 'the export does not include deleted rows'],
      }),
    ).toHaveLength(1)
  })

  it('objects to criteria of which none can be measured, and only notes one among others', () => {
    expect(objections({ criteria: ['the page is user-friendly'] })).toHaveLength(1)
    const mixed = aSpec([
      aRequirement('R-001', { criteria: ['the page is user-friendly', '`render()` returns HTML'] }),
    ])
    expect(texts(mixed, 'objection')).toEqual([])
    expect(texts(mixed, 'note')).toHaveLength(1)
  })

  it('objects to a requirement that is several requirements', () => {
    const criteria = Array.from({ length: 21 }, (_, at) => `case ${at} returns ${at}`)
    expect(objections({ criteria })).toEqual([
      'R-001: it has 21 criteria. Split it into requirements of at most 20.',
    ])
  })

  it('objects to what is in scope and out of it', () => {
    const spec = aSpec([aRequirement('R-001', { title: 'The PDF export' })], {
      inScope: ['Support for CSV export'],
      outOfScope: ['CSV export', 'PDF export'],
    })
    expect(texts(spec, 'objection')).toEqual([
      'spec: "Support for CSV export" is in scope and out of scope. Remove one of the two.',
      'R-001: "PDF export" is out of scope. Remove one of the two.',
    ])
  })

  it('objects to a requirement that is there twice', () => {
    const same = { title: 'Export', criteria: ['one line per row'] }
    const spec = aSpec([aRequirement('R-001', same), aRequirement('R-002', same)])
    expect(texts(spec, 'objection')).toEqual(['R-002: it says the same as R-001. Remove one of the two.'])
  })

  it('notes a must that depends on less', () => {
    const spec = aSpec([
      aRequirement('R-001', { dependsOn: ['R-002'] }),
      aRequirement('R-002', { priority: 'could' }),
    ])
    expect(texts(spec, 'objection')).toEqual([])
    expect(texts(spec, 'note')).toEqual([
      'R-001: it is a must and depends on R-002, which is only a could; R-002 is built as well.',
    ])
  })

  it('numbers its points', () => {
    const spec = aSpec([aRequirement('R-001', { criteria: ['TBD', 'the limit is ???'] })])
    expect(feedbackOf(reviewByRules(spec, []))).toBe(
      '1. R-001: "TBD" is undecided. Decide it.\n2. R-001: "the limit is ???" is undecided. Decide it.',
    )
  })
})
