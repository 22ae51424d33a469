/** Inbox items in their fixed form. */
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InboxAnswer, InboxEntry, InterviewRow } from '../../protocol/answers.ts'
import { answerLine } from './answer-line.ts'
import { ago } from './durations.ts'
import { equalAsOne } from './equal-items.ts'
import type { Style } from '../terminal/terminal.ts'

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
