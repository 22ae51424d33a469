import { describe, expect, test } from 'vitest'
import type { ReviewIssue } from '../event-schemas/schemas.ts'
import { issuesToFix, judgeReview, type ReviewReport } from './judge-review.ts'

const issue = (severity: ReviewIssue['severity']): ReviewIssue => ({
  severity,
  description: severity,
  location: 'a.ts:1',
  howToFix: '',
})
const review = (verdict: ReviewReport['verdict'], ...of: ReviewIssue['severity'][]): ReviewReport => ({
  verdict,
  summary: '',
  issues: of.map(issue),
})

describe('a reviewer’s verdict', () => {
  test.each([
    ['approved', [], 'approved'],
    ['approved', ['major', 'minor'], 'approved'],
    ['approved', ['minor', 'critical'], 'changes_requested'],
    ['changes_requested', ['critical'], 'changes_requested'],
    ['changes_requested', ['major', 'minor'], 'changes_requested'],
    ['changes_requested', ['minor', 'minor'], 'approved'],
  ] as const)('%s with %j is %s', (given, of, verdict) => {
    const judged = judgeReview(review(given, ...of), {})
    expect(judged?.verdict).toBe(verdict)
    expect(judged?.issues).toHaveLength(of.length)
    expect(judged?.remark === null).toBe(given === verdict)
  })

  test('that requests minor changes is kept where minor issues are passed on', () => {
    expect(judgeReview(review('changes_requested', 'minor'), { passMinor: true })?.verdict).toBe(
      'changes_requested',
    )
  })

  test('that requests changes without issues turns its summary into one, and is dropped without a summary', () => {
    const judged = judgeReview({ ...review('changes_requested'), summary: 'it leaks' }, {})
    expect(judged?.issues).toEqual([
      { severity: 'major', description: 'it leaks', location: '', howToFix: '' },
    ])
    expect(judgeReview({ ...review('changes_requested'), summary: ' ' }, {})).toBeNull()
  })
})

test('a fixer gets minor issues only where the settings ask for them', () => {
  const issues = [issue('critical'), issue('minor'), issue('major')]
  expect(issuesToFix(issues, {}).map(({ severity }) => severity)).toEqual(['critical', 'major'])
  expect(issuesToFix(issues, { passMinor: true })).toEqual(issues)
})
