/** The conversation at the terminal: shows what is new, asks when the interview waits for the user, and ends with it. */
import type { Daemon } from '../../client/daemon.ts'
import type { CallerEnvironment } from '../../config/caller-environment.ts'
import { Refusal } from '../../lib/refusal.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { ConversationAnswer, PmStatus } from '../../protocol/interview.ts'
import type { Style } from '../terminal/terminal.ts'
import {
  hasFields,
  messageText,
  planText,
  PREVIEW_MENU,
  previewText,
  FIELDS_HINT,
  fieldText,
} from './interview-view.ts'
import type { ExitName } from '../command.ts'

export interface Talk {
  readonly daemon: Pick<Daemon, 'get' | 'post'>
  readonly repo: string
  readonly by: string
  /** Sent with each call that lets the brain think. */
  readonly environment?: CallerEnvironment
  readonly style: Style
  readonly print: (text: string) => Promise<void>
  /** Null without a person to ask. It resolves to null at the end of the input, and when the user interrupts. */
  readonly ask: ((question: string) => Promise<string | null>) | null
  /** Opens an editor; null where there is none. */
  readonly edit: ((text: string) => Promise<string | null>) | null
  /** Waits a moment before the state is looked at again. */
  readonly pause: () => Promise<unknown>
  readonly isInterrupted: () => boolean
  /** The plan is followed at once: how to follow it needs no saying. */
  readonly followsPlan: boolean
}

export interface TalkEnd {
  readonly exit: ExitName
  readonly status: PmStatus
}

type Step = PmStatus | TalkEnd
const isEnd = (step: Step): step is TalkEnd => 'exit' in step

const LATER = 'The interview stays open. Continue it with: bosun interview\n'

/** Until there is a plan, an error, or no more input. */
export async function talk(parts: Talk, started: PmStatus): Promise<TalkEnd> {
  const shown: Shown = {
    messages: 0,
    state: null,
    outage: null,
    spec: null,
    plan: started.plan,
    isSubmitted: false,
    session: started.session_id,
  }
  let status = started
  // Of a conversation that goes on, the last words of the PM are enough.
  const earlier = await parts.daemon.get('/api/pm/chat', { repo: parts.repo })
  const isContinued = earlier.messages.filter(({ from }) => from === 'user').length > 1
  if (isContinued) shown.messages = lastWords(earlier.messages) - 1
  for (;;) {
    await showNew(parts, shown)
    if (parts.isInterrupted()) return left(parts, status, 'interrupted')
    const step = await oneStep(parts, shown, status)
    if (isEnd(step)) return step
    status = step
  }
}

/** The position of what the PM posted last, or of the architect's words before it. */
function lastWords(messages: ConversationAnswer['messages']): number {
  const at = messages.findLastIndex(({ from }) => from === 'pm')
  const first = messages[at - 1]?.from === 'architect' ? at - 1 : at
  return messages[first]?.position ?? 1
}

interface Shown {
  messages: number
  state: PmStatus['state'] | null
  outage: string | null
  spec: string | null
  /** The plan of an earlier interview. */
  readonly plan: string | null
  /** A changed spec becomes the plan that it was before. */
  isSubmitted: boolean
  readonly session: string | null
}

async function showNew(parts: Talk, shown: Shown): Promise<void> {
  const { messages, next } = await parts.daemon.get('/api/pm/chat', {
    repo: parts.repo,
    after: shown.messages,
  })
  for (const message of messages)
    if (message.from !== 'user')
      await parts.print(messageText(message, { style: parts.style, isAsked: parts.ask !== null }))
  shown.messages = Math.max(shown.messages, next)
}

async function oneStep(parts: Talk, shown: Shown, status: PmStatus): Promise<Step> {
  const isNew = shown.state !== status.state
  shown.state = status.state
  if (status.state === 'AWAIT_ARCHITECT') shown.isSubmitted = true
  const outage = outageText(status)
  if (outage !== null) return throughOutage(parts, shown, { status, outage })
  shown.outage = null
  switch (status.state) {
    case 'WORKING':
      return again(parts)
    case 'AWAIT_USER':
      return answer(parts, status)
    case 'PREVIEW':
      return preview(parts, shown, status)
    case 'AWAIT_ARCHITECT':
      if (isNew) await parts.print('The spec is with the architect.\n')
      return again(parts)
    case 'SUSPEND':
    case 'ERROR':
      return again(parts)
    case 'WAITING':
      return ended(parts, shown, status)
    case 'DONE':
      await parts.print(`The daemon has stopped. ${LATER}`)
      return { exit: 'failed', status }
  }
}

/** Why nothing happens at the moment; null where something does. */
function outageText({ state, why, parked_until: until }: PmStatus): string | null {
  const reason = terminalLine(why ?? 'a service is unavailable')
  if (state === 'SUSPEND') return `Suspended: ${reason}. It goes on by itself.\n`
  const isWaiting = state === 'WORKING' || state === 'AWAIT_ARCHITECT'
  return isWaiting && until !== null ? `Parked until ${until}: ${reason}. It goes on by itself.\n` : null
}

/** It may take minutes or hours: a person may wait and interrupt, a script is not kept. */
async function throughOutage(
  parts: Talk,
  shown: Shown,
  { status, outage }: { readonly status: PmStatus; readonly outage: string },
): Promise<Step> {
  if (shown.outage !== outage) await parts.print(outage)
  shown.outage = outage
  return parts.ask === null ? left(parts, status, 'needs_person') : again(parts)
}

async function again(parts: Talk): Promise<Step> {
  await parts.pause()
  return parts.daemon.get('/api/pm/status', { repo: parts.repo })
}

async function left(parts: Talk, status: PmStatus, exit: ExitName): Promise<TalkEnd> {
  await parts.print(`\n${LATER}`)
  return { exit, status }
}

async function answer(parts: Talk, status: PmStatus): Promise<Step> {
  const current = await parts.daemon.get('/api/pm/status', { repo: parts.repo })
  if (current.state !== 'AWAIT_USER') return current
  if (parts.ask === null) {
    if (current.open_question === null) await parts.print('The interview waits for your first message.\n')
    return left(parts, current, 'needs_person')
  }
  const questions = current.open_question?.questions ?? []
  if (hasFields(questions)) return fill(parts, { ...parts, ask: parts.ask }, { current, questions })
  const line = await parts.ask('> ')
  if (line === null) return left(parts, current, parts.isInterrupted() ? 'interrupted' : 'needs_person')
  if (isLeaving(line)) return left(parts, current, 'ok')
  const text = line.trim() === 'e' && parts.edit !== null ? ((await parts.edit('')) ?? '') : line
  if (text.trim() === '') return current
  return send(parts, status.session_id ?? '', { message: text })
}

/** What was filled in is sent also where the user leaves in the middle: it stands in the form the next time. */
async function fill(
  parts: Talk,
  asking: Parameters<typeof askFields>[0],
  {
    current,
    questions,
  }: {
    readonly current: PmStatus
    readonly questions: NonNullable<PmStatus['open_question']>['questions']
  },
): Promise<Step> {
  const { answers, end } = await askFields(asking, questions)
  const isEmpty = Object.keys(answers).length === 0
  const sent =
    isEmpty && end !== 'filled'
      ? current
      : await send(parts, current.session_id ?? '', { message: '', answers })
  if (end === 'left') return left(parts, sent, 'ok')
  if (end === 'filled' || !isEmpty) return sent
  return left(parts, sent, parts.isInterrupted() ? 'interrupted' : 'needs_person')
}

/** A message that is refused, for example because it is too long, is reported and asked for again. */
async function send(
  parts: Talk,
  session: string,
  said: { readonly message: string; readonly answers?: Readonly<Record<string, string>> },
): Promise<PmStatus> {
  const { daemon, repo, by, environment } = parts
  try {
    return await daemon.post('/api/pm/chat', { repo, session_id: session, ...said, by, environment })
  } catch (error) {
    return reported(parts, error)
  }
}

/** What the user can mend in the conversation is said there; anything else ends it. */
async function reported(parts: Talk, error: unknown): Promise<PmStatus> {
  if (!(error instanceof Refusal) || error.code === 'no_daemon' || error.code === 'no_agent') throw error
  await parts.print(`${terminalLine(error.message)}\n  ${terminalLine(error.remedy)}\n`)
  return parts.daemon.get('/api/pm/status', { repo: parts.repo })
}

async function preview(parts: Talk, shown: Shown, status: PmStatus): Promise<Step> {
  const spec = await parts.daemon.get('/api/pm/preview/spec', { repo: parts.repo })
  if (shown.spec !== spec.spec_sha) await parts.print(previewText(spec, parts.style))
  shown.spec = spec.spec_sha
  if (parts.ask === null) return left(parts, status, 'needs_person')
  await parts.print(`\n${PREVIEW_MENU}\n`)
  const line = await parts.ask('1 or 2> ')
  if (line === null) return left(parts, status, parts.isInterrupted() ? 'interrupted' : 'needs_person')
  const choice = previewChoice(line)
  const { daemon, repo, by, environment } = parts
  const act = (action: 'continue_interview' | 'submit_to_architect'): Promise<PmStatus> =>
    daemon.post('/api/pm/preview/action', { repo, action, spec_sha: spec.spec_sha, by, environment })
  try {
    switch (choice) {
      case 'leave':
        return await left(parts, status, 'ok')
      case 'submit':
        return await act('submit_to_architect')
      case 'again':
        shown.spec = null
        return status
      case 'unclear':
        await parts.print('Type 2 to submit it for development, or say what should change.\n')
        return status
      case 'continue': {
        const next = await act('continue_interview')
        if (next.open_question === null) await parts.print('What should change?\n')
        return next
      }
      case 'change': {
        const { session_id } = await act('continue_interview')
        return await send(parts, session_id ?? '', { message: line })
      }
    }
  } catch (error) {
    return reported(parts, error)
  }
}

const isLeaving = (line: string): boolean => ['q', 'quit', 'exit', ':q'].includes(line.trim().toLowerCase())

type PreviewChoice = 'continue' | 'submit' | 'change' | 'again' | 'leave' | 'unclear'

/** Submitting starts work, so it takes more than a nod. */
const NODS = /^(ok(ay)?|y(es)?|no?|sure|fine|(looks )?good|ja|nein)$/

/** Words that are no choice say what should change. */
export function previewChoice(line: string): PreviewChoice {
  const word = line
    .trim()
    .toLowerCase()
    .replace(/[.!]+$/, '')
  if (['1', 'c', 'continue', 'continue interview'].includes(word)) return 'continue'
  if (['2', 's', 'submit', 'submit for development', 'submit it'].includes(word)) return 'submit'
  if (isLeaving(word)) return 'leave'
  if (NODS.test(word)) return 'unclear'
  return word === '' || word === 'v' || word === 'view' ? 'again' : 'change'
}

/** Approved, or ended with an error. */
async function ended(parts: Talk, shown: Shown, status: PmStatus): Promise<TalkEnd> {
  const { recoverable, plan } = status
  if (recoverable !== null && recoverable.session_id === shown.session) {
    await parts.print(
      `The interview ended with an error: ${terminalLine(recoverable.why)}\nNothing is lost. Continue it with: bosun interview --resume\n`,
    )
    return { exit: 'failed', status }
  }
  if (plan === null || (plan === shown.plan && !shown.isSubmitted)) {
    await parts.print('No interview is open. Start one with: bosun interview\n')
    return { exit: 'ok', status }
  }
  const answered = await parts.daemon.get('/api/plans/{id}', { id: plan, repo: parts.repo })
  await parts.print(planText(plan, answered.tasks, parts))
  return { exit: 'ok', status }
}

/** Asks for fields one by one at the terminal; an answer may have several lines. */
type Question = NonNullable<PmStatus['open_question']>['questions'][number]

export interface FilledFields {
  /** By the ids of the questions; fields that were left as they are do not stand here. */
  readonly answers: Readonly<Record<string, string>>
  /** `input_ended`: there is no more to read; `left`: the user leaves it for later. */
  readonly end: 'filled' | 'input_ended' | 'left'
}

type Read =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'input_ended' | 'left'; readonly text: string }

export async function askFields(
  parts: Pick<Talk, 'print' | 'style' | 'edit'> & { readonly ask: NonNullable<Talk['ask']> },
  questions: readonly Question[],
): Promise<FilledFields> {
  const answers: Record<string, string> = {}
  await parts.print(FIELDS_HINT)
  for (const [at, question] of questions.entries()) {
    for (;;) {
      await parts.print(fieldText(question, `${at + 1}/${questions.length}`, parts.style))
      const read = await readField(parts, question)
      if (read.text !== '') answers[question.id] = read.text
      if (read.kind !== 'text') return { answers, end: read.kind }
      if (read.text !== '' || question.default !== null) break
      await parts.print('This one needs an answer.\n')
    }
  }
  return { answers, end: 'filled' }
}

/** An option takes one line, words as many as there are up to an empty one. */
async function readField(
  { ask, edit }: Parameters<typeof askFields>[0],
  { options, default: now }: Question,
): Promise<Read> {
  const lines: string[] = []
  for (;;) {
    const line = await ask('> ')
    if (line === null) return { kind: 'input_ended', text: lines.join('\n') }
    const word = line.trim()
    if (lines.length === 0 && word === 'q') return { kind: 'left', text: '' }
    if (lines.length === 0 && word === 'e' && edit !== null)
      return { kind: 'text', text: ((await edit(now ?? '')) ?? '').trim() }
    if (word !== '') lines.push(line.trimEnd())
    if (word === '' || word === '-' || options.length > 0) return { kind: 'text', text: lines.join('\n') }
  }
}
