/** A person's decision about an open point of the plan, for briefs and records. */
import type { PlanAnswer } from '../ambiguities/plan-question.ts'
import { plainLine, quoted } from '../../../lib/text/quoted.ts'

/** In characters. */
const LONGEST = 2000

export function decisionLine({ words, decision, by }: PlanAnswer): string {
  const open = `The plan leaves open ${quoted(words, 300)}`
  const who = plainLine(by)
  return decision === null
    ? `${open}: ${who} leaves it to you. Decide it, and note your decision and its reason in \`explanation\` of your report.`
    : `${open}. ${who} decided: ${plainLine(decision, LONGEST)}`
}
