/** Turns a reviewer's report into a verdict, and corrects reports that contradict themselves. */
import type { ReviewIssue } from '../event-schemas/schemas.ts'

/** A reviewer's findings, parsed. */
export interface ReviewReport {
  readonly verdict: 'approved' | 'changes_requested'
  readonly summary: string
  readonly issues: readonly ReviewIssue[]
}

export interface JudgedReview extends ReviewReport {
  /** Why the rules changed the reviewer's verdict; null where they did not. */
  readonly remark: string | null
}

/** Null for a report that requests changes without naming any. */
export function judgeReview(
  report: ReviewReport,
  settings: { readonly passMinor?: boolean | undefined },
): JudgedReview | null {
  const { verdict, summary, issues } = report
  const hasIssue = (severity: ReviewIssue['severity']): boolean =>
    issues.some((issue) => issue.severity === severity)
  if (verdict === 'approved') {
    return hasIssue('critical')
      ? { ...report, verdict: 'changes_requested', remark: 'it approved but named critical issues' }
      : { ...report, remark: null }
  }
  if (issues.length === 0) {
    if (summary.trim() === '') return null
    const issue: ReviewIssue = { severity: 'major', description: summary, location: '', howToFix: '' }
    return { ...report, issues: [issue], remark: null }
  }
  if (hasIssue('critical') || hasIssue('major') || settings.passMinor === true)
    return { ...report, remark: null }
  return {
    ...report,
    verdict: 'approved',
    remark: 'it requested changes, but all its issues are minor; they are noted here',
  }
}

/** The issues a fixer has to resolve. */
export function issuesToFix(
  issues: readonly ReviewIssue[],
  settings: { readonly passMinor?: boolean | undefined },
): readonly ReviewIssue[] {
  return settings.passMinor === true ? issues : issues.filter(({ severity }) => severity !== 'minor')
}
