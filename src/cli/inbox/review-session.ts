/** The interactive inbox: shows each item in full and asks for a decision. */
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine, terminalTextWithColours } from '../../lib/text/terminal-text.ts'
import type { InboxEntry } from '../../protocol/answers.ts'
import type { ReviewAnswer } from '../../protocol/task-answer.ts'
import { conflictMessage, inboxLines } from './inbox-view.ts'
import { ago, textTable } from '../text.ts'
import { diffLines, reviewLines } from './review-view.ts'
import type { Dialogue, Terminal } from '../terminal/terminal.ts'

export interface Session {
  readonly daemon: Daemon
  readonly terminal: Terminal
  readonly dialogue: Dialogue
  readonly by: string
  readonly repo: string | undefined
}

export interface Decided {
  readonly id: string
  readonly choice: string
}

type Settled =
  | { readonly kind: 'decided'; readonly decided: Decided }
  | { readonly kind: 'left' }
  /** It was answered or closed before the person decided. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'quit' }

/** Asks about one item after the other, including items that an answer opens. */
export async function reviewAll(session: Session): Promise<readonly Decided[]> {
  const done: Decided[] = []
  const seen = new Set<string>()
  let isFirst = true
  for (;;) {
    const { inbox } = await session.daemon.get('/api/inbox')
    if (isFirst) await print(session, overviewLines(inbox, session.terminal))
    isFirst = false
    const next = inbox.find(({ id }) => !seen.has(id))
    if (next === undefined) return done
    seen.add(next.id)
    const settled = await reviewOne(session, next.id)
    if (settled.kind === 'quit') return done
    if (settled.kind === 'decided') done.push(settled.decided)
    // An item whose plan was paused stays open, but is not asked again in this session.
  }
}

function overviewLines(inbox: readonly InboxEntry[], { width, style }: Terminal): readonly string[] {
  const many = inbox.length === 1 ? '1 item needs you' : `${inbox.length} items need you`
  return [style.bold(many), ...textTable(inboxLines(inbox, Date.now()), width - 1), '']
}

export async function reviewOne(session: Session, id: string): Promise<Settled> {
  const review = await lookUp(session, id)
  if (review === null) return { kind: 'gone' }
  const { terminal, dialogue } = session
  const since = ago(review.item.since, Date.now())
  await page(session, [
    ...reviewLines(review, terminal.style),
    '',
    ...menuLines(review, `asked ${since} ago`, session),
  ])
  let hasSeenDiff = false
  for (;;) {
    const line = await dialogue.ask(`${review.item.id}> `)
    if (line === null) return { kind: 'quit' }
    const input = line.trim().toLowerCase()
    const choice = choiceOf(review, input)
    if (choice !== null) {
      const settled = await decide(session, review, { choice, hasSeenDiff })
      if (settled !== null) return settled
    } else if (input === 'q' || input === 'quit') return { kind: 'quit' }
    else if (input === 'n' || input === 'next') return { kind: 'left' }
    else if (input === 'd' || input === 'diff') {
      await page(session, diffLines(review, terminal.style))
      hasSeenDiff = true
    } else if (input === 'v' || input === 'view') await page(session, reviewLines(review, terminal.style))
    else await print(session, menuLines(review, `asked ${since} ago`, session))
  }
}

async function lookUp({ daemon, repo, terminal }: Session, id: string): Promise<ReviewAnswer | null> {
  try {
    return await daemon.get('/api/inbox/{id}', { id, repo })
  } catch (error) {
    if (!(error instanceof Refusal) || (error.code !== 'conflict' && error.code !== 'not_found')) throw error
    await terminal.print(`${terminalLine(conflictMessage(error, Date.now()))}\n`)
    return null
  }
}

/** A decision takes a whole option name or its number, never a single letter or an empty line. */
function choiceOf({ item }: ReviewAnswer, input: string): string | null {
  const keys = [...item.options.map(({ key }) => key), 'pause']
  const unique = [...new Set(keys)]
  return unique.find((key, at) => key === input || String(at + 1) === input) ?? null
}

function menuLines({ item }: ReviewAnswer, since: string, { terminal }: Session): readonly string[] {
  const { style } = terminal
  const pause = { key: 'pause', label: 'pause the plan; the item stays open' }
  const options = item.options.some(({ key }) => key === 'pause') ? item.options : [...item.options, pause]
  return [
    style.bold(`Your decision (${since}):`),
    ...options.map(({ key, label }, at) => {
      const mark = key === item.recommended ? style.green(' (recommended)') : ''
      return `  ${at + 1} ${key.padEnd(8)} ${terminalLine(label)}${mark}`
    }),
    style.dim('  d diff · v view again · n next · q quit'),
  ]
}

/** Null when the person goes back. */
async function decide(
  session: Session,
  review: ReviewAnswer,
  { choice, hasSeenDiff }: { readonly choice: string; readonly hasSeenDiff: boolean },
): Promise<Settled | null> {
  const { daemon, dialogue, terminal, by, repo } = session
  const { item } = review
  const isNamed = review.reason_needed.includes(choice)
  const isNeeded = isNamed || review.feedback_needed.includes(choice)
  const question = isNamed
    ? `Reason, recorded under the name ${terminalLine(by)} (e: editor, empty: back): `
    : isNeeded
      ? 'Feedback, required: what should change (e: editor, empty: back): '
      : 'Feedback, optional (e: editor, b: back): '
  const line = NO_FEEDBACK.has(choice) ? '' : await dialogue.ask(question)
  if (line === null) return { kind: 'quit' }
  const typed = line.trim()
  const feedback = typed === 'e' ? await editedFeedback(session, review) : typed
  if (feedback === null || (isNeeded && feedback === '') || typed === 'b') {
    await terminal.print('No decision made.\n')
    return null
  }
  try {
    const body = { choice, feedback, by, diff_opened: hasSeenDiff, repo }
    const answered = await daemon.post('/api/inbox/{id}/answer', body, { id: item.id })
    await terminal.print(
      choice === 'pause'
        ? `paused ${answered.plan}; ${answered.id} stays open (resume with: bosun resume ${answered.plan})\n\n`
        : `answered ${answered.id}: ${answered.choice}\n\n`,
    )
    return { kind: 'decided', decided: { id: answered.id, choice: answered.choice } }
  } catch (error) {
    // The item was answered or closed in the meantime, or the answer is invalid.
    if (!(error instanceof Refusal)) throw error
    const message = terminalLine(conflictMessage(error, Date.now()))
    await terminal.print(`${message}\n  ${terminalLine(error.remedy)}\n\n`)
    return error.code === 'usage' ? null : { kind: 'gone' }
  }
}

/** Choices that take no feedback. */
const NO_FEEDBACK: ReadonlySet<string> = new Set(['sign'])

async function editedFeedback({ dialogue }: Session, { item }: ReviewAnswer): Promise<string | null> {
  const help = `\n# ${item.id}: ${terminalLine(item.problem)}\n# Lines starting with # are ignored.\n`
  const text = await dialogue.edit(help)
  if (text === null) return null
  const lines = text.split('\n').filter((line) => !line.startsWith('#'))
  return lines.join('\n').trim()
}

async function print({ terminal }: Session, lines: readonly string[]): Promise<void> {
  await terminal.print(lines.map((line) => `${terminalTextWithColours(line)}\n`).join(''))
}

/** Prints one screen at a time. */
async function page(session: Session, lines: readonly string[]): Promise<void> {
  const { terminal, dialogue } = session
  const rows = Math.max(5, terminal.height - 2)
  for (let from = 0; from < lines.length; from += rows) {
    await print(session, lines.slice(from, from + rows))
    const left = lines.length - from - rows
    if (left <= 0) return
    const key = await dialogue.ask(`-- ${left} more lines (Enter: continue, q: stop) `)
    if (key === null || key.trim().toLowerCase() === 'q') return
  }
}
