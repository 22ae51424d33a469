/** `bosun` without a command: repository, plans, inbox, and useful next commands. */
import { nextSteps, type NextStep } from '../../app/upkeep/overview.ts'
import { lookAround } from '../../config/read-settings.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import { folderIfThere } from '../../lib/files/working-folder.ts'
import type { Surroundings } from '../../ports/machine.ts'
import type { StatusReading } from '../../protocol/answers.ts'
import { answerLine } from '../inbox/inbox-view.ts'
import { resultOf, type Call, type CommandResult } from '../command.ts'
import type { Offline } from '../services.ts'
import { offlineText } from '../reading.ts'
import { statusDocument, statusText } from './status-view.ts'
import { styleOf, type Style } from '../terminal/terminal.ts'

export async function showOverview(call: Call): Promise<CommandResult> {
  const here = await lookAround(folderIfThere(call.terminal) ?? '/')
  await using from = await call.services.reading()
  const { offline } = from
  const status = await from.get('/api/status')
  const page = { command: 'bosun open', why: 'plans, workers and what needs you, in your browser' }
  const next = [...answers(status), ...(status.plans.length === 0 ? [] : [page]), ...nextSteps(here)]
  const { width } = call.terminal
  const hasPlans = status.plans.length > 0
  const isQuiet = !hasPlans && (offline === null || offline.kind === 'none')
  return resultOf(
    {
      ...here,
      status: isQuiet && offline !== null ? null : statusDocument(status, offline),
      offline: offline?.kind === 'silent' || offline?.kind === 'dead' ? offlineProblem(offline) : null,
      next,
    },
    (style) => {
      const view = { style, width, now: Date.now(), hasNextSteps: true, offline }
      return `${isQuiet ? '' : `${statusText(status, view)}\n`}${hereText(here, next, style)}`
    },
  )
}

const offlineProblem = (offline: Offline): { readonly message: string; readonly remedy: string } => ({
  message: offlineText(offline, styleOf('plain')),
  remedy: offline.kind === 'silent' ? 'Stop it: bosun stop --force' : 'Restart it: bosun resume',
})

/** Open inbox items come before any other step. */
function answers(status: StatusReading): readonly NextStep[] {
  return status.inbox.slice(0, 3).map((item) => ({
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
    `repository  ${here.repository ?? 'none'}`,
    `bosun.yaml  ${here.settings === 'absent' ? 'absent; using defaults' : here.settings}`,
    `plans       ${plans}`,
  ]
  const width = Math.max(...next.map((step) => terminalLine(step.command).length))
  const steps = next.map(
    (step) =>
      `  ${style.bold(terminalLine(step.command).padEnd(width))}   ${style.dim(terminalLine(step.why))}`,
  )
  return [...facts.map(terminalLine), '', 'next:', ...steps, ''].join('\n')
}
