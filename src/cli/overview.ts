/** A bare `bosun`: what is here, what goes on, what needs you, and which commands come next. */
import { nextSteps, type NextStep } from '../app/overview.ts'
import { lookAround } from '../config/surroundings.ts'
import { Refusal } from '../lib/refusal.ts'
import { terminalLine } from '../lib/terminal-text.ts'
import { folderIfThere } from '../lib/working-folder.ts'
import type { Surroundings } from '../ports/machine.ts'
import type { StatusAnswer } from '../protocol/answers.ts'
import { answerLine } from './answer-line.ts'
import type { Call, CommandResult } from './command.ts'
import { statusDocument, statusText } from './status-view.ts'
import type { Style } from './terminal.ts'

export async function lookAtAll(call: Call): Promise<CommandResult> {
  const here = await lookAround(folderIfThere(call.terminal) ?? '/')
  // A daemon that nobody wants is not started for a look.
  const { status, offline } = await askDaemon(call)
  const next = [...answers(status), ...nextSteps(here)]
  const going = status === null ? null : statusDocument(status)
  const { width } = call.terminal
  return {
    exit: 'ok',
    document: { ...here, status: going, offline, next },
    text: (style) => {
      const goingOn =
        status === null || status.plans.length === 0
          ? ''
          : `${statusText(status, { style, width, now: Date.now(), isNextSaid: true })}\n`
      const missed = offline === null ? '' : `${style.red(offline.message)}\n  ${offline.remedy}\n\n`
      return `${missed}${goingOn}${hereText(here, next, style)}`
    },
  }
}

/** A daemon that cannot be asked is told of, and the rest is shown all the same. */
async function askDaemon(call: Call): Promise<{
  readonly status: StatusAnswer | null
  readonly offline: { readonly message: string; readonly remedy: string } | null
}> {
  try {
    const daemon = await call.parts.daemonIfWanted()
    const status = daemon === null ? null : await daemon.get<StatusAnswer>('/api/status')
    return { status, offline: null }
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'no_daemon') throw error
    return { status: null, offline: { message: error.message, remedy: error.remedy } }
  }
}

/** What waits for a person comes before anything else they could do. */
function answers(status: StatusAnswer | null): readonly NextStep[] {
  return (status?.inbox ?? []).slice(0, 3).map((item) => ({
    command: answerLine(item),
    why: item.problem,
  }))
}

function hereText(here: Surroundings, next: readonly NextStep[], style: Style): string {
  const plans =
    here.plans.length === 0
      ? 'none in docs/plans'
      : `${here.plans.length} in docs/plans: ${here.plans.join(', ')}`
  const facts = [
    `repository  ${here.repository ?? 'none here'}`,
    `bosun.yaml  ${here.settings === 'absent' ? 'absent: every setting has its default' : here.settings}`,
    `plans       ${plans}`,
  ]
  const width = Math.max(...next.map((step) => terminalLine(step.command).length))
  const steps = next.map(
    (step) =>
      `  ${style.bold(terminalLine(step.command).padEnd(width))}   ${style.dim(terminalLine(step.why))}`,
  )
  return [...facts.map(terminalLine), '', 'next:', ...steps, ''].join('\n')
}
