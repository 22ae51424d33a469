/** How a request is written: what it looks like, not what it asks for. */
import type { IntakeForm } from './intake.ts'
import type { RequestText } from './request-text.ts'

const SPEC_HEAD = /^#\s+feature\s*:/im
const SPEC_REQUIREMENT = /^###\s+R-\d{3,4}\b/m
const PLAN_TASK = /^#{2,4}\s+(?:\W{0,3})(?:task|step)\s+[\d.]{1,8}\s*[:.—–-]/im
const SPEC_KIT_TASK = /^[-*] \[[ xX]\] T\d{3}\b/m
const PLAN_KEY = /^tasks:\s*(?:$|\[)/m
const PLAN_HEADING = /^#{1,3}\s.{0,80}\b(implementation plan|plan|tasks|task list)\s*$/im
const BOX = /^\s{0,4}[-*] \[[ xX]\] \S/gm
const ISSUE_HEADING =
  /^(?:#{1,6}\s+|\*\*)\W{0,4}(?:describe the (?:bug|issue|problem)|steps to reproduce|to reproduce|how to reproduce|reproduction|expected|actual|current behaviou?r|environment|system info|version|is your feature request|describe the solution|describe alternatives|additional context|possible solution|what happened|checklist)/im
const ISSUE_TITLE =
  /^\W{0,3}\[?(?:bug|feature|feat|enhancement|regression|crash|request|issue)\]?\s*(?:\(.{1,30}\))?\s*:/i

/** The ending of the file decides where it is known to be a plan; else what the text looks like. */
export function formOf(text: string, request: RequestText): IntakeForm {
  const start = text.slice(0, 400_000)
  if (SPEC_HEAD.test(start) || SPEC_REQUIREMENT.test(start)) return 'spec'
  if (isPlan(start)) return 'plan'
  if (ISSUE_HEADING.test(start) || ISSUE_TITLE.test(start.trimStart())) return 'issue'
  if (request.code !== '' && request.words < 400 && /\b(error|exception|traceback)\b/i.test(start))
    return 'issue'
  return request.words > 60 || request.headings.length > 1 || request.items.length > 2 ? 'brief' : 'sentence'
}

function isPlan(text: string): boolean {
  if (PLAN_KEY.test(text) && /^\s*-?\s*"?(id|title)"?:/m.test(text)) return true
  if (/^\s*\{/.test(text) && /"tasks"\s*:\s*\[/.test(text)) return true
  if (PLAN_TASK.test(text) || SPEC_KIT_TASK.test(text)) return true
  return PLAN_HEADING.test(text) && (text.match(BOX)?.length ?? 0) >= 3
}
