/** `bosun start`: shows what was understood, lets a person correct it, then runs it. */
import { readStartInput, saysItself, type StartInput } from '../../app/intake/read-input.ts'
import { brainText } from '../../app/upkeep/doctor.ts'
import { refusal } from '../../lib/refusal.ts'
import { terminalText } from '../../lib/text/terminal-text.ts'
import type { IntakeAnswer } from '../../protocol/intake.ts'
import { jsonLine, resultOf, isAttended, type Call, type CommandResult } from '../command.ts'
import { runPlan, startPlan, type PlanToRun, type Shown } from '../plan/run-plan.ts'
import { askingAt, ensureCommit } from '../terminal/ensure-commit.ts'
import type { Dialogue } from '../terminal/terminal.ts'
import { correctIntake, type Agreed } from './questions.ts'
import { intakeText } from './intake-view.ts'
import {
  overridesIn,
  valuesOf,
  defaultsOf,
  seenIn,
  understanding,
  type Said,
  type Understand,
} from './understand.ts'
import type { Daemon } from '../../client/daemon.ts'

export async function startRequest(call: Call): Promise<CommandResult> {
  const hasPerson = isAttended(call)
  const begun = await begin(
    call,
    hasPerson ? askingAt(call.terminal, () => call.services.interruption()) : null,
  )
  if (begun === null) return NOT_STARTED
  const { input, daemon, first } = begun
  const understand = interruptibly(call, { input, daemon })
  const shown = call.flag('yes') ? await withDefaults(first, understand) : await once(first, understand)
  let agreed = shown
  if (call.json) await call.terminal.print(jsonLine('start', { intake: agreed.intake }))
  else call.terminal.printMessage(`${intakeText(agreed.intake, call.terminal.messageStyle)}\n`)
  refuseWithoutWords(agreed.intake)
  if (hasPerson && !call.flag('yes') && agreed.intake.next !== 'answered') {
    const corrected = await correctIntake(call, { ...agreed, again: understand })
    if (corrected === null) return NOT_STARTED
    agreed = corrected
  }
  const { intake, said } = agreed
  if (intake.next === 'answered') return answeredResult(intake)
  refuseOpen(intake)
  if (!hasPerson && !call.flag('yes')) refuseUnanswered(intake)
  if (needsInterview(intake)) {
    const { beginInterview, interviewThenRun } = await import('./interview-first.ts')
    const given = { daemon, intake, said, text: input.text, path: input.path }
    return hasPerson ? interviewThenRun(call, given) : beginInterview(call, given)
  }
  return runPlan(call, { ...planFor(intake, input), command: 'start' })
}

/** The same without following it, for assistants. */
export async function startWithoutFollowing(call: Call): Promise<Shown> {
  const begun = await begin(call, null)
  if (begun === null) return NOT_STARTED
  const { input, daemon, first } = begun
  const { intake, said } = await once(first, understanding(call, daemon, input))
  const shown = ({ exit, text }: Shown): Shown => ({
    exit,
    text: (style) => `${intakeText(intake, style)}\n${text(style)}`,
  })
  if (intake.next === 'answered') return shown(answeredResult(intake))
  refuseWithoutWords(intake)
  refuseOpen(intake)
  refuseUnanswered(intake)
  if (!needsInterview(intake)) return shown(await startPlan(call, planFor(intake, input)))
  const { beginInterview } = await import('./interview-first.ts')
  return shown(await beginInterview(call, { daemon, intake, said, text: input.text, path: input.path }))
}

/** Null where the person does not want what a new project needs. */
async function begin(call: Call, ask: Dialogue['ask'] | null) {
  const [given = ''] = call.args
  const decided = overridesIn(call)
  const readInput = (maxBytes: number) => call.terminal.readInput(maxBytes)
  const input = await readStartInput({ given, cwd: call.terminal.cwd, readInput })
  const project = await call.services.newProject()
  const commit = await ensureCommit({ project, isAgreed: call.flag('yes'), ask, terminal: call.terminal })
  if (commit === 'declined') return null
  const first: Said = { decided, answers: [], understood: null, round: 0, judge: true }
  return { input, first, daemon: await call.services.daemon() }
}

/** Says who is asked. Ctrl-C hangs up; from then on the person judges, where there is one. */
function interruptibly(
  call: Call,
  { input, daemon }: { readonly input: StartInput; readonly daemon: Daemon },
): Understand {
  const hasPerson = isAttended(call)
  let isGivenUp = false
  return async (said) => {
    const who = isGivenUp || !said.judge || saysItself(input) ? null : await whoAnswers(call)
    if (who === null) return understanding(call, daemon, input)({ ...said, judge: said.judge && !isGivenUp })
    call.terminal.printMessage(`asking ${who}${hasPerson ? ' (Ctrl-C: you judge it yourself)' : ''}\n`)
    if (!hasPerson) return understanding(call, daemon, input)(said)
    const interrupted = call.services.interruption()
    try {
      return await understanding(call, daemon, input, () => interrupted)(said)
    } catch (error) {
      if (!interrupted.aborted) throw error
      isGivenUp = true
      call.terminal.printMessage('\n')
      return understanding(call, daemon, input)({ ...said, judge: false })
    }
  }
}

/** Null where there is nobody to ask. */
async function whoAnswers(call: Call): Promise<string | null> {
  const found = await (await call.services.machine()).brain({ tries: false })
  return found === null || found.description.who === null ? null : brainText(found.description)
}

const once = async (said: Said, understand: Understand): Promise<Agreed> => ({
  intake: await understand(said),
  said,
})

/** `--yes`: each question is answered by its default, as long as all have one. */
async function withDefaults(first: Said, understand: Understand): Promise<Agreed> {
  let agreed = await once(first, understand)
  for (;;) {
    const answers = defaultsOf(agreed.intake)
    if (answers === null || answers.length === 0) return agreed
    const { said } = agreed
    agreed = await once(
      {
        ...said,
        answers: [...said.answers, ...answers],
        understood: seenIn(agreed.intake),
        round: said.round + 1,
      },
      understand,
    )
  }
}

/** Without a person to ask, nothing is guessed and nothing is started. */
function refuseOpen(intake: IntakeAnswer): void {
  if (intake.next !== 'ask') return
  const menus = (['type', 'scope'] as const).filter((menu) => intake.questions.some(({ id }) => id === menu))
  if (menus.length === 0) return refuseUnanswered(intake)
  const flags = menus.map((id) => `--${id} ${valuesOf(id).join('|')}`)
  throw refusal(
    'needs_person',
    `the request needs its ${menus.join(' and ')} from you (${intake.not_judged ?? 'not judged'})`,
    `Say it with ${flags.join(' and ')}.`,
  )
}

/** What a model has to ask is asked, never guessed. */
function refuseUnanswered({ questions, next }: IntakeAnswer): void {
  const open = questions.filter(({ by, default: usual }) => by !== 'lines' || usual === null)
  if (open.length === 0 || next === 'interview') return
  const hasDefaults = open.every((question) => question.default !== null)
  throw refusal(
    'needs_person',
    `the request leaves something open: ${open.map(questionText).join(' ')}`,
    `Answer it in the request and start it again${hasDefaults ? ', or take the defaults with --yes' : ''}.`,
  )
}

const questionText = ({ text, options, default: usual }: IntakeAnswer['questions'][number]): string =>
  options.length === 0
    ? text
    : `${text} (${options.map(({ key, label }) => (key === usual ? `${label}, by default` : label)).join('; ')})`

/** No correction of type or scope says what is wanted. */
function refuseWithoutWords({ questions }: IntakeAnswer): void {
  const question = questions.find(({ id }) => id === 'request')
  if (question === undefined) return
  throw refusal(
    'needs_person',
    question.text,
    'Say in a sentence what should be done, for example: bosun start "fix typo in README"',
  )
}

const needsInterview = ({ next }: IntakeAnswer): boolean => next === 'interview' || next === 'upload_spec'

function planFor(intake: IntakeAnswer, { text, path }: StartInput): Omit<PlanToRun, 'command'> {
  switch (intake.next) {
    case 'run_plan':
      return { path: path ?? '-', text }
    case 'one_task':
      if (intake.plan === null) throw new Error('the daemon sent no plan')
      return { path: '-', text: intake.plan.text }
    case 'ask':
    case 'answered':
    case 'upload_spec':
    case 'interview':
      throw new Error(`a request with the next step ${intake.next} has no plan yet`)
  }
}

const answeredResult = ({ answer, title }: IntakeAnswer): CommandResult =>
  resultOf(
    { outcome: 'answered', answer: answer ?? '' },
    `${terminalText(answer ?? title)}\n\nNothing was started: it was taken as a question. Is it work? Start it with --type.\n`,
  )

const NOT_STARTED = resultOf({ outcome: 'not_started' }, 'nothing was started\n')
