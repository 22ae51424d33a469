/** What the demo shows, and which activity lines prove that it happened. */
import type { ActivityLine } from '../../protocol/answers.ts'

export type StoryLine = Pick<ActivityLine, 'event' | 'task_id' | 'data'>

interface Sign {
  readonly event: string
  readonly data?: Readonly<Record<string, string>>
  /** Part of its summary. */
  readonly says?: string
}

export interface Chapter {
  readonly name: string
  readonly task: string
  /** Printed with its first sign. */
  readonly note: string
  /** Printed at the end. */
  readonly summary: string
  /** The same where a person answered, and not the script. */
  readonly summaryIfAnswered?: string
  /** To be found in this order. */
  readonly signs: readonly [Sign, ...Sign[]]
}

const committed: Sign = { event: 'task_committed' }

export const STORY: readonly Chapter[] = [
  {
    name: 'fixed',
    task: '2',
    note: 'it left a console.log behind; a fixer gets the evidence and the same contract',
    summary: 'a worker failed a gate, and the failure was fixed',
    signs: [
      { event: 'gate_failed', data: { gate: 'lint' } },
      { event: 'task_dispatched', data: { reason: 'fix' } },
      { event: 'gate_passed', data: { gate: 'lint' } },
      committed,
    ],
  },
  {
    name: 'replaced',
    task: '3',
    note: 'it is alive and does nothing; what it wrote is saved, and another one takes over',
    summary: 'a worker stalled, and was replaced',
    signs: [
      { event: 'worker_stalled' },
      { event: 'worker_killed', data: { cause: 'stalled' } },
      { event: 'task_dispatched', data: { reason: 'restart' } },
      committed,
    ],
  },
  {
    name: 'refused_cheat',
    task: '4',
    note: 'it skipped a test that was in its way; each test of the base has to pass again',
    summary: 'a worker skipped a test to look done, and was refused until the code was right',
    signs: [
      { event: 'gate_failed', data: { gate: 'unit' }, says: 'that passed on the base no longer pass' },
      { event: 'task_dispatched', data: { reason: 'fix' } },
      { event: 'gate_passed', data: { gate: 'unit' } },
      committed,
    ],
  },
  {
    name: 'reviewed',
    task: '5',
    note: 'all gates pass, but the code modifies an object of its caller',
    summary: 'a reviewer wanted changes, and got them',
    signs: [
      { event: 'review_changes_requested' },
      { event: 'task_dispatched', data: { reason: 'rework' } },
      { event: 'review_approved' },
      committed,
    ],
  },
  {
    name: 'escalated',
    task: '7',
    note: 'this is where a person is asked: on the page, or with bosun inbox and bosun answer',
    summary: "a worker asked instead of guessing, and was answered by the demo's script in your place",
    summaryIfAnswered: 'a worker asked instead of guessing, and you answered',
    signs: [
      { event: 'escalation_opened' },
      { event: 'escalation_answered' },
      { event: 'task_dispatched', data: { reason: 'revise' } },
      committed,
    ],
  },
]

/** The demo's script answers in the person's place. */
export const STAND_IN = {
  by: "the demo's script",
  answers: new Map([['7', { choice: 'revise', feedback: 'An empty log prints one line: no ships today' }]]),
} as const

/** What a chapter came to. */
export function summaryOf({ summary, summaryIfAnswered }: Chapter, log: readonly StoryLine[]): string {
  const isAnswered = log.some(
    ({ event, data }) => event === 'escalation_answered' && data['by'] !== STAND_IN.by,
  )
  return isAnswered ? (summaryIfAnswered ?? summary) : summary
}

/** Chapters that begin with this line. */
export function chaptersBegunBy(line: StoryLine): readonly Chapter[] {
  return STORY.filter((chapter) => isSign(line, chapter, chapter.signs[0]))
}

/** Whether all signs of a chapter are in the log, in their order. */
export function hasHappened(chapter: Chapter, log: readonly StoryLine[]): boolean {
  let place = 0
  for (const line of log) {
    const sign = chapter.signs[place]
    if (sign === undefined) break
    if (isSign(line, chapter, sign)) place++
  }
  return place === chapter.signs.length
}

/** An answer names its item and not its task. */
function isSign(line: StoryLine, { task }: Chapter, { event, data = {}, says = '' }: Sign): boolean {
  if (line.event !== event || (line.task_id ?? task) !== task) return false
  if (!Object.entries(data).every(([key, value]) => line.data[key] === value)) return false
  return says === '' || String(line.data['summary']).includes(says)
}
