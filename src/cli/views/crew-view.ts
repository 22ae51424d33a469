import { signInText } from '../../app/upkeep/doctor.ts'
import type { CrewRecord } from '../../core/crew/crew-ledger.ts'
import { formatDuration } from '../../lib/text/format-time.ts'
import { terminalLine } from '../../lib/text/terminal-text.ts'
import type { FoundAgent } from '../../ports/machine.ts'
import type { CommandResult } from '../command.ts'
import type { Style } from '../terminal/terminal.ts'
import { blockText, textTable } from './text-table.ts'

interface Screen {
  readonly style: Style
  readonly width: number
}

export function crewText(
  agents: readonly FoundAgent[],
  records: readonly CrewRecord[],
  { style, width }: Screen,
): string {
  const found = agents.map(({ name, title, version, protocol, signIn, path }) => [
    name,
    `${title} ${version ?? '?'}`,
    protocol,
    signInText(signIn),
    path,
  ])
  const notes = agents.flatMap(({ name, fix, caution }) => [
    ...(fix === null ? [] : [style.yellow(terminalLine(`${name}: ${fix}`))]),
    ...(caution === null ? [] : [style.dim(terminalLine(`${name}: ${caution}`))]),
  ])
  const none = 'No coding agent is on the PATH (looked for claude, codex, opencode, gemini, qwen, goose, pi).'
  return blockText([
    found.length === 0 ? [none] : textTable(found, width),
    notes,
    records.length === 0 ? ['No worker has run yet.'] : textTable([HEADINGS, ...records.map(cells)], width),
  ])
}

const HEADINGS = ['agent', 'model', 'tasks', 'first pass', 'attempts', 'reviews', 'time', 'tokens', 'cost']

function cells({ agent, model, tasks, firstPass, attempts, reviews, workMs, spent }: CrewRecord): string[] {
  const { passed, of } = firstPass
  return [
    agent ?? 'unknown',
    model ?? '–',
    String(tasks),
    of === 0 ? '–' : `${Math.round((100 * passed) / of)} % of ${of}`,
    String(attempts),
    String(reviews),
    formatDuration(workMs),
    spent.tokens === 0 ? '–' : String(spent.tokens),
    spent.usd === 0 ? '–' : `$${spent.usd.toFixed(2)}`,
  ]
}

export const crewDocument = (
  agents: readonly FoundAgent[],
  records: readonly CrewRecord[],
): CommandResult['document'] => ({
  agents: agents.map(({ signIn, ...agent }) => ({
    ...agent,
    signed_in: { by: signIn.by, detail: signIn.detail },
  })),
  records: records.map(({ agent, model, tasks, firstPass, attempts, reviews, workMs, spent }) => ({
    agent,
    model,
    tasks,
    first_pass: firstPass,
    first_pass_rate: firstPass.of === 0 ? null : firstPass.passed / firstPass.of,
    attempts,
    reviews,
    work_ms: workMs,
    tokens: spent.tokens,
    usd: spent.usd,
  })),
})
