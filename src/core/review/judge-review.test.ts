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
  ] as const)('%s with %j is %s', (said, of, verdict) => {
    const judged = judgeReview(review(said, ...of), {})
    expect(judged?.verdict).toBe(verdict)
    expect(judged?.issues).toHaveLength(of.length)
    expect(judged?.remark === null).toBe(said === verdict)
  })

  test('that asks for minor changes stands where minor issues are passed on', () => {
    expect(judgeReview(review('changes_requested', 'minor'), { passMinor: true })?.verdict).toBe(
      'changes_requested',
    )
  })

  test('that asks for changes and names none is its summary, or nothing at all', () => {
    const said = judgeReview({ ...review('changes_requested'), summary: 'it leaks' }, {})
    expect(said?.issues).toEqual([{ severity: 'major', description: 'it leaks', location: '', howToFix: '' }])
    expect(judgeReview({ ...review('changes_requested'), summary: ' ' }, {})).toBeNull()
  })
})

test('a fixer is not given minor issues unless they are asked for', () => {
  const issues = [issue('critical'), issue('minor'), issue('major')]
  expect(issuesToFix(issues, {}).map(({ severity }) => severity)).toEqual(['critical', 'major'])
  expect(issuesToFix(issues, { passMinor: true })).toEqual(issues)
})
