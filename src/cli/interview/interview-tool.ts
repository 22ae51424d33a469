/** The interview as a tool of an assistant: one step of the user, then what the interview says and how it goes on. */
import { refusal } from '../../lib/refusal.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import type { PmStatus } from '../../protocol/interview.ts'
import { interviewPlace } from '../caller.ts'
import type { Call } from '../command.ts'
import type { Shown } from '../plan/run-plan.ts'
import { hasFields } from './interview-view.ts'
import { runInterview } from './run-interview.ts'
import type { Talk } from './talk.ts'

export interface InterviewStep {
  /** Begins an interview where none is open. */
  readonly text?: string | undefined
  /** By the ids of the open fields. */
  readonly answers?: Readonly<Record<string, string>> | undefined
  readonly action?: 'continue' | 'submit' | 'resume' | 'abandon' | undefined
}

/** Clients give a tool a minute. */
const MOST_WAIT_MS = 45_000

export async function takeInterviewStep(call: Call, step: InterviewStep, by: string): Promise<Shown> {
  const daemon = await call.services.daemon()
  const place = { daemon, ...(await interviewPlace(call, by)) }
  const status = await daemon.get('/api/pm/status', { repo: place.repo })
  const isOpen = status.session_id !== null
  if (isOpen) await sendStep(place, status, step)
  else refuseStep(step)
  const asked: Call = {
    ...call,
    services: { ...call.services, interruption: () => AbortSignal.timeout(MOST_WAIT_MS) },
    option: (name) => (name === 'text' && !isOpen ? step.text : undefined),
    flag: (name) => name === step.action,
  }
  const shown = await runInterview(asked, { by })
  const next = nextText(await daemon.get('/api/pm/status', { repo: place.repo }))
  return { exit: shown.exit, text: (style) => `${shown.text(style)}${next}` }
}

/** A spec that the assistant wrote goes into preview first; without one, what is there is shown. */
export async function previewedSpec(call: Call, markdown: string | undefined, by: string): Promise<Shown> {
  const daemon = await call.services.daemon()
  const place = await interviewPlace(call, by)
  const { repo } = place
  if (markdown !== undefined) await daemon.post('/api/pm/upload', { ...place, markdown })
  const [spec, status] = await Promise.all([
    daemon.get('/api/pm/preview/spec', { repo }),
    daemon.get('/api/pm/status', { repo }),
  ])
  const { user_spec_md: text, bootstrap_spec_md: setUp, warning } = spec
  const below = [
    ...(setUp === null ? [] : [`Before it comes the set-up of the project:\n\n${setUp}`]),
    ...(warning === undefined ? [] : [`Warning: ${warning}\n`]),
    nextText(status),
  ]
  return { exit: 'ok', text: () => terminalText([text, ...below].join('\n')) }
}

type Place = Pick<Talk, 'daemon' | 'repo' | 'by' | 'environment'>

async function sendStep(
  place: Place,
  status: PmStatus,
  { text, answers, action }: InterviewStep,
): Promise<void> {
  if (action === 'abandon' || action === 'resume') return
  const { daemon, ...from } = place
  const hasWords = (text ?? '').trim() !== '' || answers !== undefined
  let session = status.session_id ?? ''
  if (action !== undefined || (hasWords && status.state === 'PREVIEW')) {
    const { spec_sha } = await daemon.get('/api/pm/preview/spec', { repo: from.repo })
    const chosen = action === 'submit' ? 'submit_to_architect' : 'continue_interview'
    const next = await daemon.post('/api/pm/preview/action', { ...from, action: chosen, spec_sha })
    session = next.session_id ?? session
  }
  if (hasWords && action !== 'submit')
    await daemon.post('/api/pm/chat', { ...from, session_id: session, message: text ?? '', answers })
}

function refuseStep({ answers, action }: InterviewStep): void {
  if (answers === undefined && action !== 'continue' && action !== 'submit') return
  throw refusal(
    'conflict',
    'no interview is open in this repository',
    'Begin one with what the user wants as text.',
  )
}

/** What the next call takes. */
function nextText({ state, open_question: open }: PmStatus): string {
  switch (state) {
    case 'AWAIT_USER': {
      const questions = open?.questions ?? []
      const fields = questions.map(({ id }, at) => `${at + 1} is ${id}`).join(', ')
      return hasFields(questions)
        ? `Next: answers by id (${fields}), in the words of the user.\n`
        : 'Next: the answer of the user as text.\n'
    }
    case 'PREVIEW':
      return 'Next: action "submit" once the user agrees, or text that says what should change.\n'
    case 'WORKING':
    case 'AWAIT_ARCHITECT':
    case 'SUSPEND':
      return 'Next: it is not finished; look again.\n'
    case 'WAITING':
    case 'ERROR':
    case 'DONE':
      return ''
  }
}
