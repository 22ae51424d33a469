/** Ids and names of plans, tasks and workers. */
import type { PlanDraft } from './draft.ts'

export const PLAN_ID_LENGTH = 40
const LONGEST_NAME = 2_000
const TASK_SLUG_LENGTH = 60

/** Lower-case letters, digits and single dashes; may be empty. */
export function slug(text: string, length: number): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mark}+|['’]/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, length)
    .replace(/-+$/, '')
}

/** Where the spec of a plan is committed. */
export const specPath = (plan: string): string => `docs/specs/${plan}.md`

type NamedPlan = Pick<PlanDraft, 'id' | 'source' | 'title'>

const ID_WORDS = 3
/** Leaves room for a number behind it. */
const NAME_LENGTH = 34

/** The id for the n-th plan that a sentence names, from 1: its first words. */
export function planIdFor(title: string, n: number): string {
  const words = slug(title, LONGEST_NAME).split('-').slice(0, ID_WORDS)
  const name = slug(words.join('-'), NAME_LENGTH)
  const plain = name === '' ? 'request' : name
  return n === 1 ? plain : `${plain}-${n}`
}

/** Enough for anybody who starts the same thing again and again. */
export const MOST_PLANS_OF_NAME = 1000

export const planId = (draft: NamedPlan): string => planName(draft).id

/** From the id the author gave, else the file name, else the title. `id` is `whole`, or what it was cut to. */
export function planName(draft: NamedPlan): {
  readonly id: string
  readonly whole: string
  /** Whether the author wrote it as the plan's id. */
  readonly isGiven: boolean
} {
  const names = [draft.id, nameOfFile(draft.source), draft.title].map((name) =>
    slug(name ?? '', LONGEST_NAME),
  )
  const found = names.find((name) => name !== '')
  const whole = found ?? `plan-${fingerprint(`${draft.source}\n${draft.title ?? ''}`)}`
  // A hash keeps long names with the same beginning distinct.
  const mark = fingerprint(whole)
  const cut = `${slug(whole, PLAN_ID_LENGTH - mark.length - 1)}-${mark}`
  return { id: whole.length <= PLAN_ID_LENGTH ? whole : cut, whole, isGiven: names[0] !== '' }
}

/** The file name without its date, its extension and `-plan`; empty for standard input. */
function nameOfFile(source: string): string {
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

/** The reviewer of that launch's work: `w-shop-7-1-review-2`. */
export function reviewerId(plan: string, taskId: string, attempt: number, round: number): string {
  return `${workerId(plan, taskId, attempt)}-review-${round}`
}

/** The specialist that is asked about a request: `w-shop-7-1-r2-help`. */
export const specialistId = (request: string): string => `${request}-help`

/** Every other worker's id ends with a number. */
export const isSpecialist = (worker: string): boolean => worker.endsWith('-help')

export function compareText(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/** A hash of a text, in eight characters (FNV-1a). */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}
