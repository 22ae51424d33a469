/** `bosun start`: shows what was understood, lets a person correct it, then runs it. */
import { readStartInput, type StartInput } from '../../app/intake/read-input.ts'
import type { Daemon } from '../../client/daemon.ts'
import { environmentHere } from '../../config/caller-environment.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { IntakeAnswer, IntakeRequest } from '../../protocol/intake.ts'
import { jsonLine, type Call, type CommandResult } from '../command.ts'
import { runPlan, startPlan, type PlanToRun, type Shown } from '../run-plan.ts'
import { askingAt, ensureCommit } from '../terminal/ensure-commit.ts'
import type { Dialogue } from '../terminal/terminal.ts'
import { correctIntake } from './correct-intake.ts'
import { intakeText } from './intake-view.ts'
import { overridesIn, type Overrides } from './overrides.ts'

export async function startRequest(call: Call): Promise<CommandResult> {
  const isAttended = call.mayAsk && call.terminal.input === 'terminal' && !call.json
  const begun = await begin(
    call,
    isAttended ? askingAt(call.terminal, () => call.services.interruption()) : null,
  )
  if (begun === null) return NOT_STARTED
  const { input, daemon, overrides } = begun
  let intake = await understand(call, daemon, input, overrides)
  if (call.json) await call.terminal.print(jsonLine('start intake line', { intake }))
  else call.terminal.printMessage(`${intakeText(intake, call.terminal.messageStyle)}\n`)
  if (intake.next === 'ask') throw saysNothing(intake)
  if (isAttended && !call.flag('yes')) {
    const again = (changed: Overrides) => understand(call, daemon, input, changed)
    const agreed = await correctIntake(call, { intake, overrides, again })
    if (agreed === null) return NOT_STARTED
    intake = agreed
  }
  if (!isAttended && !call.flag('yes')) refuseUnclear(intake)
  if (needsInterview(intake)) {
    const { beginInterview, interviewThenRun } = await import('./interview-first.ts')
    const given = { daemon, intake, text: input.text, path: input.path }
    return isAttended ? interviewThenRun(call, given) : beginInterview(call, given)
  }
  return runPlan(call, { ...planFor(intake, input), command: 'start' })
}

/** The same without following it, for assistants. */
export async function startWithoutFollowing(call: Call): Promise<Shown> {
  const begun = await begin(call, null)
  if (begun === null) return NOT_STARTED
  const { input, daemon, overrides } = begun
  const intake = await understand(call, daemon, input, overrides)
  const shown = (result: Shown): Shown => ({
    ...result,
    text: (style) => `${intakeText(intake, style)}\n${result.text(style)}`,
  })
  refuseUnclear(intake)
  if (!needsInterview(intake)) return shown(await startPlan(call, planFor(intake, input)))
  const { beginInterview } = await import('./interview-first.ts')
  return shown(await beginInterview(call, { daemon, intake, text: input.text, path: input.path }))
}

/** Null where the person does not want what a new project needs. */
async function begin(call: Call, ask: Dialogue['ask'] | null) {
  const [given = ''] = call.args
  const overrides = overridesIn(call)
  const readInput = (maxBytes: number) => call.terminal.readInput(maxBytes)
  const input = await readStartInput({ given, cwd: call.terminal.cwd, readInput })
  const project = await call.services.newProject()
  const first = await ensureCommit({ project, isAgreed: call.flag('yes'), ask, terminal: call.terminal })
  if (first === 'declined') return null
  return { input, overrides, daemon: await call.services.daemon() }
}

async function understand(
  call: Call,
  daemon: Daemon,
  input: StartInput,
  overrides: Overrides,
): Promise<IntakeAnswer> {
  const { text, fileName } = input
  const { cwd, env } = call.terminal
  const { variables } = await environmentHere(cwd, env)
  const request: IntakeRequest = { cwd, text, file_name: fileName, ...overrides, variables }
  return daemon.post<IntakeAnswer>('/api/intake', request)
}

/** What is ambiguous is asked, never guessed; without a person to ask, nothing is started. */
function refuseUnclear({ questions }: IntakeAnswer): void {
  const open = questions.filter(({ options }) => options.length > 0)
  if (open.length === 0) return
  const flags = open.map(({ id, options }) => `--${id} ${options.map(({ key }) => key).join('|')}`)
  throw new Refusal({
    code: 'needs_person',
    message: `the request is ambiguous: ${open.map(({ text }) => text).join(' ')}`,
    remedy: `Decide with ${flags.join(' and ')}, or take the defaults with --yes.`,
  })
}

/** No correction of type or scope says what is wanted. */
const saysNothing = ({ questions }: IntakeAnswer): Refusal =>
  new Refusal({
    code: 'needs_person',
    message: questions.map((question) => question.text).join(' '),
    remedy: 'Say in a sentence what should be done, for example: bosun start "fix typo in README"',
  })

const needsInterview = ({ next }: IntakeAnswer): boolean => next === 'interview' || next === 'upload_spec'

function planFor(intake: IntakeAnswer, { text, path }: StartInput): Omit<PlanToRun, 'command'> {
  switch (intake.next) {
    case 'run_plan':
      return { path: path ?? '-', text }
    case 'one_task':
      if (intake.plan === null) throw new Error('the daemon sent no plan')
      return { path: '-', text: intake.plan.text }
    case 'ask':
      throw saysNothing(intake)
    case 'upload_spec':
    case 'interview':
      throw new Error(`a request that needs ${intake.next} has no plan yet`)
  }
}

const NOT_STARTED: CommandResult = {
  exit: 'ok',
  form: 'start declined',
  document: { outcome: 'not_started' },
  text: () => 'nothing was started\n',
}
