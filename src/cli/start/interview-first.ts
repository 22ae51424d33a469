/** Begins the interview that a request needs, or previews a spec. In a terminal it goes on up to the plan. */
import { setTimeout } from 'node:timers/promises'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer, UnderstoodRequest } from '../../protocol/intake.ts'
import type { PmStatus } from '../../protocol/interview.ts'
import { deciderName, interviewPlace } from '../caller.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import { runInterview } from '../interview/run-interview.ts'
import { runPlan } from '../plan/run-plan.ts'
import type { Said } from './understand.ts'

export interface InterviewFor {
  readonly daemon: Daemon
  readonly intake: IntakeAnswer
  /** What the person decided and answered. */
  readonly said: Said
  readonly text: string
  /** The file that it came in; null where it was typed or piped. */
  readonly path: string | null
}

/** Idempotent: the same request again continues its interview. */
async function begin(call: Call, { daemon, intake, said, text, path }: InterviewFor) {
  const place = await interviewPlace(call, await deciderName(call))
  const asked = { ...place, ...understoodOf(intake, said) }
  if (intake.next !== 'upload_spec')
    return { place, status: await daemon.post('/api/pm/start', { ...asked, text }) }
  const status = await daemon.post('/api/pm/upload', { ...asked, markdown: text }).catch((error: unknown) => {
    throw path === null ? error : inFile(error, path)
  })
  return { place, status }
}

/** What the person saw and corrected goes on with the request. */
function understoodOf(
  { type, scope, workflow, title, judged_by, work, questions }: IntakeAnswer,
  { answers }: Said,
): UnderstoodRequest {
  return {
    type: type === 'question' ? null : type,
    scope,
    workflow,
    title: title === '' ? null : title,
    understood: { ...work, judged_by, answers: [...answers], open: openQuestions(questions) },
  }
}

/** Those of a model: the menus and the form ask for the rest. */
const openQuestions = (questions: IntakeAnswer['questions']) =>
  questions
    .filter(({ by }) => by === 'option_or_words')
    .map(({ text, options }) => ({ question: text, options: options.map(({ label }) => label) }))

/** The daemon does not know where a spec came from. */
function inFile(error: unknown, path: string): unknown {
  if (!(error instanceof Refusal) || error.faults.length === 0) return error
  const { code, message, remedy, details } = error
  const faults = error.faults.map((fault) => ({ ...fault, file: path }))
  return new Refusal({ code, message, remedy, details, faults, cause: error })
}

/** The plan that comes of it runs attached. */
export async function interviewThenRun(call: Call, given: InterviewFor): Promise<CommandResult> {
  const { place } = await begin(call, given)
  const talked = await runInterview(call, { isBegun: true })
  // A changed spec becomes the plan that it was before, so its id says nothing.
  const { plan, session_id, recoverable } = await given.daemon.get('/api/pm/status', { repo: place.repo })
  const isPlanned = plan !== null && session_id === null && recoverable === null
  return isPlanned ? runPlan(call, { path: plan, command: 'start' }) : talked
}

/** Without a person it only begins, and says what it waits for. With `--yes` a spec is submitted as it is. */
export async function beginInterview(call: Call, given: InterviewFor): Promise<CommandResult> {
  const { place, status } = await begin(call, given)
  if (given.intake.next !== 'upload_spec' || !call.flag('yes')) return waitsFor(given, status)
  const reviewed = await submitted(call, given.daemon, { place, status })
  const isPlanned = reviewed.plan !== null && reviewed.session_id === null && reviewed.recoverable === null
  return isPlanned ? runPlan(call, { path: reviewed.plan, command: 'start' }) : waitsFor(given, reviewed)
}

const waitsFor = ({ intake }: InterviewFor, status: PmStatus): CommandResult =>
  resultOf({ outcome: 'needs_person', interview: status }, begunText(intake, status), 'needs_person')

const POLL_MS = 200

/** Until the architect has approved it or sent it back. */
async function submitted(
  call: Call,
  daemon: Daemon,
  { place, status }: Awaited<ReturnType<typeof begin>>,
): Promise<PmStatus> {
  const { spec_sha } = status
  if (status.state !== 'PREVIEW' || spec_sha === null) return status
  const interrupted = call.services.interruption()
  let now = await daemon.post('/api/pm/preview/action', { ...place, action: 'submit_to_architect', spec_sha })
  while (['AWAIT_ARCHITECT', 'WORKING'].includes(now.state) && !interrupted.aborted) {
    await setTimeout(POLL_MS, undefined, { signal: interrupted }).catch(() => undefined)
    now = await daemon.get('/api/pm/status', { repo: place.repo })
  }
  return now
}

function begunText({ next }: IntakeAnswer, { open_question: question }: PmStatus): string {
  const begun = next === 'upload_spec' ? 'the spec waits for your decision' : 'an interview has begun'
  const asked = question === null ? '' : `${terminalText(question.text)}\n`
  return `${begun}\n${asked}Go on with: bosun interview\n`
}
