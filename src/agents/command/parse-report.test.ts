import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reportSchema, reviewIssueSchema } from '../../core/event-schemas/schemas.ts'
import { parseReport, parseReview } from './parse-report.ts'

const report = (value: unknown) => parseReport(JSON.stringify(value))
const review = (value: unknown) => parseReview(JSON.stringify(value))

describe('a report', () => {
  test('may contain every key', () => {
    const { value, notes } = report({
      explanation: 'by hand',
      self_assessment: 'uncertain',
      blockers: ['a'],
      ambiguities: ['b'],
      risks: ['slow', { description: 'lossy', severity: 'critical' }],
      review_note: { summary: 's', risks: ['r'], rollback: 'revert' },
      criteria: [{ criterion: 2, file: 'a.js', line: 3 }],
      files: { created: ['a.js'] },
      tests: { added: ['a.test.js'], command: 'npm test', evidence: '1 passed' },
      lint: { evidence: 'clean' },
      usage: { tokens_in: 10, usd: 0.5 },
      unknown: 'ignored',
    })
    expect(notes).toEqual([])
    expect(value).toEqual({
      explanation: 'by hand',
      selfAssessment: 'uncertain',
      blockers: ['a'],
      ambiguities: ['b'],
      risks: [
        { description: 'slow', severity: 'normal' },
        { description: 'lossy', severity: 'critical' },
      ],
      reviewNote: { summary: 's', risks: ['r'], rollback: 'revert' },
      criteria: [{ criterion: '2', file: 'a.js', line: 3 }],
      files: { created: ['a.js'], modified: [], deleted: [] },
      tests: { added: ['a.test.js'], command: 'npm test', evidence: '1 passed' },
      lint: { added: [], command: null, evidence: 'clean' },
      usage: { tokensIn: 10, tokensOut: null, usd: 0.5 },
    })
  })

  test('may be empty', () => {
    expect(report({})).toEqual({
      value: {
        explanation: '',
        selfAssessment: null,
        blockers: [],
        risks: [],
        reviewNote: null,
        criteria: [],
      },
      notes: [],
    })
  })

  test('a key of the wrong type counts as absent, and is noted', () => {
    const { value, notes } = report({ explanation: 3, self_assessment: 'sure', blockers: 'none', tests: [] })
    expect(value).toMatchObject({ explanation: '', selfAssessment: null, blockers: [] })
    expect(notes.map((note) => note.split(':', 1)[0])).toEqual([
      'explanation',
      'self_assessment',
      'blockers',
      'tests',
    ])
  })

  test.each([
    ['critical', 'critical'],
    ['Critical', 'critical'],
    [' CRITICAL ', 'critical'],
    ['high', 'critical'],
    ['blocker', 'critical'],
    ['apocalyptic', 'critical'],
    ['normal', 'normal'],
    ['Medium', 'normal'],
    ['', 'normal'],
    [7, 'normal'],
    [undefined, 'normal'],
    ['Low', 'low'],
    ['minor', 'low'],
  ])(
    'a risk whose severity is %j counts as %s: a word that is not known is for a person',
    (severity, counts) => {
      const { value } = report({ risks: [{ description: 'lossy', severity }] })
      expect(value?.risks).toEqual([{ description: 'lossy', severity: counts }])
    },
  )

  test('what a worker cannot decide counts as a sentence and as an object that has one', () => {
    const { value, notes } = report({
      blockers: [{ description: 'no access' }],
      ambiguities: [{ description: 'why?' }, 'how?'],
    })
    expect([value?.blockers, value?.ambiguities, notes]).toEqual([['no access'], ['why?', 'how?'], []])
  })

  test.each(['None', 'none.', 'No blockers', 'N/A', '-'])(
    'a list that says there are none names none: %j',
    (none) => {
      const { value, notes } = report({ blockers: [none], ambiguities: [none], risks: [none] })
      expect([value?.blockers, value?.ambiguities, value?.risks, notes]).toEqual([[], [], [], []])
    },
  )

  test('a risk of the review note keeps its severity', () => {
    const { value, notes } = report({
      review_note: {
        summary: 's',
        risks: ['slow', { description: 'lossy', severity: 'critical' }],
        rollback: '',
      },
    })
    expect(value?.reviewNote?.risks).toEqual(['slow', 'lossy'])
    expect(value?.risks).toEqual([{ description: 'lossy', severity: 'critical' }])
    expect(notes).toEqual([])
  })

  test('leaves out only the invalid elements of a list', () => {
    const { value, notes } = report({ criteria: [{ criterion: 1, file: 'a', line: 1 }, { criterion: 2 }] })
    expect(value?.criteria).toHaveLength(1)
    expect(notes[0]).toMatch(/^criteria\[1\]: /)
  })

  test('cuts values that are too long, with a note', () => {
    const { value, notes } = report({
      explanation: 'x'.repeat(100_000),
      blockers: Array.from({ length: 900 }, () => 'b'),
    })
    expect(value?.explanation.length).toBeLessThan(20_100)
    expect(value?.blockers).toHaveLength(500)
    expect(notes).toEqual(['blockers: only the first 500 of 900 were kept'])
  })

  test('is refused unless it is a JSON object', () => {
    for (const text of ['', '{ broken', '[]', 'null', '"text"']) {
      const { value, notes } = parseReport(text)
      expect([value, notes.length]).toEqual([null, 1])
    }
  })

  test('can be logged whatever it contains', () => {
    const keys = [
      'explanation',
      'self_assessment',
      'blockers',
      'risks',
      'review_note',
      'criteria',
      'files',
      'tests',
      'usage',
      '__proto__',
    ]
    const anything = fc.dictionary(fc.constantFrom(...keys), fc.jsonValue())
    fc.assert(
      fc.property(anything, (value) => {
        expect(reportSchema.safeParse(report(value).value).success).toBe(true)
      }),
    )
  })
})

describe('a review', () => {
  test('is its verdict and its issues, the gravest first', () => {
    const { value } = review({
      verdict: 'changes_requested',
      minor: ['a typo'],
      critical: [{ description: 'loses data', location: 'a.js:1', how_to_fix: 'do not' }],
    })
    expect(value).toEqual({
      verdict: 'changes_requested',
      summary: '',
      issues: [
        { severity: 'critical', description: 'loses data', location: 'a.js:1', howToFix: 'do not' },
        { severity: 'minor', description: 'a typo', location: '', howToFix: '' },
      ],
    })
  })

  test('is refused without a verdict', () => {
    expect(review({ summary: 'fine' }).value).toBeNull()
    expect(review({ verdict: 'lgtm' })).toMatchObject({
      value: null,
      notes: [expect.stringContaining('verdict')],
    })
  })

  test('has issues that can be logged, whatever it contains', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (major) => {
        const { value } = review({ verdict: 'approved', major })
        for (const issue of value?.issues ?? []) expect(reviewIssueSchema.safeParse(issue).success).toBe(true)
      }),
    )
  })
})
