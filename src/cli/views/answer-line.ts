/** Lines about answers to inbox items. */
import type { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import { ago } from './durations.ts'

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
