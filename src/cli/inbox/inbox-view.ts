/** Inbox items in their fixed form. */
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InboxAnswer, InboxEntry, InterviewRow } from '../../protocol/answers.ts'
import { ago } from '../text.ts'
import type { Style } from '../terminal/terminal.ts'
import type { Refusal } from '../../lib/refusal.ts'

export function itemText(item: InboxEntry, style: Style): string {
  const options = item.options.map(({ key, label }) => `${key} (${label})`).join(', ')
  const fields = [
    ['Problem:', item.problem],
    ['Impact:', item.impact],
    ['Options:', options],
    ['Recommended:', item.recommended],
    ['Blocking:', item.blocking ? 'yes' : 'no'],
    ['Since:', item.since],
    ['Plan:', item.plan],
    ...(item.group.length === 0 ? [] : [['Equal:', `answers ${item.group.join(', ')}`] as const]),
    ['Answer:', answerLine(item)],
  ] as const
  const lines = fields.map(([label, text]) => `${label.padEnd(12)} ${terminalLine(text)}`)
  return [style.bold(item.kind.toUpperCase()), ...lines].join('\n')
}

export function inboxText({ inbox, interviews }: InboxAnswer, style: Style): string {
  const all = [
    ...equalAsOne(inbox).map((item) => itemText(item, style)),
    ...interviewLines(interviews, style),
  ]
  return all.length === 0 ? 'Nothing needs you.\n' : `${all.join('\n\n')}\n`
}

/** Each open interview, with how to go on. */
export const interviewLines = (interviews: readonly InterviewRow[], style: Style): readonly string[] =>
  interviews.map(({ title, repo, waits }) => {
    const what = `Interview "${terminalLine(title)}" in ${terminalLine(repo)} ${waits ? 'waits for you' : 'is open'}`
    return `${style.yellow(what)}\n  go on with: bosun interview · end it: bosun interview --abandon`
  })

/** One row per item; equal ones share theirs. */
export function inboxLines(inbox: readonly InboxEntry[], now: number): readonly (readonly string[])[] {
  return equalAsOne(inbox).map((item) => [`  ${item.id}`, item.kind, ago(item.since, now), item.problem])
}

/** Items of one plan that differ in their task only, as one, with the ids of all, which `bosun answer` takes. */
export function equalAsOne(inbox: readonly InboxEntry[]): readonly InboxEntry[] {
  const alike = Map.groupBy(inbox, (item) => {
    const { kind, plan, repo, recommended, options } = item
    if (item.task === null || kind === 'permission') return item
    return JSON.stringify([kind, plan, repo, recommended, options.map(({ key }) => key), about(item, '')])
  })
  return [...alike.values()].flatMap((items) => {
    const [first] = items
    return first === undefined || items.length === 1 ? items : [asOne(first, items)]
  })
}

function asOne(first: InboxEntry, items: readonly InboxEntry[]): InboxEntry {
  const impacts = items.map(({ task, impact }) => impact.replace(`task ${task}`, 'each task'))
  const isOneImpact = new Set(impacts).size === 1
  return {
    ...first,
    id: items.map(({ id }) => id).join(','),
    problem: about(first, `tasks ${items.map(({ task }) => task).join(', ')}`),
    impact: (isOneImpact ? impacts.slice(0, 1) : items.map(({ impact }) => impact)).join('; '),
  }
}

/** The problem with its task called so. */
const about = ({ problem, task, task_title: title }: InboxEntry, called: string): string =>
  problem.replace(`task ${task} (${title})`, called)

/** Lines about answers to inbox items. */
type Answerable = Pick<InboxEntry, 'id' | 'recommended' | 'reason_needed' | 'feedback_needed'>

/** The command that gives the recommended answer; `…` stands for what the person has to write. */
export function answerLine({ id, recommended, reason_needed, feedback_needed }: Answerable): string {
  if (recommended === 'answer') return `bosun answer ${id} "…"`
  const text = reason_needed.includes(recommended)
    ? ' --reason "…"'
    : feedback_needed.includes(recommended)
      ? ' --feedback "…"'
      : ''
  return `bosun answer ${id} ${recommended}${text}`
}

const LONGEST_FEEDBACK = 200

/** The message of a refusal, with when another person answered and in which words, if that is the reason. */
export function conflictMessage({ message, details }: Refusal, now: number): string {
  const theirs = details?.['theirs']
  if (typeof theirs !== 'object' || theirs === null || !('at' in theirs)) return message
  const { at } = theirs
  const feedback = 'feedback' in theirs && typeof theirs.feedback === 'string' ? theirs.feedback : ''
  const when = `${ago(String(at), now)} ago`
  return `${message} (${when}${feedback === '' ? '' : `: ${cut(terminalLine(feedback))}`})`
}

const cut = (text: string): string =>
  text.length <= LONGEST_FEEDBACK ? text : `${text.slice(0, LONGEST_FEEDBACK)}…`
