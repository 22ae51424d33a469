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

export function formOf(text: string, { lines }: Pick<RequestText, 'lines'>): IntakeForm {
  const start = text.slice(0, 400_000)
  if (SPEC_HEAD.test(start) || SPEC_REQUIREMENT.test(start)) return 'spec'
  if (isPlan(start)) return 'plan'
  return lines > 1 ? 'brief' : 'sentence'
}

function isPlan(text: string): boolean {
  if (PLAN_KEY.test(text) && /^\s*-?\s*"?(id|title)"?:/m.test(text)) return true
  if (/^\s*\{/.test(text) && /"tasks"\s*:\s*\[/.test(text)) return true
  if (PLAN_TASK.test(text) || SPEC_KIT_TASK.test(text)) return true
  return PLAN_HEADING.test(text) && (text.match(BOX)?.length ?? 0) >= 3
}

const BRIEF_FILE = /^project[-_ ]?brief\.\w+$/i
const BRIEF_TITLE = /^\W{0,4}project[- _]?brief\b/i

/** Whether it is a project brief by its file's name or its title, as the template has them. */
export const isProjectBrief = (request: Pick<RequestText, 'title'>, fileName: string | null): boolean =>
  BRIEF_FILE.test(fileName ?? '') || BRIEF_TITLE.test(request.title)
