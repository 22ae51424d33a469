/** Names made of ids: plans, tasks and workers, and the order ids are read in. */
import type { PlanDraft } from './draft.ts'

export const PLAN_ID_LENGTH = 40
/** More of a name than anybody writes. */
const LONGEST_NAME = 2_000
const TASK_SLUG_LENGTH = 60

/** Lower-case letters, digits and single dashes; empty where the text has none. */
export function slug(text: string, length: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, length)
    .replace(/-+$/, '')
}

type NamedPlan = Pick<PlanDraft, 'id' | 'source' | 'title'>

/** What the author calls the plan, else its file's name, else its title. */
export function planId(draft: NamedPlan): string {
  const { slug: whole } = wholePlanId(draft)
  if (whole.length <= PLAN_ID_LENGTH) return whole
  // Two long names that begin alike stay two: what was cut off is in the last eight characters.
  const mark = fingerprint(whole)
  return `${slug(whole, PLAN_ID_LENGTH - mark.length - 1)}-${mark}`
}

/** An id that is too long to be used as it is. */
export interface CutPlanId {
  readonly whole: string
  readonly id: string
  /** Whether the author wrote it as the plan's id. */
  readonly isSaid: boolean
  /** What earlier builds made of it. */
  readonly former: string
}

/** Null where the plan's id is whole. */
export function cutPlanId(draft: NamedPlan): CutPlanId | null {
  const { slug: whole, isSaid } = wholePlanId(draft)
  if (whole.length <= PLAN_ID_LENGTH) return null
  return { whole, id: planId(draft), isSaid, former: slug(whole, PLAN_ID_LENGTH) }
}

function wholePlanId(draft: NamedPlan): { readonly slug: string; readonly isSaid: boolean } {
  const said = slug(draft.id ?? '', LONGEST_NAME)
  if (said !== '') return { slug: said, isSaid: true }
  const named = [planNameOf(draft.source), draft.title ?? ''].map((name) => slug(name, LONGEST_NAME))
  const found = named.find((name) => name !== '')
  return { slug: found ?? `plan-${fingerprint(`${draft.source}\n${draft.title ?? ''}`)}`, isSaid: false }
}

/** The file name without its date, its ending and `-plan`; empty for standard input. */
function planNameOf(source: string): string {
  if (source === '-') return ''
  const name = source.split(/[\\/]/).at(-1) ?? ''
  return name
    .replace(/\.[A-Za-z0-9]+$/, '')
    .replace(/^(\d{4}-\d{2}-\d{2}|\d{8})[-_. ]+/, '')
    .replace(/[-_. ]plan$/i, '')
}

/** A task's id as part of a name: `T-01` → `t-01`, `1.2` → `1-2`. */
export function idSlug(id: string): string {
  const plain = slug(id, TASK_SLUG_LENGTH)
  return plain === '' ? fingerprint(id) : plain
}

/** A task's name in branches, review notes and commits: `7` → `task-7`. */
export function taskName(id: string): string {
  const plain = idSlug(id)
  return /^task-./.test(plain) ? plain : `task-${plain}`
}

/** The worker of a task's n-th launch: `w-shop-7-1`. */
export function workerId(plan: string, taskId: string, attempt: number): string {
  return `w-${plan}-${idSlug(taskId)}-${attempt}`
}

/** The reviewer of what that launch made: `w-shop-7-1-review-2`. */
export function reviewerId(plan: string, taskId: string, attempt: number, round: number): string {
  return `${workerId(plan, taskId, attempt)}-review-${round}`
}

/** Ids as people count: T-2 before T-10, 1.2 before 1.10, 10 before 10a. A total order. */
export function compareIds(a: string, b: string): number {
  const left = a.match(/\d+|\D+/g) ?? []
  const right = b.match(/\d+|\D+/g) ?? []
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const order = compareParts(left[at] ?? '', right[at] ?? '')
    if (order !== 0) return order
  }
  return left.length - right.length || compareText(a, b)
}

function compareParts(a: string, b: string): number {
  const [numberA, numberB] = [/^\d/.test(a), /^\d/.test(b)]
  if (numberA !== numberB) return numberA ? -1 : 1
  if (!numberA) return compareText(a, b)
  const [digitsA, digitsB] = [a.replace(/^0+/, ''), b.replace(/^0+/, '')]
  return digitsA.length - digitsB.length || compareText(digitsA, digitsB)
}

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** Eight characters that stand for a text in which no letter fits a name (FNV-1a). */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
