/** What a reviewer's report comes to. Its word is taken, but for what contradicts itself. */
import type { ReviewIssue } from '../event-schemas/schemas.ts'

/** A reviewer's findings, parsed. */
export interface ReviewReport {
  readonly verdict: 'approved' | 'changes_requested'
  readonly summary: string
  readonly issues: readonly ReviewIssue[]
}

export interface JudgedReview extends ReviewReport {
  /** Why the verdict is another one than the reviewer's; null where it is the same. */
  readonly remark: string | null
}

/** Null: a report that says nothing one could act on is none. */
export function judgeReview(
  report: ReviewReport,
  settings: { readonly passMinor?: boolean | undefined },
): JudgedReview | null {
  const { verdict, summary, issues } = report
  const isTold = (severity: ReviewIssue['severity']): boolean =>
    issues.some((issue) => issue.severity === severity)
  if (verdict === 'approved') {
    return isTold('critical')
      ? { ...report, verdict: 'changes_requested', remark: 'it approved, and named critical issues' }
      : { ...report, remark: null }
  }
  if (issues.length === 0) {
    if (summary.trim() === '') return null
    const said: ReviewIssue = { severity: 'major', description: summary, location: '', howToFix: '' }
    return { ...report, issues: [said], remark: null }
  }
  if (isTold('critical') || isTold('major') || settings.passMinor === true) return { ...report, remark: null }
  return {
    ...report,
    verdict: 'approved',
    remark: 'it asked for changes, and all its issues are minor: they are noted here',
  }
}

/** What a fixer has to put right. */
export function issuesToFix(
  issues: readonly ReviewIssue[],
  settings: { readonly passMinor?: boolean | undefined },
): readonly ReviewIssue[] {
  return settings.passMinor === true ? issues : issues.filter(({ severity }) => severity !== 'minor')
}
