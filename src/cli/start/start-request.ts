/** `bosun start`: shows what was understood, lets a person correct it, then runs it. */
import { readStartInput, type StartInput } from '../../app/intake/read-input.ts'
import type { Daemon } from '../../client/daemon.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { IntakeAnswer, IntakeRequest } from '../../protocol/intake.ts'
import { jsonLine, type Call, type CommandResult } from '../command.ts'
import { runPlan, startPlan, type PlanToRun } from '../run-plan.ts'
import { correctIntake } from './correct-intake.ts'
import { intakeText } from './intake-view.ts'
import { overridesIn, type Overrides } from './overrides.ts'

export async function startRequest(call: Call): Promise<CommandResult> {
  const { input, daemon, overrides } = await begin(call)
  let intake = await understand(call, daemon, input, overrides)
  if (call.json) await call.terminal.print(jsonLine('start', { intake }))
  else call.terminal.printMessage(`${intakeText(intake, call.terminal.messageStyle)}\n`)
  const isAttended = call.mayAsk && call.terminal.input === 'terminal' && !call.json
  if (isAttended && !call.flag('yes')) {
    const again = (changed: Overrides) => understand(call, daemon, input, changed)
    const agreed = await correctIntake(call, { intake, overrides, again })
    if (agreed === null) return NOT_STARTED
    intake = agreed
  }
  return runPlan(call, { ...planFor(intake, input), command: 'start' })
}

/** The same without following it, for assistants. */
export async function startWithoutFollowing(call: Call): Promise<CommandResult> {
  const { input, daemon, overrides } = await begin(call)
  const intake = await understand(call, daemon, input, overrides)
  const shown = (result: CommandResult): CommandResult => ({
    ...result,
    document: { intake, ...result.document },
    text: (style) => `${intakeText(intake, style)}\n${result.text(style)}`,
  })
  return shown(await startPlan(call, planFor(intake, input)))
}

async function begin(call: Call) {
  const [given = ''] = call.args
  const overrides = overridesIn(call)
  const readInput = (maxBytes: number) => call.terminal.readInput(maxBytes)
  const input = await readStartInput({ given, cwd: call.terminal.cwd, readInput })
  return { input, overrides, daemon: await call.services.daemon() }
}

function understand(
  call: Call,
  daemon: Daemon,
  input: StartInput,
  overrides: Overrides,
): Promise<IntakeAnswer> {
  const { text, fileName } = input
  const request: IntakeRequest = { cwd: call.terminal.cwd, text, file_name: fileName, ...overrides }
  return daemon.post<IntakeAnswer>('/api/intake', request)
}

function planFor(intake: IntakeAnswer, { text, path }: StartInput): Omit<PlanToRun, 'command'> {
  switch (intake.next) {
    case 'run_plan':
      return { path: path ?? '-', text }
    case 'one_task':
      if (intake.plan === null) throw new Error('the daemon sent no plan')
      return { path: '-', text: intake.plan.text }
    case 'ask':
      throw new Refusal({
        code: 'needs_person',
        message: intake.questions.map((question) => question.text).join(' '),
        remedy: 'Say in a sentence what should be done, for example: bosun start "fix typo in README"',
      })
    case 'upload_spec':
      throw new Refusal({
        code: 'failed',
        message: 'a spec cannot be started yet',
        remedy: 'Write a plan from it and run that: bosun run PLAN',
      })
    case 'interview':
      throw new Refusal({
        code: 'failed',
        message: `a ${intake.scope} ${intake.type} needs an interview, which is not available yet`,
        remedy:
          'Hand it to one developer with --workflow direct, or write a plan (docs/plans) and run it: bosun run PLAN',
      })
  }
}

const NOT_STARTED: CommandResult = {
  exit: 'ok',
  document: { outcome: 'not_started' },
  text: () => 'nothing was started\n',
}
