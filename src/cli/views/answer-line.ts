import type { InboxEntry } from '../../protocol/answers.ts'

/** The command that answers an item as is recommended; an answer in words shows where they go. */
export const answerLine = ({ id, recommended }: Pick<InboxEntry, 'id' | 'recommended'>): string =>
  `bosun answer ${id} ${recommended}${recommended === 'answer' ? ' --feedback "…"' : ''}`
