/** Lines about answers to inbox items. */
import type { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import { ago } from './durations.ts'

/** The command that gives the recommended answer. */
export const answerLine = ({ id, recommended }: Pick<InboxEntry, 'id' | 'recommended'>): string =>
  `bosun answer ${id} ${recommended}${recommended === 'answer' ? ' --feedback "…"' : ''}`

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
