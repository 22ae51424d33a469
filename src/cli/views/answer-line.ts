import type { InboxEntry } from '../../protocol/answers.ts'

/** The command that gives the recommended answer. */
export const answerLine = ({ id, recommended }: Pick<InboxEntry, 'id' | 'recommended'>): string =>
  `bosun answer ${id} ${recommended}${recommended === 'answer' ? ' --feedback "…"' : ''}`
